// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/ending/api_orders.hpp"

#include <cstdint>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/deletion_period.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/pods/ending/disruption.hpp"
#include "lifecycle/pods/ending/end_orders.hpp"
#include "lifecycle/pods/pod_occupancy.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"
#include "lifecycle/status/foreign_conditions.hpp"
#include "lifecycle/worker/pod_worker.hpp"

namespace berth::lifecycle {

ApiOrders::ApiOrders(PodSetParts& parts, const PodOccupancy& occupancy, EndOrders& orders)
    : services_(parts.services),
      records_(parts.records),
      reconcile_(parts.reconcile),
      occupancy_(occupancy),
      orders_(orders) {}

Result<PodPtr> ApiOrders::delete_pod(const std::string& namespace_, const std::string& name,
                                     std::optional<std::chrono::seconds> grace,
                                     const Disruption& disruption) {
  PodRecord* record = records_.find_named(namespace_, name);
  if (record == nullptr) return fail(not_found(namespace_, name));
  return delete_incarnation(*record, grace, disruption);
}

PodPtr ApiOrders::delete_incarnation(PodRecord& record, std::optional<std::chrono::seconds> grace,
                                     const Disruption& disruption) {
  PodPtr pod = shown_or_desired(record);
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
                                                .placed = occupancy_.is_placed(record),
                                                .phase = record.shown ? pod->status.phase : "",
                                                .in_force = in_force}};
  const DeletionPeriod period = deletion_period(question.situation);
  const WallTime now = services_.clock->wall_now();
  PodLedger(services_.ledger).decided(question, period, now);
  if (!period.takes_effect) return pod;
  if (disruption.target) disrupt(record, disruption);
  const bool forced = period.seconds == 0;
  if (grace) grace = std::chrono::seconds(period.seconds);
  orders_.order(uid, forced ? deleted_by_force(now) : deleted(grace, now));
  if (forced) reconcile_.now();
  return pod;
}

void ApiOrders::disrupt(PodRecord& record, const Disruption& disruption) {
  const api::PodCondition& target = *disruption.target;
  PodLedger(services_.ledger)
      .happened(*record.pod, services_.clock->wall_now(), {},
                Remark{target.reason, disruption.why});
  if (!record.worker) return;
  PodOrders orders;
  orders.conditions[target.type] = target;
  record.worker->post(std::move(orders));
}

Result<PodPtr> ApiOrders::set_condition(const std::string& namespace_, const std::string& name,
                                        const api::PodCondition& condition) {
  const auto may = may_set_condition(condition);
  if (!may) return fail(may.error());
  const PodRecord* record = records_.find_named(namespace_, name);
  if (record == nullptr) return fail(not_found(namespace_, name));
  PodPtr pod = shown_or_desired(*record);
  if (!record->worker)
    return fail(ErrorCode::kInvalid,
                fmt::format("pods \"{}\" is not run, so it has no conditions to be set", name));
  PodOrders orders;
  orders.conditions[condition.type] = condition;
  record->worker->post(std::move(orders));
  return pod;
}

Error ApiOrders::not_found(const std::string& namespace_, const std::string& name) const {
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
  return {ErrorCode::kNotFound, text + "`berthctl get pods -A` lists all pods"};
}

}  // namespace berth::lifecycle
