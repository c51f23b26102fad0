// SPDX-License-Identifier: Apache-2.0

// What is known of pods beyond the lifetime of their workers: what the store had at start, and the
// verdicts that no worker reaches (refused by admission, ended, collected).
//
// A verdict is known here at once, and is committed to the store in a task of its own. A failed
// commit is retried as long as the verdict still stands, that is until another pod with its uid is
// stored itself. The row of an ended pod is kept until its successor is stored.
//
// The task group owns the coroutines and is joined before this object is destroyed; services and
// records outlive this object. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/task_group.hpp"
#include "lifecycle/pod_memory.hpp"
#include "lifecycle/pod_store.hpp"
#include "lifecycle/pods/desired_pods.hpp"
#include "lifecycle/pods/pod_records.hpp"

namespace berth::lifecycle {

struct VerdictServices {
  PodStore& store;
  Clock& clock;
  Log& log;
};

// The memory from which a worker removes what reappeared of a collected pod, with the shortest
// grace period.
[[nodiscard]] PodMemoryPtr to_be_collected(const PodMemory& collected, WallTime now);

class PodVerdicts {
 public:
  // `on_settled`: called when a verdict is stored, or no longer stands.
  PodVerdicts(VerdictServices services, TaskGroup& tasks, const PodRecords& records,
              std::function<void()> on_settled);
  PodVerdicts(const PodVerdicts&) = delete;
  PodVerdicts& operator=(const PodVerdicts&) = delete;
  ~PodVerdicts() = default;

  // Loads what the store has. Called once, at start.
  void recall();

  [[nodiscard]] std::vector<PodMemoryPtr> all() const;
  // Whether the store may have anything of that uid.
  [[nodiscard]] bool knows(const std::string& uid) const {
    return memories_.contains(uid) || storing_.contains(uid);
  }
  // Null for an incarnation that has ended: only its successor needs its memory.
  [[nodiscard]] PodMemoryPtr memory_of(const std::string& uid) const;
  // Whether the pod is remembered with its current manifest, not with another text of it.
  [[nodiscard]] bool remembers(const api::Pod& pod) const;
  // Whether the pod was collected, with its current manifest.
  [[nodiscard]] bool is_collected(const api::Pod& pod) const;
  // Uids of pods that are neither desired nor over: what is left of them has to be ended.
  [[nodiscard]] std::set<std::string> undesired(const DesiredPods& desired) const;
  // Whether the last pod of that name was preempted.
  [[nodiscard]] bool was_preempted(const api::Pod& pod) const;
  // The pod with the priority that it was admitted with: later changes of classes do not touch it.
  [[nodiscard]] PodPtr with_admitted_priority(PodPtr desired) const;
  // Ended predecessors of that name, whose verdicts are dropped when this pod is stored; until
  // then, which may be never, they are kept.
  [[nodiscard]] std::vector<std::string> ended_before(const api::Pod& pod) const;
  // Whether a verdict on that uid is being committed.
  [[nodiscard]] bool is_being_stored(const std::string& uid) const {
    return storing_.contains(uid);
  }

  // A memory with that verdict, for a pod without a worker. Changes nothing here.
  [[nodiscard]] PodMemoryPtr verdict_on(const PodPtr& pod, Verdict verdict,
                                        api::PodStatus status = {}) const;
  // The pod has ended and is no longer desired: the store may forget it.
  void forget(const PodPtr& pod);
  // The pod has ended and a successor follows; the store must keep the verdict until the successor
  // is stored.
  void remember_ended(const PodRecord& record);
  // The pod has finished and was collected; remembered while its manifest exists, together with the
  // eviction if one ended it.
  void remember_collected(const PodRecord& record);
  // Admission refused `pod`, which is to be shown as `shown`. Completes once that is stored: true
  // if the verdict still stands then. It is stored first because what is Failed stays Failed.
  [[nodiscard]] boost::asio::awaitable<bool> store_rejection(PodPtr pod, PodPtr shown);

  // Forgets whatever is known here of the uid.
  void drop(const std::string& uid) { memories_.erase(uid); }
  // The same, but only the verdict that the pod has ended.
  void drop_ended(const std::string& uid);
  // Forgets ended and collected incarnations that are no longer desired.
  void forget_undesired(const DesiredPods& desired);

 private:
  void pronounce(PodMemoryPtr verdict, StoreBatch batch);
  [[nodiscard]] boost::asio::awaitable<void> store(PodMemoryPtr verdict, StoreBatch batch);
  [[nodiscard]] boost::asio::awaitable<bool> commit(std::string uid, StoreBatch batch,
                                                    std::function<bool()> stands);
  void stored(const PodMemory& verdict, const StoreBatch& batch);
  void settle(const std::string& uid);
  [[nodiscard]] bool stands(const PodMemoryPtr& verdict) const;

  const VerdictServices services_;
  TaskGroup& tasks_;
  const PodRecords& records_;
  const std::function<void()> on_settled_;
  std::map<std::string, PodMemoryPtr> memories_{};  // by uid, until its pod is removed
  std::map<std::string, int> storing_{};            // by uid: the number of commits under way
};

}  // namespace berth::lifecycle
