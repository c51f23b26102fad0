// SPDX-License-Identifier: Apache-2.0

// What is known of pods beyond their workers' lives: what the store had at start, and the verdicts
// that no worker pronounces (refused by admission, ended, collected).
//
// A verdict is known here as soon as it is pronounced, and goes to the store in a task of its own.
// While the disk does not take it, it is tried again, as long as it still stands: until another pod
// that has its uid is stored itself. What was stored of an ended pod is kept until its successor
// is.
//
// The task group owns the coroutines and is joined before this is destroyed; services and records
// outlive this. Loop thread only.
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
#include "lifecycle/pods/pod_records.hpp"

namespace berth::lifecycle {

struct VerdictServices {
  PodStore& store;
  Clock& clock;
  Log& log;
  std::string boot_id{};  // tells one boot of the machine from another
};

// Something of a collected pod turned up again: it is removed as before.
[[nodiscard]] PodMemoryPtr to_be_collected(const PodMemory& collected);

class PodVerdicts {
 public:
  // `on_settled`: a verdict is stored, or does not stand any more.
  PodVerdicts(VerdictServices services, TaskGroup& tasks, const PodRecords& records,
              std::function<void()> on_settled);
  PodVerdicts(const PodVerdicts&) = delete;
  PodVerdicts& operator=(const PodVerdicts&) = delete;
  ~PodVerdicts() = default;

  // Takes up what the store has. Once, at start.
  void recall();

  [[nodiscard]] std::vector<PodMemoryPtr> all() const;
  // Null for an incarnation that has ended: only its successor needs to know of it.
  [[nodiscard]] PodMemoryPtr memory_of(const std::string& uid) const;
  // Whether the pod is remembered as it is, and not from another text of its manifest.
  [[nodiscard]] bool remembers(const api::Pod& pod) const;
  // Of pods that are neither wished nor over: what is left of them has to be ended.
  [[nodiscard]] std::set<std::string> unwished(const std::map<std::string, PodPtr>& wished) const;
  // Whether the last pod of that name had to make room for another.
  [[nodiscard]] bool was_preempted(const api::Pod& pod) const;
  // The pod with the priority that it was admitted with: later changes of classes do not touch it.
  [[nodiscard]] PodPtr with_admitted_priority(PodPtr wished) const;
  // Ended predecessors of that name, whose verdicts go when this pod is stored. As that may never
  // come about, they are known until then.
  [[nodiscard]] std::vector<std::string> ended_before(const api::Pod& pod) const;
  // Whether a verdict on that uid is on its way to the store.
  [[nodiscard]] bool is_being_stored(const std::string& uid) const {
    return storing_.contains(uid);
  }

  // All that there is to know of a pod that nobody runs. Changes nothing here.
  [[nodiscard]] PodMemoryPtr verdict_on(const PodPtr& pod, Verdict verdict,
                                        api::PodStatus status = {}) const;
  // The pod has ended and nobody wishes it any more: the store may forget it.
  void forget(const PodPtr& pod);
  // The pod has ended and a successor follows; until that is stored, the store must know.
  void remember_ended(const PodRecord& record);
  // The pod has finished and was collected; known while its manifest stands, with the eviction if
  // it ended by one.
  void remember_collected(const PodRecord& record);
  // Admission refused `pod`, which is to be shown as `shown`. Completes once that is stored: true
  // if it still stands then, because what is Failed stays Failed.
  [[nodiscard]] boost::asio::awaitable<bool> store_rejection(PodPtr pod, PodPtr shown);

  // Forgets here whatever was known of the uid.
  void drop(const std::string& uid) { known_.erase(uid); }
  // The same, if it is that the pod has ended.
  void drop_ended(const std::string& uid);
  // The wish that an ended or collected incarnation stood for is gone: so is the need to know.
  void forget_unwished(const std::map<std::string, PodPtr>& wished);

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
  std::map<std::string, PodMemoryPtr> known_{};  // by uid, until its pod is gone
  std::map<std::string, int> storing_{};         // by uid: how many are on their way to the store
};

}  // namespace berth::lifecycle
