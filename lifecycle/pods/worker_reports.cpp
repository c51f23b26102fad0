// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/worker_reports.hpp"

#include <utility>

#include "lifecycle/pods/pod_publisher.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"
#include "lifecycle/worker/pod_worker.hpp"

namespace berth::lifecycle {

WorkerReports::WorkerReports(PodSetParts& parts, PodPublisher& publisher)
    : admission_(*parts.services.admission),
      records_(parts.records),
      verdicts_(parts.verdicts),
      unclaimed_stops_(parts.unclaimed_stops),
      reconcile_(parts.reconcile),
      settled_bell_(parts.settled_bell),
      publisher_(publisher) {}

void WorkerReports::publish(const std::string& uid, const PodPtr& pod) {
  publisher_.publish(uid, pod);
}

// The id belongs to that pod from now on: its stop may already have been reported.
void WorkerReports::claim(const std::string& uid, const std::string& id) {
  const auto news = unclaimed_stops_.claim(id);
  if (!news) return;
  PodWorker* worker = records_.worker_of(uid);
  if (worker == nullptr) return;
  PodOrders orders;
  orders.stopped.emplace(id, *news);
  worker->post(std::move(orders));
}

void WorkerReports::left_node(const std::string& /*uid*/) {
  if (admission_.any_wanted()) reconcile_.soon();
}

void WorkerReports::released(const std::string& /*uid*/) {
  settled_bell_.ring();
}

std::vector<std::string> WorkerReports::ended_before(const api::Pod& pod) const {
  // A pod that only the runtime knows is no successor: a newer one may have ended since.
  const PodRecord* record = records_.find(pod.metadata.uid);
  if (record != nullptr && record->unknown) return {};
  return verdicts_.ended_before(pod);
}

void WorkerReports::stored(const std::string& /*uid*/,
                           const std::vector<std::string>& ended_before) {
  for (const std::string& gone : ended_before) verdicts_.drop_ended(gone);
  settled_bell_.ring();
}

}  // namespace berth::lifecycle
