// SPDX-License-Identifier: Apache-2.0

// PodWorker: the memory that outlives berthd: when it is stored, and how a worker resumes from it.
//
// Before a container is created, a sandbox replaced or a container started again, the store must
// have committed; a pod's first sandbox and a first start do not wait. A stop waits one second at
// most for its commit, deducted from its grace period; what is merely shown is stored concurrently.

#include <chrono>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/interrupted_stops.hpp"
#include "lifecycle/lost_containers.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/status/status_stamp.hpp"
#include "lifecycle/worker/pod_identity.hpp"
#include "lifecycle/worker/pod_worker.hpp"
#include "lifecycle/worker/probes/probe_exchange.hpp"
#include "lifecycle/worker/store_wait.hpp"

namespace berth::lifecycle {

using namespace std::chrono_literals;

namespace {

constexpr const char* kStoreKey = "store";

// A terminal phase without a verdict has not been shown yet: the containers may still run.
api::PodStatus as_shown(const PodMemory& memory) {
  return memory.verdict == Verdict::kNone ? shown_while_running(memory.status) : memory.status;
}

}  // namespace

// Resumes from stored state; if the runtime has lost the pod, decide_loss() comes first.
void PodWorker::begin_from(const PodMemory& memory) {
  const LossQuestion question = loss_question(memory);
  if (!observed_.listed_empty() || !has_lost(question)) return recall(memory);
  const LossDecision decision = decide_loss(question);
  const bool begins_again = !decision.failed && !question.ending;
  recall(decision.failed ? failed_by_loss(memory) : begins_again ? begun_again(memory) : memory);
  if (decision.failed) {
    keeper_.reopen();
    status_.recall_shown(as_shown(memory));
  }
  const std::string record = teller_.ledger().decided(question, decision, env_.clock.wall_now());
  const Reason reason = loss_reason(question, decision);
  teller_.log(LogLevel::kWarn, reason.rule, reason.text, About{.decision = record});
}

void PodWorker::recall(const PodMemory& memory) {
  status_.compute(memory.status);
  status_.recall_shown(as_shown(memory));
  starts_.recall(memory, *pod_);
  keeper_.recall(memory.verdict);
  std::vector<std::string> ips;
  for (const api::PodIP& address : memory.status.podIPs) ips.push_back(address.ip);
  observed_.keep_ips(std::move(ips));
  // The results of probes that an edit has removed no longer count.
  if (has_probes(*pod_)) probes_.recall(memory.probes);
  stops_.recall(stops_to_go_on(memory, env_.options.termination_on_restart), instant());
  if (!memory.pod->status.conditions.empty()) {
    auto pod = std::make_shared<api::Pod>(*pod_);
    pod->status.conditions = memory.pod->status.conditions;
    pod_ = std::move(pod);
  }
  if (memory.end && (removes(memory.end->ending) || memory.verdict == Verdict::kNone))
    put_in_force(*memory.end, memory.end->grace_seconds, true);
  else
    course_.order(memory.end);
  // The remains of the pod may be removed further; how it ended no longer changes.
  if (keeper_.ended_before()) course_.enter(WorkerState::kEnded);
}

PodMemory PodWorker::memory() const {
  PodMemory memory{.uid = pod_->metadata.uid,
                   .incarnation = incarnation_of(*pod_),
                   .pod = pod_,
                   .verdict = keeper_.verdict(),
                   .status = status_.computed(),
                   .stops = stops_.stored(),
                   .probes = probes_.results(),
                   .boot_id = env_.boot_id};
  memory.end = ordered_end();
  starts_.put_into(memory);
  return memory;
}

// A container that has ended no longer needs a deadline. If it was to start again but had ended by
// itself, its own exit decides.
void PodWorker::forget_ended_stops() {
  if (!observed_.known()) return;
  std::vector<std::string> ended;
  for (const auto& [id, stop] : stops_.all()) {
    const ObservedContainer* container = observed_.container(id);
    if (container != nullptr) {
      if (container->status.state != cri::ContainerState::kExited) continue;
      // When it ended is not known yet.
      if (container->provisional && starts_.start_again().contains(id)) continue;
      if (stop.in_force && ended_before(container->status, *stop.in_force, instant()))
        starts_.ended_by_itself(id);
    }
    ended.push_back(id);
  }
  for (const std::string& id : ended) stops_.ended(id);
}

// Includes an order that is still in the mailbox.
std::optional<EndInForce> PodWorker::ordered_end() const {
  return mailbox_.orders().end ? end_with(*mailbox_.orders().end) : course_.end();
}

// A worker that waits for the runtime does not read its mailbox: the order must not be lost if
// berthd is killed meanwhile.
void PodWorker::remember_order() {
  if (!mailbox_.resting()) remember_at_once();
}

// Stores the memory concurrently with whatever the worker is doing, which may take long.
void PodWorker::remember_at_once() {
  if (keeper_.knows_pod() && keeper_.must_keep(memory())) begin_commit();
}

bool PodWorker::orders_kept() const {
  if (!mailbox_.orders().conditions.empty()) return false;
  return keeper_.knows_orders(ordered_end(), pod_->status.conditions);
}

// An order to stop running containers is stored with the first stop, so that the stop waits only
// once; any other order is stored at once, and so is one that arrives while a stop is under way.
boost::asio::awaitable<void> PodWorker::keep_orders(bool ordered) {
  const bool stops = course_.end() && observed_.known() && !stops_.any_under_way() &&
                     containers_may_run() && !starts_.any_post_start();
  if (!ordered || stops || orders_kept()) co_return;
  co_await remember_for_stop();
}

// True if everything that affects decisions is durable. If false, the commit is retried later, and
// nothing is started. An end does not wait for a hung disk.
boost::asio::awaitable<bool> PodWorker::remembered(Numbers numbers) {
  forget_ended_stops();
  while (keeper_.must_keep(memory(), numbers)) {
    if (mailbox_.orders().end || !timetable_.due(kStoreKey)) co_return false;
    begin_commit();
    while (keeper_.storing() && !mailbox_.orders().end) co_await keeper_.wait();
  }
  co_return true;
}

void PodWorker::begin_to_remember() {
  if (keeper_.storing() || !keeper_.must_keep(memory(), Numbers::kTheStores)) return;
  if (timetable_.due(kStoreKey)) begin_commit();
}

// Waits until the store has the pod, with whatever it was admitted by.
boost::asio::awaitable<bool> PodWorker::known_to_store() {
  while (!keeper_.knows_pod() && keeper_.storing() && !mailbox_.orders().end)
    co_await keeper_.wait();
  if (keeper_.knows_pod()) co_return true;
  co_return co_await remembered(Numbers::kTheStores);
}

void PodWorker::store_failed(const Error& error) {
  timetable_.failed(kStoreKey);
  teller_.warn_event(
      "FailedSync",
      fmt::format(
          "error storing the state of the pod: {}{}", error.message,
          course_.state() == WorkerState::kSyncing ? "; nothing of it is started meanwhile" : ""));
}

boost::asio::awaitable<bool> PodWorker::remember_for_stop() {
  if (!keeper_.must_keep(memory())) co_return false;
  begin_commit();
  co_await keeper_.wait_until(env_.clock, env_.clock.steady_now() + kStopWaitsForStore);
  co_return true;
}

// Stores what is shown now, in case the runtime forgets it.
void PodWorker::remember_later() {
  if (keeper_.storing() || !observed_.known()) return;
  if (!keeper_.has_more(status_.computed(), probes_.results())) return;
  if (!timetable_.due(kStoreKey)) return;
  forget_ended_stops();
  begin_commit();
}

void PodWorker::begin_commit() {
  keeper_.begin_commit();
  children_.spawn("store", store_memory());
}

// Stores the memory as of the beginning of this coroutine: an earlier value may be older than what
// is stored by then.
boost::asio::awaitable<void> PodWorker::store_memory() {
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
  if (!kept || keeper_.awaits_final() || keeper_.has_more(status_.computed(), probes_.results()))
    mailbox_.ring();
}

}  // namespace berth::lifecycle
