// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_set.hpp"

#include <chrono>
#include <memory>
#include <utility>

#include "lifecycle/pods/beginning/admission_driver.hpp"
#include "lifecycle/pods/beginning/pod_adoption.hpp"
#include "lifecycle/pods/beginning/pod_beginning.hpp"
#include "lifecycle/pods/beginning/pod_holds.hpp"
#include "lifecycle/pods/beginning/pod_rejection.hpp"
#include "lifecycle/pods/ending/api_orders.hpp"
#include "lifecycle/pods/ending/end_orders.hpp"
#include "lifecycle/pods/ending/finished_pod_collector.hpp"
#include "lifecycle/pods/ending/order_waits.hpp"
#include "lifecycle/pods/ending/pod_departure.hpp"
#include "lifecycle/pods/ending/pod_successors.hpp"
#include "lifecycle/pods/pod_launcher.hpp"
#include "lifecycle/pods/pod_occupancy.hpp"
#include "lifecycle/pods/pod_publisher.hpp"
#include "lifecycle/pods/pod_workers.hpp"
#include "lifecycle/pods/reconciliation.hpp"
#include "lifecycle/pods/runtime/runtime_reports.hpp"
#include "lifecycle/pods/worker_reports.hpp"

namespace berth::lifecycle {
namespace {

// systemd waits longer (TimeoutStopSec=90s); a responsive runtime needs less.
constexpr auto kStartsWaitedFor = std::chrono::seconds(10);

RuntimeWatchServices watch_services(const PodSetServices& services) {
  return {.executor = services.executor,
          .runtime = *services.runtime,
          .stream = *services.stream,
          .clock = *services.clock,
          .log = *services.log};
}

RelistPeriods relist_periods(const PodSetOptions& options) {
  return {.with_stream = options.relist_period,
          .without_stream = options.relist_period_without_stream};
}

}  // namespace

// Orders for pods, and the waits for their effects.
struct PodSetOrders {
  PodSetOrders(PodSetParts& parts, const PodOccupancy& occupancy, PodPublisher& publisher,
               PodSuccessors& successors, PodDeparture& departure, PodLauncher& launcher)
      : end(parts, occupancy, publisher, successors, departure, launcher),
        collector(parts, end),
        waits(parts),
        api(parts, occupancy, end) {}
  PodSetOrders(const PodSetOrders&) = delete;
  PodSetOrders& operator=(const PodSetOrders&) = delete;
  ~PodSetOrders() = default;

  EndOrders end;
  FinishedPodCollector collector;
  OrderWaits waits;
  ApiOrders api;
};

// The classes that make up the pod set's behaviour, in the order of their dependencies: each refers
// only to parts (pod_set_parts.hpp) and to classes declared before it. The calls that go the other
// way are requests: of a pass, through `reconcile`, and of a collection, through `collection`.
struct PodSetJobs {
  explicit PodSetJobs(PodSetParts& parts)
      : occupancy(parts),
        publisher(parts, occupancy),
        worker_reports(parts, publisher),
        successors(parts),
        departure(parts, publisher, successors),
        workers(parts.services, parts.options, worker_reports, parts.records,
                [this](const std::string& uid) { departure.removed(uid); }),
        launcher(parts, publisher, workers),
        rejection(parts, publisher),
        holds(parts, publisher),
        orders(parts, occupancy, publisher, successors, departure, launcher),
        admission(parts, occupancy, publisher, launcher, rejection, orders.end, orders.api),
        adoption(parts, launcher, orders.end),
        beginning(parts, publisher, launcher, holds, orders.end, admission, adoption),
        reconciliation(parts, orders.end, admission, adoption, beginning),
        runtime_reports(parts, workers, adoption),
        runtime(watch_services(parts.services), relist_periods(parts.options), runtime_reports,
                parts.unclaimed_stops) {}
  PodSetJobs(const PodSetJobs&) = delete;
  PodSetJobs& operator=(const PodSetJobs&) = delete;
  ~PodSetJobs() = default;

  PodOccupancy occupancy;
  PodPublisher publisher;
  WorkerReports worker_reports;
  PodSuccessors successors;
  PodDeparture departure;
  PodWorkers workers;
  PodLauncher launcher;
  PodRejection rejection;
  PodHolds holds;
  PodSetOrders orders;
  AdmissionDriver admission;
  PodAdoption adoption;
  PodBeginning beginning;
  Reconciliation reconciliation;
  RuntimeReports runtime_reports;
  RuntimeWatch runtime;
};

PodSet::PodSet(PodSetServices services, PodSetOptions options)
    : parts_(
          std::move(services), std::move(options),
          [this] { jobs_->reconciliation.reconcile_once(); },
          [this] { jobs_->orders.collector.collect(); }),
      jobs_(std::make_unique<PodSetJobs>(parts_)) {}

PodSet::~PodSet() = default;

void PodSet::start() {
  parts_.verdicts.recall();
  parts_.tasks.spawn("runtime events", jobs_->runtime.pump_events());
  parts_.tasks.spawn("relist", jobs_->runtime.keep_listing());
  parts_.tasks.spawn("garbage collection", jobs_->workers.collect_garbage_in_rounds());
}

boost::asio::awaitable<void> PodSet::finish_starts() {
  const SteadyTime limit = parts_.services.clock->steady_now() + kStartsWaitedFor;
  const bool finished = co_await jobs_->workers.finish_starts(limit);
  if (finished) co_return;
  parts_.services.log->warn(
      "StartsUnfinished",
      "the container runtime has not answered every request to start something; the next berthd "
      "checks the outcome");
}

boost::asio::awaitable<void> PodSet::stop() {
  parts_.tasks.request_stop();
  jobs_->workers.request_stop();
  co_await parts_.tasks.join();
  co_await jobs_->workers.join();
  parts_.views.end();
}

boost::asio::awaitable<RuntimeListing> PodSet::first_listing() {
  co_await parts_.readiness.until_runtime_listed();
  co_return jobs_->runtime.first_listing();
}

void PodSet::set_desired(std::vector<PodPtr> pods) {
  parts_.desired.clear();
  for (PodPtr& pod : pods) {
    std::string uid = pod->metadata.uid;
    parts_.desired.insert_or_assign(std::move(uid),
                                    parts_.verdicts.with_admitted_priority(std::move(pod)));
  }
  parts_.readiness.note_sources_known();
  parts_.reconcile.now();
}

bool PodSet::order(const std::string& uid, const Ending& ending) {
  return jobs_->orders.end.order(uid, ending);
}

Result<PodPtr> PodSet::delete_pod(const std::string& namespace_, const std::string& name,
                                  std::optional<std::chrono::seconds> grace,
                                  const Disruption& disruption) {
  return jobs_->orders.api.delete_pod(namespace_, name, grace, disruption);
}

Result<PodPtr> PodSet::set_condition(const std::string& namespace_, const std::string& name,
                                     const api::PodCondition& condition) {
  return jobs_->orders.api.set_condition(namespace_, name, condition);
}

bool PodSet::is_collected(const std::string& uid) const {
  return jobs_->orders.end.is_collected(uid);
}

bool PodSet::is_to_be_removed(const std::string& uid) const {
  return jobs_->orders.end.is_to_be_removed(uid);
}

bool PodSet::knows(const std::string& uid) const {
  return parts_.desired.contains(uid) || parts_.records.contains(uid) ||
         parts_.unclaimed.contains(uid) || parts_.cleanup.is_under_way(uid) ||
         parts_.verdicts.knows(uid);
}

boost::asio::awaitable<bool> PodSet::orders_stored(std::string uid) {
  return jobs_->orders.waits.stored(std::move(uid));
}

boost::asio::awaitable<void> PodSet::until_released(std::vector<std::string> uids,
                                                    SteadyTime deadline) {
  return jobs_->orders.waits.until_released(std::move(uids), deadline);
}

bool PodSet::is_released(const std::string& uid) const {
  return jobs_->orders.waits.is_released(uid);
}

void PodSet::close(std::optional<Refusal> why) {
  jobs_->admission.close(std::move(why));
}

boost::asio::awaitable<void> PodSet::collect_finished_pods(SteadyTime limit) {
  return jobs_->workers.collect_finished_pods(limit);
}

void PodSet::set_node(std::shared_ptr<const node::NodeView> node,
                      std::shared_ptr<const api::Node> node_object) {
  PodSetServices& services = parts_.services;
  services.node = node;
  jobs_->workers.set_node(node);
  services.admission->set_node(std::move(node), std::move(node_object),
                               services.clock->steady_now());
  if (services.admission->any_wanted()) parts_.reconcile.soon();
}

void PodSet::set_objects(node::ObjectsPtr objects) {
  jobs_->workers.set_objects(std::move(objects));
}

void PodSet::set_network_error(std::string why) {
  jobs_->workers.set_network_error(std::move(why));
}

std::vector<PodPtr> PodSet::placed() const {
  return jobs_->occupancy.placed();
}

PodPtr PodSet::find(const std::string& namespace_, const std::string& name) const {
  const PodRecord* record = parts_.records.find_named(namespace_, name);
  return record == nullptr ? nullptr : record->shown;
}

std::vector<RefusedToday> PodSet::refused_today() const {
  return jobs_->occupancy.refused_today();
}

const probes::Prober& PodSet::prober() const {
  return jobs_->workers.prober();
}

std::size_t PodSet::workers() const {
  return jobs_->workers.size();
}

std::uint64_t PodSet::missed_events() const {
  return jobs_->runtime.missed_events();
}

const std::string& PodSet::sandbox_obstacle() const {
  return jobs_->workers.sandbox_obstacle();
}

}  // namespace berth::lifecycle
