// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_workers.hpp"

#include <memory>
#include <utility>

#include <fmt/core.h>

#include "base/notification.hpp"
#include "lifecycle/worker/pod_worker.hpp"
#include "node/container/variable_expansion.hpp"

namespace berth::lifecycle {

PodWorkers::PodWorkers(const PodSetServices& services, const PodSetOptions& options,
                       WorkerOwner& owner, const PodRecords& records,
                       std::function<void(const std::string& uid)> on_finished)
    : records_(records),
      on_finished_(std::move(on_finished)),
      puller_(services.executor, *services.clock, *services.images, options.images),
      prober_(services.executor, *services.clock, *services.handlers, *this,
              {.expand_command = &node::expand_probe_command}, services.on_failure),
      turns_(services.executor, *services.clock),
      start_calls_(services.executor),
      garbage_(services.executor, *services.clock),
      environment_{.executor = services.executor,
                   .clock = *services.clock,
                   .runtime = *services.runtime,
                   .images = *services.images,
                   .host = *services.host,
                   .handlers = *services.handlers,
                   .prober = prober_,
                   .store = *services.store,
                   .teller = {.clock = *services.clock,
                              .events = *services.events,
                              .log = *services.log,
                              .ledger = services.ledger},
                   .in_hand = services.in_hand,
                   .owner = owner,
                   .options = options,
                   .shared = {.pulls = puller_,
                              .starts = turns_,
                              .start_calls = start_calls_,
                              .garbage = garbage_},
                   .now = {.view = services.node},
                   .on_failure = services.on_failure},
      tasks_(services.executor, services.on_failure) {}

PodWorkers::~PodWorkers() {
  for (const auto& [uid, record] : records_) record->worker.reset();
}

void PodWorkers::begin(PodRecord& record, ListedPod listed, PodMemoryPtr memory) {
  record.worker =
      std::make_shared<PodWorker>(environment_, record.pod, std::move(listed), std::move(memory));
  const api::ObjectMeta& meta = record.pod->metadata;
  tasks_.spawn(fmt::format("pod {}/{}", meta.namespace_, meta.name), run(meta.uid, record.worker));
}

boost::asio::awaitable<void> PodWorkers::run(std::string uid, std::shared_ptr<PodWorker> worker) {
  co_await worker->run();
  on_finished_(uid);
}

void PodWorkers::post(const std::string& uid, PodOrders orders) {
  if (PodWorker* worker = records_.worker_of(uid)) worker->post(std::move(orders));
}

void PodWorkers::post_to_all(const PodOrders& orders) {
  for (const auto& [uid, record] : records_)
    if (record->worker) record->worker->post(orders);
}

bool PodWorkers::post_stop(const std::string& id, const StopNews& news) {
  for (const auto& [uid, record] : records_) {
    if (!record->worker || !record->worker->owns(id)) continue;
    PodOrders orders;
    orders.stopped.emplace(id, news);
    record->worker->post(std::move(orders));
    return true;
  }
  return false;
}

void PodWorkers::collect_garbage_of(const std::string& uid) {
  PodOrders orders;
  orders.collect = Collection::kRemains;
  post(uid, std::move(orders));
}

boost::asio::awaitable<void> PodWorkers::collect_finished_pods(SteadyTime limit) {
  const auto tried = std::make_shared<Notification>(environment_.executor);
  {
    // The last worker to release it notifies: then every worker has had its turn.
    PodOrders orders;
    orders.collect = Collection::kFinishedPods;
    orders.collecting =
        std::shared_ptr<const void>(tried.get(), [tried](const void*) { tried->notify(); });
    post_to_all(orders);
  }
  co_await tried->wait_until(environment_.clock, limit);
}

boost::asio::awaitable<void> PodWorkers::collect_garbage_in_rounds() {
  return garbage_.run([this](const std::string& uid) { collect_garbage_of(uid); });
}

std::map<std::string, BelievedPod> PodWorkers::believed() const {
  std::map<std::string, BelievedPod> believed;
  for (const auto& [uid, record] : records_)
    if (record->worker) believed.emplace(uid, record->worker->believed());
  return believed;
}

void PodWorkers::set_objects(node::ObjectsPtr objects) {
  const auto changed = node::changed_objects(*environment_.now.objects, *objects);
  environment_.now.objects = std::move(objects);
  for (const auto& [uid, record] : records_) {
    if (!record->worker || !node::refers_to_any(*record->pod, changed)) continue;
    PodOrders orders;
    orders.objects_changed = true;
    record->worker->post(std::move(orders));
  }
}

void PodWorkers::set_network_error(std::string why) {
  if (why == environment_.now.network_error) return;
  environment_.now.network_error = std::move(why);
  PodOrders orders;
  orders.runtime_back = true;
  post_to_all(orders);
}

// A probe's result is passed to the pod's worker.
void PodWorkers::result_changed(const probes::ProbeChange& change) {
  if (PodWorker* worker = records_.worker_of(change.pod.uid)) worker->probe_changed(change);
}

void PodWorkers::event(const probes::ProbeEvent& event) {
  if (PodWorker* worker = records_.worker_of(event.pod.uid)) worker->probe_reported(event);
}

boost::asio::awaitable<bool> PodWorkers::finish_starts(SteadyTime limit) {
  return start_calls_.finish(environment_.clock, limit);
}

void PodWorkers::request_stop() {
  tasks_.request_stop();
  prober_.request_stop();
}

boost::asio::awaitable<void> PodWorkers::join() {
  co_await tasks_.join();
  co_await prober_.join();
}

}  // namespace berth::lifecycle
