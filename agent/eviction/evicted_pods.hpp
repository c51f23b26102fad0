// SPDX-License-Identifier: Apache-2.0

// The pods that were evicted and are shown as Failed, and when each may come back.
//
// A manifest is a standing wish, and there is no controller to carry it out but us: once the node
// has no pressure condition any more, a new incarnation follows. It waits for 10 s after the
// eviction, and twice as long each time that a pod of that name is evicted again, up to five
// minutes: the kubelet's waits for a container that keeps crashing. After half an hour without an
// eviction it begins anew. A value: times are passed in.
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

// `ordered`: the pod as it was when its eviction was ordered, if it was. The order decides for one
// whose containers all exit 0: it is Succeeded like one that finished by itself. A pod that was
// refused because the node was short when it came is Failed without any order.
[[nodiscard]] bool was_evicted(const api::Pod& pod, const api::Pod* ordered);

// Those whose recorded ending is an eviction.
[[nodiscard]] std::vector<lifecycle::PodMemoryPtr> ordered_to_go(
    const std::vector<lifecycle::PodMemoryPtr>& recalled);

// Those that were evicted, and are collected by now, as the pod set says: nobody is shown them any
// more. What was recalled of them may be older than that.
[[nodiscard]] std::vector<lifecycle::PodMemoryPtr> collected_since(
    const std::vector<lifecycle::PodMemoryPtr>& recalled,
    const std::function<bool(const std::string& uid)>& is_collected);

class EvictedPods {
 public:
  static constexpr Nanoseconds kFirstWait = std::chrono::seconds(10);
  static constexpr Nanoseconds kLongestWait = std::chrono::minutes(5);
  static constexpr Nanoseconds kForgottenAfter = std::chrono::minutes(30);

  // One that was evicted; again and again is fine.
  void add(const api::Pod& pod, SteadyTime now);
  void remove(const std::string& uid) { waiting_.erase(uid); }

  [[nodiscard]] bool waits(const std::string& uid) const { return waiting_.contains(uid); }
  // Uids of those whose time has come.
  [[nodiscard]] std::vector<std::string> due(SteadyTime now) const;
  [[nodiscard]] std::optional<SteadyTime> next() const;

 private:
  struct Past {
    int count = 0;
    SteadyTime last{};
  };
  std::map<std::string, SteadyTime> waiting_{};  // by uid: when it may come back
  std::map<std::string, Past> past_{};           // by namespace and name
};

}  // namespace berth::agent
