// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_verdicts.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "lifecycle/admission/unschedulable.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/pods/ending/past_eviction.hpp"
#include "lifecycle/worker/pod_identity.hpp"
#include "lifecycle/worker/retry_table.hpp"

namespace berth::lifecycle {
namespace {

// Whether nothing is left of the pod except its verdict.
bool is_over(Verdict verdict) {
  return verdict == Verdict::kEnded || verdict == Verdict::kCollected;
}

}  // namespace

PodMemoryPtr to_be_collected(const PodMemory& collected, WallTime now) {
  auto memory = std::make_shared<PodMemory>(collected);
  memory->verdict = Verdict::kCompleted;
  Ending order = lifecycle::collected(now);
  order.grace = std::chrono::seconds(kShortestPodGraceSeconds);
  memory->end = in_force(*collected.pod, collected.end, order).end;
  return memory;
}

PodVerdicts::PodVerdicts(VerdictServices services, TaskGroup& tasks, const PodRecords& records,
                         std::function<void()> on_settled)
    : services_(services), tasks_(tasks), records_(records), on_settled_(std::move(on_settled)) {}

void PodVerdicts::recall() {
  for (PodMemoryPtr& memory : services_.store.recall()) {
    std::string uid = memory->uid;
    memories_.insert_or_assign(std::move(uid), std::move(memory));
  }
}

std::vector<PodMemoryPtr> PodVerdicts::all() const {
  std::vector<PodMemoryPtr> memories;
  memories.reserve(memories_.size());
  for (const auto& [uid, memory] : memories_) memories.push_back(memory);
  return memories;
}

PodMemoryPtr PodVerdicts::memory_of(const std::string& uid) const {
  const auto found = memories_.find(uid);
  if (found == memories_.end() || found->second->verdict == Verdict::kEnded) return nullptr;
  return found->second;
}

bool PodVerdicts::remembers(const api::Pod& pod) const {
  const PodMemoryPtr memory = memory_of(pod.metadata.uid);
  return memory && !is_edited(*memory->pod, pod);
}

bool PodVerdicts::is_collected(const api::Pod& pod) const {
  const PodMemoryPtr memory = memory_of(pod.metadata.uid);
  return memory && memory->verdict == Verdict::kCollected && !is_edited(*memory->pod, pod);
}

std::set<std::string> PodVerdicts::undesired(const DesiredPods& desired) const {
  std::set<std::string> uids;
  for (const auto& [uid, memory] : memories_)
    if (!desired.contains(uid) && !is_over(memory->verdict)) uids.insert(uid);
  return uids;
}

bool PodVerdicts::was_preempted(const api::Pod& pod) const {
  return std::ranges::any_of(memories_, [&pod](const auto& entry) {
    const PodMemory& memory = *entry.second;
    return memory.verdict == Verdict::kEnded && same_name(*memory.pod, pod) &&
           !preemption_of(memory.status).empty();
  });
}

PodPtr PodVerdicts::with_admitted_priority(PodPtr desired) const {
  const PodMemoryPtr memory = memory_of(desired->metadata.uid);
  if (!memory || is_edited(*memory->pod, *desired)) return desired;
  const api::PodSpec& admitted = memory->pod->spec;
  if (admitted.priority == desired->spec.priority &&
      admitted.preemptionPolicy == desired->spec.preemptionPolicy &&
      admitted.priorityClassName == desired->spec.priorityClassName)
    return desired;
  auto pod = std::make_shared<api::Pod>(*desired);
  pod->spec.priority = admitted.priority;
  pod->spec.preemptionPolicy = admitted.preemptionPolicy;
  pod->spec.priorityClassName = admitted.priorityClassName;
  return pod;
}

std::vector<std::string> PodVerdicts::ended_before(const api::Pod& pod) const {
  std::vector<std::string> uids;
  for (const auto& [uid, memory] : memories_)
    if (memory->verdict == Verdict::kEnded && uid != pod.metadata.uid &&
        same_name(*memory->pod, pod))
      uids.push_back(uid);
  return uids;
}

PodMemoryPtr PodVerdicts::verdict_on(const PodPtr& pod, Verdict verdict,
                                     api::PodStatus status) const {
  auto memory = std::make_shared<PodMemory>();
  memory->uid = pod->metadata.uid;
  memory->incarnation = incarnation_of(*pod);
  memory->pod = pod;
  memory->verdict = verdict;
  memory->status = std::move(status);
  return memory;
}

// Until the store has forgotten it, the pod is known to have ended: if the disk is full, the commit
// of the next pod of that name removes the row.
void PodVerdicts::forget(const PodPtr& pod) {
  StoreBatch batch;
  batch.forget.push_back(pod->metadata.uid);
  pronounce(verdict_on(pod, Verdict::kEnded), std::move(batch));
}

void PodVerdicts::remember_ended(const PodRecord& record) {
  api::PodStatus left;
  if (record.shown) left.conditions = preemption_of(record.shown->status);
  const PodMemoryPtr verdict = verdict_on(record.pod, Verdict::kEnded, std::move(left));
  StoreBatch batch;
  batch.keep.push_back(verdict);
  if (!record.unknown) batch.forget = ended_before(*record.pod);
  pronounce(verdict, std::move(batch));
}

void PodVerdicts::remember_collected(const PodRecord& record) {
  auto verdict = std::make_shared<PodMemory>(*verdict_on(
      record.pod, Verdict::kCollected, record.shown ? record.shown->status : api::PodStatus{}));
  const std::optional<EndInForce> end = end_of(record);
  // A status with phase Succeeded does not reveal that its pod was evicted.
  if (const auto eviction = end ? eviction_in(end->ending) : std::nullopt)
    verdict->end = EndInForce{.ending = *eviction, .grace_seconds = end->grace_seconds};
  StoreBatch batch;
  batch.keep.push_back(verdict);
  pronounce(verdict, std::move(batch));
}

boost::asio::awaitable<bool> PodVerdicts::store_rejection(PodPtr pod, PodPtr shown) {
  StoreBatch batch;
  batch.keep.push_back(verdict_on(shown, Verdict::kRejected, shown->status));
  batch.forget = ended_before(*shown);
  std::function<bool()> still_rejected = [this, pod] { return records_.stays_rejected(pod); };
  ++storing_[pod->metadata.uid];
  const bool is_stored = co_await commit(pod->metadata.uid, batch, still_rejected);
  settle(pod->metadata.uid);
  if (!is_stored || !still_rejected()) co_return false;
  for (const std::string& forgotten : batch.forget) drop_ended(forgotten);
  drop_ended(pod->metadata.uid);  // of an earlier pod with that uid
  co_return true;
}

void PodVerdicts::settle(const std::string& uid) {
  if (--storing_[uid] == 0) storing_.erase(uid);
  on_settled_();
}

void PodVerdicts::drop_ended(const std::string& uid) {
  const auto found = memories_.find(uid);
  if (found != memories_.end() && found->second->verdict == Verdict::kEnded) memories_.erase(found);
}

void PodVerdicts::forget_undesired(const DesiredPods& desired) {
  std::set<std::pair<std::string_view, std::string_view>> names;
  for (const auto& [uid, pod] : desired)
    names.emplace(pod->metadata.namespace_, pod->metadata.name);
  std::vector<PodMemoryPtr> gone;
  for (const auto& [uid, memory] : memories_) {
    if (storing_.contains(uid) || records_.lives(uid)) continue;
    // A collected pod is remembered as long as it is itself desired.
    if (memory->verdict == Verdict::kCollected && !desired.contains(uid) && !records_.contains(uid))
      gone.push_back(memory);
    if (memory->verdict != Verdict::kEnded) continue;
    const auto& meta = memory->pod->metadata;
    if (!names.contains({meta.namespace_, meta.name})) gone.push_back(memory);
  }
  for (const PodMemoryPtr& memory : gone) forget(memory->pod);
}

void PodVerdicts::pronounce(PodMemoryPtr verdict, StoreBatch batch) {
  memories_.insert_or_assign(verdict->uid, verdict);
  ++storing_[verdict->uid];
  const std::string task = "verdict on " + verdict->uid;
  tasks_.spawn(task, store(std::move(verdict), std::move(batch)));
}

boost::asio::awaitable<void> PodVerdicts::store(PodMemoryPtr verdict, StoreBatch batch) {
  std::function<bool()> still_stands = [this, verdict] { return stands(verdict); };
  const bool is_stored = co_await commit(verdict->uid, batch, std::move(still_stands));
  if (is_stored) stored(*verdict, batch);
  settle(verdict->uid);
}

// The first attempt is made at once, to keep the order of commits; later ones only if the verdict
// stands.
boost::asio::awaitable<bool> PodVerdicts::commit(std::string uid, StoreBatch batch,
                                                 std::function<bool()> stands) {
  Clock& clock = services_.clock;
  RetryTable retries;
  for (;;) {
    auto committed = co_await services_.store.commit(batch);
    if (committed) co_return true;
    if (!stands()) co_return false;
    services_.log.warn("Store", committed.error().message, {{"POD_UID", uid}});
    retries.failed(uid, clock.steady_now());
    const auto next = retries.next(clock.steady_now());
    co_await clock.sleep_until(*next);
    if (!stands()) co_return false;
  }
}

void PodVerdicts::stored(const PodMemory& verdict, const StoreBatch& batch) {
  for (const std::string& forgotten : batch.forget) drop_ended(forgotten);
  // The commit of the successor removed the row while this commit was under way.
  if (!batch.keep.empty() && !records_.lives(verdict.uid) && !memories_.contains(verdict.uid) &&
      !tasks_.stopping())
    forget(verdict.pod);
}

// Whether a verdict that the store did not commit is still the last one on its pod. A new pod with
// the same uid that waits for admission does not replace it yet: the store must have the verdict on
// its predecessor.
bool PodVerdicts::stands(const PodMemoryPtr& verdict) const {
  const auto found = memories_.find(verdict->uid);
  return !records_.speaks_for_itself(verdict->uid) && found != memories_.end() &&
         found->second == verdict;
}

}  // namespace berth::lifecycle
