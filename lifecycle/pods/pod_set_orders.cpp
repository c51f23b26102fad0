// SPDX-License-Identifier: Apache-2.0

// PodSet: orders of an operator, and those that a cluster's controller manager would give.

#include "lifecycle/pods/pod_set.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/deletion_period.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/pod_gc.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/status/foreign_conditions.hpp"
#include "lifecycle/worker/pod_worker.hpp"

namespace berth::lifecycle {

using namespace std::chrono_literals;

namespace {

// How long whoever gave an order waits for the store.
constexpr Nanoseconds kOrderWaitsForStore = 1s;

}  // namespace

Result<PodPtr> PodSet::delete_pod(const std::string& namespace_, const std::string& name,
                                  std::optional<std::chrono::seconds> grace,
                                  const Disruption& disruption) {
  Record* record = records_.find_named(namespace_, name);
  if (record == nullptr) return fail(not_found(namespace_, name));
  return delete_incarnation(*record, grace, disruption);
}

PodPtr PodSet::delete_incarnation(Record& record, std::optional<std::chrono::seconds> grace,
                                  const Disruption& disruption) {
  PodPtr pod = shown_or_wished(record);
  const std::string uid = pod->metadata.uid;
  std::optional<std::int64_t> requested;
  if (grace) requested = grace->count();
  const std::optional<EndInForce> end = end_of(record);
  // A pod without a worker is not shown as being deleted: it is as finished as before.
  std::optional<std::int64_t> in_force;
  if (removes(end) && record.worker) in_force = end->grace_seconds;
  const DeletionQuestion question{.pod = *pod,
                                  .situation = {.requested = requested,
                                                .own = pod->spec.terminationGracePeriodSeconds,
                                                .placed = is_placed(record),
                                                .phase = record.shown ? pod->status.phase : "",
                                                .in_force = in_force}};
  const DeletionPeriod period = deletion_period(question.situation);
  const WallTime now = services_.clock->wall_now();
  PodLedger(services_.ledger).decided(question, period, now);
  if (!period.takes_effect) return pod;
  if (disruption.target) disrupt(record, disruption);
  const bool forced = period.seconds == 0;
  if (grace) grace = std::chrono::seconds(period.seconds);
  order(uid, forced ? deleted_by_force(now) : deleted(grace, now));
  if (forced) reconcile_.now();
  return pod;
}

void PodSet::disrupt(Record& record, const Disruption& disruption) {
  const api::PodCondition& target = *disruption.target;
  PodLedger(services_.ledger)
      .happened(*record.pod, services_.clock->wall_now(), {},
                Remark{target.reason, disruption.why});
  if (!record.worker) return;
  PodOrders orders;
  orders.conditions[target.type] = target;
  record.worker->post(std::move(orders));
}

bool PodSet::order(const std::string& uid, const Ending& ending) {
  Record* const found_record = records_.find(uid);
  if (found_record == nullptr) return false;
  Record& record = *found_record;
  if (hides(ending)) hide(record);
  if (by_force(ending)) make_successor(record);
  // This berthd has not begun a pod that waits for its name; an earlier one may have.
  if (!record.worker) {
    if (auto found = claim_found(uid)) record.leftovers = *std::move(found);
  }
  if (!record.worker && is_placed(record))
    launch(record, std::move(record.leftovers), verdicts_.memory_of(uid));
  if (!record.worker) return end_without_worker(record, ending);
  const WorkerState state = record.worker->state();
  const bool over = state != WorkerState::kSyncing && state != WorkerState::kEnding;
  if (over && !removes(ending)) return false;
  PodOrders orders;
  orders.end = record.ending ? merge(with_period(*record.ending), ending) : ending;
  record.ending.reset();
  record.worker->post(std::move(orders));
  return true;
}

// Nothing of the pod runs, so there is nothing to keep.
bool PodSet::end_without_worker(Record& record, const Ending& ending) {
  if (!removes(ending)) return false;
  const bool first = !record.ending;
  // Both sides are views: of a string and "" it would be one of a temporary.
  const std::string_view phase = record.shown ? std::string_view(record.shown->status.phase) : "";
  record.ending = in_force(*record.pod, record.ending, as_given(ending, record.ending, phase));
  const std::string& uid = record.pod->metadata.uid;
  services_.admission->withdraw(uid, services_.clock->steady_now());
  // Not at once: the set must not change during the caller's turn.
  if (first) tasks_.spawn("end of " + uid, finish_without_worker(uid));
  return true;
}

std::vector<PodPtr> PodSet::placed() const {
  std::vector<PodPtr> placed = active();
  for (const auto& [uid, record] : records_)
    if (!record->worker && !record->unknown && !record->hidden && is_placed(*record))
      placed.push_back(shown_or_wished(*record));
  std::ranges::sort(placed, {}, [](const PodPtr& pod) { return pod->metadata.uid; });
  return placed;
}

// Whether the pod occupies room on the node: with a worker, or with containers that no worker has
// taken over, of a pod that waits for its name or is held.
bool PodSet::is_placed(const Record& record) const {
  const ListedPod& left = record.leftovers;
  return record.worker || !left.sandboxes.empty() || !left.containers.empty() ||
         found_.contains(record.pod->metadata.uid);
}

Error PodSet::not_found(const std::string& namespace_, const std::string& name) const {
  std::string text = fmt::format("pods \"{}\" not found in namespace \"{}\"; ", name, namespace_);
  for (const auto& [uid, record] : records_) {
    const auto& meta = record->pod->metadata;
    if (record->state != RecordState::kCollected || meta.name != name ||
        meta.namespace_ != namespace_)
      continue;
    return {ErrorCode::kNotFound, text +
                                      "it finished and was collected: edit its manifest to run "
                                      "it again"};
  }
  return {ErrorCode::kNotFound, text + "`berthctl get pods -A` lists what there is"};
}

// Removes the pod from every listing; it is ended all the same. A pod without a worker ends as with
// the pod garbage collector: Failed first.
void PodSet::hide(Record& record) {
  if (record.hidden) return;
  if (!is_placed(record) && record.shown && !is_terminal_phase(record.shown->status.phase)) {
    auto failed = std::make_shared<api::Pod>(*record.shown);
    failed->status.phase = kFailed;
    record.shown = failed;
    services_.sink->published(failed);
    views_.publish(ChangeType::kModified, failed);
  }
  record.hidden = true;
  if (record.shown) views_.publish(ChangeType::kDeleted, record.shown);
}

// In a turn of its own: the set must not change while a pod is being published.
void PodSet::look_for_finished() {
  const std::int64_t kept = options_.terminated_pods_kept;
  if (kept <= 0 || records_.size() <= static_cast<std::size_t>(kept)) return;
  collection_.request();
}

// Collects the first of the finished pods beyond the threshold; their verdicts stay.
void PodSet::collect_finished() {
  std::vector<const api::Pod*> shown;
  for (const auto& [uid, record] : records_)
    if (record->shown && !record->hidden && !is_being_removed(*record))
      shown.push_back(record->shown.get());
  const WallTime now = services_.clock->wall_now();
  std::vector<std::string> uids;
  for (const CollectionQuestion& question : pods_to_collect(shown, options_.terminated_pods_kept)) {
    PodLedger(services_.ledger).decided(question, decide_collection(question), now);
    uids.push_back(question.pod->metadata.uid);
  }
  for (const std::string& uid : uids) order(uid, collected(now));
}

bool PodSet::is_collected(const std::string& uid) const {
  const Record* record = records_.find(uid);
  if (record == nullptr) return false;
  const std::optional<EndInForce> end = end_of(*record);
  if (end) return end->ending.cause == EndCause::kCollected;
  // While another pod has its name, only the store has what became of it.
  if (record->state == RecordState::kWaiting) return verdicts_.is_collected(*record->pod);
  return record->state == RecordState::kCollected;
}

bool PodSet::is_to_be_removed(const std::string& uid) const {
  const Record* record = records_.find(uid);
  if (record == nullptr) return false;
  const std::optional<EndInForce> end = end_of(*record);
  return end && removes(end->ending) && end->ending.cause != EndCause::kCollected;
}

// Keeps only the fact that the pod is over, for as long as its manifest exists.
void PodSet::keep_collected(const Record& record) {
  auto kept = std::make_unique<Record>();
  kept->pod = record.pod;
  kept->sequence = record.sequence;
  kept->state = RecordState::kCollected;
  kept->hidden = true;
  verdicts_.remember_collected(record);
  records_.add(std::move(kept));
}

Result<PodPtr> PodSet::set_condition(const std::string& namespace_, const std::string& name,
                                     const api::PodCondition& condition) {
  const auto may = may_set_condition(condition);
  if (!may) return fail(may.error());
  const Record* record = records_.find_named(namespace_, name);
  if (record == nullptr) return fail(not_found(namespace_, name));
  PodPtr pod = shown_or_wished(*record);
  if (!record->worker)
    return fail(ErrorCode::kInvalid,
                fmt::format("pods \"{}\" is not run, so it has no conditions to be set", name));
  PodOrders orders;
  orders.conditions[condition.type] = condition;
  record->worker->post(std::move(orders));
  return pod;
}

bool PodSet::knows_orders(const std::string& uid) const {
  if (verdicts_.is_being_stored(uid)) return false;
  const Record* record = records_.find(uid);
  if (record == nullptr) return true;
  if (record->worker) return record->worker->orders_kept();
  // A pod without a worker is gone a moment later.
  return !record->ending;
}

std::vector<std::string> PodSet::ended_before(const api::Pod& pod) const {
  // A pod that only the runtime knows succeeds nobody: a newer one may have ended since.
  const Record* record = records_.find(pod.metadata.uid);
  if (record != nullptr && record->unknown) return {};
  return verdicts_.ended_before(pod);
}

void PodSet::stored(const std::string& /*uid*/, const std::vector<std::string>& ended_before) {
  for (const std::string& gone : ended_before) verdicts_.drop_ended(gone);
  settled_bell_.ring();
}

boost::asio::awaitable<bool> PodSet::orders_stored(std::string uid) {
  const SteadyTime until = services_.clock->steady_now() + kOrderWaitsForStore;
  bool known = knows_orders(uid);
  while (!known && !tasks_.stopping()) {
    const bool rang = co_await settled_bell_.wait_until(*services_.clock, until);
    known = knows_orders(uid);
    if (!rang) break;
  }
  co_return known;
}

void PodSet::released(const std::string& /*uid*/) {
  settled_bell_.ring();
}

// A pod without a worker never had anything, or is gone a moment later.
bool PodSet::is_released(const std::string& uid) const {
  const Record* record = records_.find(uid);
  return record == nullptr || !record->worker || record->worker->is_released();
}

boost::asio::awaitable<void> PodSet::until_released(std::vector<std::string> uids,
                                                    SteadyTime deadline) {
  const auto is_left = [this](const std::string& uid) { return !is_released(uid); };
  while (std::ranges::any_of(uids, is_left) && !tasks_.stopping() &&
         services_.clock->steady_now() < deadline)
    co_await settled_bell_.wait_until(*services_.clock, deadline);
}

}  // namespace berth::lifecycle
