// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_persistence.hpp"

#include <chrono>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/interrupted_stops.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_identity.hpp"
#include "lifecycle/worker/pod_parts.hpp"
#include "lifecycle/worker/store_wait.hpp"

namespace berth::lifecycle {

using namespace std::chrono_literals;

namespace {

constexpr const char* kStoreKey = "store";

}  // namespace

PodPersistence::PodPersistence(PodParts& parts, const PodFacts& facts)
    : env_(parts.env),
      pod_(parts.pod),
      teller_(parts.teller),
      course_(parts.course),
      mailbox_(parts.mailbox),
      children_(parts.children),
      timetable_(parts.timetable),
      observed_(parts.observed),
      keeper_(parts.keeper),
      stops_(parts.stops),
      probes_(parts.probes),
      starts_(parts.starts),
      status_(parts.status),
      facts_(facts) {}

PodMemory PodPersistence::memory() const {
  PodMemory memory{.uid = pod_->metadata.uid,
                   .incarnation = incarnation_of(*pod_),
                   .pod = pod_,
                   .verdict = keeper_.verdict(),
                   .status = status_.computed(),
                   .stops = stops_.stored(),
                   .sandboxes = observed_.ownership().ids(),
                   .probes = probes_.results()};
  memory.end = facts_.ordered_end();
  starts_.put_into(memory);
  return memory;
}

// A container that has ended no longer needs a deadline. If it was to start again but had ended by
// itself, its own exit decides.
void PodPersistence::forget_ended_stops() {
  if (!observed_.known()) return;
  for (const std::string& id : stops_.ids()) {
    const ObservedContainer* container = observed_.container(id);
    if (container != nullptr) {
      if (container->status.state != cri::ContainerState::kExited) continue;
      // When it ended is not known yet.
      if (container->provisional && starts_.start_again().contains(id)) continue;
      const ContainerStop* stop = stops_.find(id);
      if (stop != nullptr && stop->in_force &&
          ended_before(container->status, *stop->in_force, facts_.instant()))
        starts_.ended_by_itself(id);
    }
    stops_.ended(id);
  }
}

// A worker that waits for the runtime does not read its mailbox: the order must not be lost if
// berthd is killed meanwhile.
void PodPersistence::remember_order() {
  if (!mailbox_.resting()) remember_at_once();
}

// Stores the memory concurrently with whatever the worker is doing, which may take long.
void PodPersistence::remember_at_once() {
  if (keeper_.knows_pod() && keeper_.must_keep(memory())) begin_commit();
}

bool PodPersistence::orders_kept() const {
  if (!mailbox_.orders().conditions.empty()) return false;
  return keeper_.knows_orders(facts_.ordered_end(), pod_->status.conditions);
}

// An order to stop running containers is stored with the first stop, so that the stop waits only
// once; any other order is stored at once, and so is one that arrives while a stop is under way.
boost::asio::awaitable<void> PodPersistence::keep_orders(bool ordered) {
  const bool stops = course_.end() && observed_.known() && !stops_.any_under_way() &&
                     facts_.containers_may_run() && !starts_.any_post_start();
  if (!ordered || stops || orders_kept()) co_return;
  co_await remember_for_stop();
}

// True if everything that affects decisions is durable. If false, the commit is retried later, and
// nothing is started. An end does not wait for a hung disk.
boost::asio::awaitable<bool> PodPersistence::remembered(Numbers numbers) {
  forget_ended_stops();
  while (keeper_.must_keep(memory(), numbers)) {
    if (mailbox_.orders().end || !timetable_.due(kStoreKey)) co_return false;
    begin_commit();
    while (keeper_.storing() && !mailbox_.orders().end) co_await keeper_.wait();
  }
  co_return true;
}

void PodPersistence::begin_to_remember() {
  if (keeper_.storing() || !keeper_.must_keep(memory(), Numbers::kTheStores)) return;
  if (timetable_.due(kStoreKey)) begin_commit();
}

// Waits until the store has the pod, with whatever it was admitted by.
boost::asio::awaitable<bool> PodPersistence::known_to_store() {
  while (!keeper_.knows_pod() && keeper_.storing() && !mailbox_.orders().end)
    co_await keeper_.wait();
  if (keeper_.knows_pod()) co_return true;
  co_return co_await remembered(Numbers::kTheStores);
}

void PodPersistence::store_failed(const Error& error) {
  timetable_.failed(kStoreKey);
  teller_.warn_event(
      "FailedSync",
      fmt::format(
          "error storing the state of the pod: {}{}", error.message,
          course_.state() == WorkerState::kSyncing ? "; nothing of it is started meanwhile" : ""));
}

boost::asio::awaitable<bool> PodPersistence::remember_for_stop() {
  if (!keeper_.must_keep(memory())) co_return false;
  begin_commit();
  co_await keeper_.wait_until(env_.clock, env_.clock.steady_now() + kStopWaitsForStore);
  co_return true;
}

bool PodPersistence::has_more() const {
  return keeper_.has_more({.status = status_.computed(),
                           .probes = probes_.results(),
                           .sandboxes = observed_.ownership().ids()});
}

// Stores what is shown now, in case the runtime forgets it.
void PodPersistence::remember_later() {
  if (keeper_.storing() || !observed_.known()) return;
  if (!has_more()) return;
  if (!timetable_.due(kStoreKey)) return;
  forget_ended_stops();
  begin_commit();
}

void PodPersistence::begin_commit() {
  keeper_.begin_commit();
  children_.spawn("store", store_memory());
}

// Stores the memory as of the beginning of this coroutine: an earlier value may be older than what
// is stored by then.
boost::asio::awaitable<void> PodPersistence::store_memory() {
  PodMemory now = memory();
  const std::vector<std::string> ended_before = env_.owner.ended_before(*pod_);
  const auto kept = co_await keeper_.commit(std::move(now), ended_before);
  if (kept) {
    timetable_.succeeded(kStoreKey);
    env_.owner.stored(pod_->metadata.uid, ended_before);
  } else {
    store_failed(kept.error());
  }
  // Rings only if there is more to do: a needless pass costs a decision.
  if (!kept || keeper_.awaits_final() || has_more()) mailbox_.ring();
}

}  // namespace berth::lifecycle
