// What the pod set and the store tell each other: what an earlier berthd knew, verdicts that no
// worker speaks (refused by admission, ended), and what may be forgotten.

#include "lifecycle/pods/pod_set.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "lifecycle/admission/unschedulable.hpp"
#include "lifecycle/pod_identity.hpp"
#include "lifecycle/retry_table.hpp"

namespace berth::lifecycle {
void PodSet::recall() {
  for (PodMemoryPtr& memory : services_.store->recall()) {
    std::string uid = memory->uid;
    recalled_.insert_or_assign(std::move(uid), std::move(memory));
  }
}

std::vector<PodMemoryPtr> PodSet::recalled() const {
  std::vector<PodMemoryPtr> memories;
  memories.reserve(recalled_.size());
  for (const auto& [uid, memory] : recalled_) memories.push_back(memory);
  return memories;
}

// Null for an incarnation that has ended: only its successor needs to know of it.
PodMemoryPtr PodSet::memory_of(const std::string& uid) const {
  const auto found = recalled_.find(uid);
  if (found == recalled_.end() || found->second->verdict == Verdict::kEnded) return nullptr;
  return found->second;
}

// What has containers, or is remembered, was admitted once and is not asked again.
bool PodSet::was_let_in(const Record& record) const {
  const std::string& uid = record.pod->metadata.uid;
  const PodMemoryPtr memory = memory_of(uid);
  return found_.contains(uid) || (memory && !is_edited(*memory->pod, *record.pod));
}

// A pod's priority is settled when it is admitted: later changes of classes do not touch it.
PodPtr PodSet::with_admitted_priority(PodPtr wished) const {
  const PodMemoryPtr memory = memory_of(wished->metadata.uid);
  if (!memory || is_edited(*memory->pod, *wished)) return wished;
  const api::PodSpec& admitted = memory->pod->spec;
  if (admitted.priority == wished->spec.priority &&
      admitted.preemptionPolicy == wished->spec.preemptionPolicy &&
      admitted.priorityClassName == wished->spec.priorityClassName)
    return wished;
  auto pod = std::make_shared<api::Pod>(*wished);
  pod->spec.priority = admitted.priority;
  pod->spec.preemptionPolicy = admitted.preemptionPolicy;
  pod->spec.priorityClassName = admitted.priorityClassName;
  return pod;
}

// Their verdicts go when this one is stored. As that may never come about, they are known until
// then.
std::vector<std::string> PodSet::ended_before(const api::Pod& pod) const {
  std::vector<std::string> uids;
  for (const auto& [uid, memory] : recalled_)
    if (memory->verdict == Verdict::kEnded && uid != pod.metadata.uid &&
        same_name(*memory->pod, pod))
      uids.push_back(uid);
  return uids;
}

// The wish that an ended incarnation stood for is gone: so is the need to know of it.
void PodSet::forget_unwished_verdicts() {
  std::set<std::pair<std::string_view, std::string_view>> wished;
  for (const auto& [uid, pod] : desired_)
    wished.emplace(pod->metadata.namespace_, pod->metadata.name);
  std::vector<PodMemoryPtr> gone;
  for (const auto& [uid, memory] : recalled_) {
    if (storing_.contains(uid) || records_.lives(uid)) continue;
    // A collected one is known as long as it is wished itself.
    if (memory->verdict == Verdict::kCollected && !desired_.contains(uid) &&
        !records_.contains(uid))
      gone.push_back(memory);
    if (memory->verdict != Verdict::kEnded) continue;
    const auto& meta = memory->pod->metadata;
    if (!wished.contains({meta.namespace_, meta.name})) gone.push_back(memory);
  }
  for (const PodMemoryPtr& memory : gone) forget(memory->uid, memory->pod);
}

void PodSet::forget_verdict(const std::string& uid) {
  const auto found = recalled_.find(uid);
  if (found != recalled_.end() && found->second->verdict == Verdict::kEnded) recalled_.erase(found);
}

// All that there is to know of a pod that nobody runs.
PodMemoryPtr PodSet::verdict_on(const PodPtr& pod, Verdict verdict, api::PodStatus status) const {
  auto memory = std::make_shared<PodMemory>();
  memory->uid = pod->metadata.uid;
  memory->incarnation = incarnation_of(*pod);
  memory->pod = pod;
  memory->verdict = verdict;
  memory->status = std::move(status);
  memory->boot_id = services_.boot_id;
  return memory;
}

// Until the store has done so it is known to have ended: should the disk be full, the next pod of
// that name takes its row along.
void PodSet::forget(const std::string& uid, const PodPtr& pod) {
  const PodMemoryPtr memory = verdict_on(pod, Verdict::kEnded);
  recalled_.insert_or_assign(uid, memory);
  StoreBatch batch;
  batch.forget.push_back(uid);
  begin_verdict(memory, std::move(batch));
}

// A successor follows; until it is stored, the store must know that this one is over.
void PodSet::remember_ended(const Record& record) {
  api::PodStatus left;
  if (record.shown) left.conditions = preemption_of(record.shown->status);
  const PodMemoryPtr memory = verdict_on(record.pod, Verdict::kEnded, std::move(left));
  recalled_.insert_or_assign(memory->uid, memory);
  StoreBatch batch;
  batch.keep.push_back(memory);
  batch.forget = ended_before(*record.pod);
  begin_verdict(memory, std::move(batch));
}

// Whether a verdict that the store did not take is still the last that was said of its pod.
bool PodSet::stands(const PodMemoryPtr& said) const {
  const auto found = recalled_.find(said->uid);
  return !records_.lives(said->uid) && found != recalled_.end() && found->second == said;
}

// The first try is made at once, in the order of things; a later one only if it still stands.
boost::asio::awaitable<void> PodSet::try_verdict(PodMemoryPtr said, StoreBatch batch) {
  const std::string& uid = said->uid;
  Clock& clock = *services_.clock;
  RetryTable retries;
  for (;;) {
    auto stored = co_await services_.store->commit(batch);
    if (stored) {
      for (const std::string& forgotten : batch.forget) forget_verdict(forgotten);
      // The row of whoever follows took it along while this was on its way.
      if (!batch.keep.empty() && !records_.lives(uid) && !recalled_.contains(uid) &&
          !tasks_.stopping())
        forget(uid, said->pod);
      co_return;
    }
    if (!stands(said)) co_return;
    services_.log->warn("Store", stored.error().message, {{"POD_UID", uid}});
    retries.failed(uid, clock.steady_now());
    const auto next = retries.next(clock.steady_now());
    co_await clock.sleep_until(*next);
    if (!stands(said)) co_return;
  }
}

void PodSet::begin_verdict(PodMemoryPtr said, StoreBatch batch) {
  ++storing_[said->uid];
  const std::string task = "verdict on " + said->uid;
  tasks_.spawn(task, store_verdict(std::move(said), std::move(batch)));
}

boost::asio::awaitable<void> PodSet::store_verdict(PodMemoryPtr said, StoreBatch batch) {
  co_await try_verdict(said, std::move(batch));
  if (--storing_[said->uid] == 0) storing_.erase(said->uid);
  stored(said->uid, {});
  reconcile_.soon();  // it is forgotten there
}

// Refused for good: shown once the store knows, because what is Failed stays Failed.
boost::asio::awaitable<void> PodSet::store_rejection(PodPtr pod, PodPtr shown) {
  const std::string uid = pod->metadata.uid;
  Clock& clock = *services_.clock;
  StoreBatch batch;
  batch.keep.push_back(verdict_on(shown, Verdict::kRejected, shown->status));
  batch.forget = ended_before(*shown);
  RetryTable retries;
  for (;;) {
    auto stored = co_await services_.store->commit(batch);
    if (!records_.stays_rejected(pod)) co_return;
    if (stored) {
      for (const std::string& forgotten : batch.forget) forget_verdict(forgotten);
      break;
    }
    services_.log->warn("Store", stored.error().message, {{"POD_UID", uid}});
    retries.failed(uid, clock.steady_now());
    const auto next = retries.next(clock.steady_now());
    co_await clock.sleep_until(*next);
    if (!records_.stays_rejected(pod)) co_return;
  }
  publish(uid, shown);
  co_await clean_rejected(shown);
}

}  // namespace berth::lifecycle
