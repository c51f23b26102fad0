// SPDX-License-Identifier: Apache-2.0

// PodSet: what the runtime has of pods, and what becomes of it.

#include "lifecycle/pods/pod_set.hpp"

#include <utility>

#include "lifecycle/worker/pod_worker.hpp"
#include "node/cgroups/cgroup_driver.hpp"

namespace berth::lifecycle {
namespace {

// Whether an earlier berthd was ending the pod as one that only the runtime knew: the stored memory
// is about that end, and was made from the runtime's labels.
bool ends_as_unknown(const PodMemory& memory) {
  return memory.end && memory.end->ending.cause == EndCause::kUnknownPod;
}

}  // namespace

void PodSet::runtime_identified(const RuntimeIdentity& runtime) {
  workers_.set_runtime_name(runtime.name);
  std::string refusal = node::cgroup_driver_refusal(services_.node->config.cgroup_driver,
                                                    runtime.setup, options_.config_file);
  if (refusal == workers_.sandbox_obstacle()) return;
  if (refusal.empty()) {
    services_.log->info("CgroupDriver", "the container runtime's cgroup driver is ours again");
  } else {
    services_.log->write(LogLevel::kError, "CgroupDriver", "no pod is started while " + refusal,
                         {});
  }
  workers_.set_sandbox_obstacle(std::move(refusal));
  runtime_back();
}

void PodSet::runtime_back() {
  PodOrders orders;
  orders.runtime_back = true;
  workers_.post_to_all(orders);
}

void PodSet::runtime_listed(const RuntimeListing& listing) {
  found_ = listing;
  readiness_.note_runtime_listed();
  reconcile_.now();
}

boost::asio::awaitable<RuntimeListing> PodSet::first_listing() {
  co_await readiness_.until_runtime_listed();
  co_return runtime_.first_listing();
}

std::map<std::string, BelievedPod> PodSet::believed() const {
  return workers_.believed();
}

bool PodSet::stopped(const std::string& id, const StopNews& news) {
  return workers_.post_stop(id, news);
}

// The id belongs to that pod from now on: its stop may already have been reported.
void PodSet::claim(const std::string& uid, const std::string& id) {
  const auto news = runtime_.claim(id);
  if (!news) return;
  PodOrders orders;
  orders.stopped.emplace(id, *news);
  workers_.post(uid, std::move(orders));
}

void PodSet::pod_differs(const std::string& uid, const std::string& what) {
  if (records_.worker_of(uid) == nullptr) return;
  services_.log->info("Relist", what, {{"POD_UID", uid}});
  PodOrders orders;
  orders.inspect = true;
  workers_.post(uid, std::move(orders));
}

void PodSet::pod_unknown(const std::string& uid, ListedPod listed) {
  Record* record = records_.find(uid);
  if (record == nullptr)
    adopt_unknown(uid, std::move(listed));
  else
    turned_up(*record, std::move(listed));
}

void PodSet::adopt_unknown(const std::string& uid, ListedPod listed) {
  if (records_.contains(uid)) return;
  const PodMemoryPtr memory = verdicts_.memory_of(uid);
  auto record = records_.make(memory ? memory->pod : pod_from_listing(uid, listed));
  record->unknown = !memory || ends_as_unknown(*memory);
  const WallTime now = services_.clock->wall_now();
  if (!memory) {
    services_.log->warn("UnknownPod", "the runtime has a pod that nobody wishes: it is ended",
                        {{"NAMESPACE", record->pod->metadata.namespace_},
                         {"POD", record->pod->metadata.name},
                         {"POD_UID", uid}});
  }
  const Ending ending = record->unknown ? unknown_pod(now) : manifest_removed(now);
  launch(*record, std::move(listed), memory);
  records_.add(std::move(record));
  order(uid, ending);
}

// Ends what the runtime shows of a pod without a worker: a call that an earlier berthd gave up, or
// during which it was killed, created it for an earlier pod with that uid.
void PodSet::turned_up(Record& record, ListedPod listed) {
  const std::string& uid = record.pod->metadata.uid;
  switch (record.state) {
    case RecordState::kWorking:
      return;
    case RecordState::kWanted:
      // It already has room here, and needs no admission.
      services_.admission->withdraw(uid, services_.clock->steady_now());
      record.state = RecordState::kWaiting;
      found_.insert_or_assign(uid, std::move(listed));
      reconcile_.soon();
      return;
    case RecordState::kWaiting:
    case RecordState::kHeld:
      found_.insert_or_assign(uid, std::move(listed));
      return;
    case RecordState::kRejected:
      // Not before the verdict is stored; the verdict stays, whatever becomes of these remains.
      if (record.shown)
        launch(record, std::move(listed),
               verdicts_.verdict_on(record.shown, Verdict::kRejected, record.shown->status));
      return;
    case RecordState::kCollected:
      launch(record, std::move(listed), to_be_collected(*verdicts_.memory_of(uid)));
      return;
  }
}

// Returns and removes what the runtime has of the pod and no worker has taken over yet.
std::optional<ListedPod> PodSet::claim_found(const std::string& uid) {
  const auto found = found_.find(uid);
  if (found == found_.end()) return std::nullopt;
  ListedPod listed = std::move(found->second);
  found_.erase(found);
  return listed;
}

}  // namespace berth::lifecycle
