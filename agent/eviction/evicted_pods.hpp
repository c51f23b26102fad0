// SPDX-License-Identifier: Apache-2.0

// The pods that were evicted and are shown as Failed, and when each may be recreated.
//
// A manifest is a standing request, and no controller but berthd fulfils it: once the node has no
// pressure condition any more, a new incarnation follows. It waits for 10 s after the eviction, and
// twice as long each time that a pod of that name is evicted again, up to five minutes: the
// kubelet's restart backoff of a crashing container. After half an hour without an eviction the
// wait starts over. A value: times are passed in.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/pod_memory.hpp"

namespace berth::agent {

// `ordered`: the pod as it was when its eviction was ordered; null if it was not. Only the order
// identifies an evicted pod whose containers all exit 0: it is Succeeded like one that finished by
// itself. A pod that was refused because the node was under pressure when it arrived is Failed
// without any order.
[[nodiscard]] bool was_evicted(const api::Pod& pod, const api::Pod* ordered);

// The pods whose recorded ending is an eviction.
[[nodiscard]] std::vector<lifecycle::PodMemoryPtr> ordered_to_go(
    const std::vector<lifecycle::PodMemoryPtr>& recalled);

// The pods that were evicted and have been collected since, as the pod set reports; they are no
// longer listed. What was recalled of them may predate the collection.
[[nodiscard]] std::vector<lifecycle::PodMemoryPtr> collected_since(
    const std::vector<lifecycle::PodMemoryPtr>& recalled,
    const std::function<bool(const std::string& uid)>& is_collected);

class EvictedPods {
 public:
  static constexpr Nanoseconds kFirstWait = std::chrono::seconds(10);
  static constexpr Nanoseconds kLongestWait = std::chrono::minutes(5);
  static constexpr Nanoseconds kForgottenAfter = std::chrono::minutes(30);

  // Adds an evicted pod; repeated calls are harmless.
  void add(const api::Pod& pod, SteadyTime now);
  void remove(const std::string& uid) { waiting_.erase(uid); }

  [[nodiscard]] bool waits(const std::string& uid) const { return waiting_.contains(uid); }
  // The uids of the pods that may be recreated now.
  [[nodiscard]] std::vector<std::string> due(SteadyTime now) const;
  [[nodiscard]] std::optional<SteadyTime> next() const;

 private:
  struct Past {
    int count = 0;
    SteadyTime last{};
  };
  std::map<std::string, SteadyTime> waiting_{};  // by uid: when it may be recreated
  std::map<std::string, Past> past_{};           // by namespace and name
};

}  // namespace berth::agent
