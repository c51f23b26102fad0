// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/runtime/runtime_reports.hpp"

#include <utility>

#include "lifecycle/pods/beginning/pod_adoption.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"
#include "lifecycle/pods/pod_workers.hpp"
#include "node/cgroups/cgroup_driver.hpp"

namespace berth::lifecycle {

RuntimeReports::RuntimeReports(PodSetParts& parts, PodWorkers& workers, PodAdoption& adoption)
    : services_(parts.services),
      options_(parts.options),
      tasks_(parts.tasks),
      records_(parts.records),
      unclaimed_(parts.unclaimed),
      readiness_(parts.readiness),
      reconcile_(parts.reconcile),
      workers_(workers),
      adoption_(adoption) {}

void RuntimeReports::runtime_identified(const RuntimeIdentity& runtime) {
  workers_.set_runtime_name(runtime.name);
  std::string refusal = node::cgroup_driver_refusal(services_.node->config.cgroup_driver,
                                                    runtime.setup, options_.config_file);
  if (refusal == workers_.sandbox_obstacle()) return;
  if (refusal.empty()) {
    services_.log->info("CgroupDriver", "the container runtime has berthd's cgroup driver again");
  } else {
    services_.log->write(LogLevel::kError, "CgroupDriver", "no pod is started while " + refusal,
                         {});
  }
  workers_.set_sandbox_obstacle(std::move(refusal));
  runtime_back();
}

void RuntimeReports::runtime_back() {
  PodOrders orders;
  orders.runtime_back = true;
  workers_.post_to_all(orders);
}

void RuntimeReports::runtime_listed(const RuntimeListing& listing) {
  unclaimed_.set(listing);
  readiness_.note_runtime_listed();
  reconcile_.now();
}

bool RuntimeReports::compares_listings() const {
  // A worker that begins while the pod set stops would have no task.
  return readiness_.may_begin() && !tasks_.stopping();
}

std::map<std::string, BelievedPod> RuntimeReports::believed() const {
  return workers_.believed();
}

bool RuntimeReports::stopped(const std::string& id, const StopNews& news) {
  return workers_.post_stop(id, news);
}

void RuntimeReports::pod_differs(const std::string& uid, const std::string& what) {
  if (records_.worker_of(uid) == nullptr) return;
  services_.log->info("Relist", what, {{"POD_UID", uid}});
  PodOrders orders;
  orders.inspect = true;
  workers_.post(uid, std::move(orders));
}

void RuntimeReports::pod_unknown(const std::string& uid, ListedPod listed) {
  PodRecord* record = records_.find(uid);
  if (record == nullptr)
    adoption_.adopt_unknown(uid, std::move(listed));
  else
    adoption_.adopt_remains(*record, std::move(listed));
}

}  // namespace berth::lifecycle
