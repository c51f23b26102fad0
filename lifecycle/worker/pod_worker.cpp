// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_worker.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include <fmt/core.h>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "lifecycle/grace_period.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/status/foreign_conditions.hpp"
#include "lifecycle/worker/pod_identity.hpp"
#include "lifecycle/worker/probes/probe_question.hpp"
#include "lifecycle/worker/stray_sandboxes.hpp"

namespace berth::lifecycle {
std::shared_ptr<api::Pod> being_deleted(const api::Pod& pod, const EndInForce& end) {
  auto ending = std::make_shared<api::Pod>(pod);
  const api::Time ends{end.ending.requested_at + std::chrono::seconds(end.grace_seconds)};
  ending->metadata.deletionTimestamp = ends.whole_seconds();
  ending->metadata.deletionGracePeriodSeconds = end.grace_seconds;
  return ending;
}

PodWorker::PodWorker(const PodEnvironment& environment, PodPtr pod, std::optional<ListedPod> listed,
                     PodMemoryPtr memory)
    : env_(environment),
      place_(environment.turns),
      pod_(std::move(pod)),
      teller_({.clock = environment.clock,
               .events = environment.events,
               .log = environment.log,
               .ledger = environment.ledger},
              pod_),
      mailbox_(environment.executor),
      children_(environment.executor, environment.on_failure),
      timetable_(environment.clock),
      observed_(std::move(listed)),
      keeper_(environment.executor, environment.store, memory),
      probes_(environment.prober, pod_->metadata.uid),
      starts_(pod_->metadata.uid),
      setup_(environment.executor,
             {.host = environment.host, .objects = environment.objects, .children = children_},
             pod_, teller_, timetable_),
      files_bell_(environment.executor),
      status_(pod_->status) {
  if (memory) begin_from(*memory);
}

PodWorker::~PodWorker() = default;

boost::asio::awaitable<void> PodWorker::run() {
  std::exception_ptr failure;
  try {
    co_await live();
  } catch (...) {
    failure = std::current_exception();
  }
  // A cancelled coroutine cannot wait, so the cancellation state is reset to join the children.
  co_await boost::asio::this_coro::reset_cancellation_state(boost::asio::disable_cancellation());
  children_.request_stop();
  co_await children_.join();
  if (failure) {
    if (env_.in_hand != nullptr && !is_cancellation(failure)) env_.in_hand->take(handled_as(*pod_));
    std::rethrow_exception(failure);
  }
}

void PodWorker::post(PodOrders orders) {
  std::optional<Ending> waiting;
  if (orders.end) {
    const std::optional<EndInForce> before = ordered_end();
    orders.end = as_given(std::move(*orders.end), before, phase_for_orders());
    if (mailbox_.orders().end && before) waiting = with_period(*before);
  }
  mailbox_.post(std::move(orders), std::move(waiting));
  if (!mailbox_.orders().end) return;
  keeper_.wake_waiter();  // nobody waits any more for a start that waits for the store
  remember_order();
  show_order();
}

BelievedPod PodWorker::believed() const {
  BelievedPod believed = observed_.believed();
  // In the middle of a turn, the runtime may show more because of one of the worker's own calls.
  believed.settled = observed_.known() && mailbox_.resting() && observed_.ends().empty() &&
                     !stops_.any_under_way();
  return believed;
}

boost::asio::awaitable<void> PodWorker::live() {
  if (is_new()) setup_.begin();  // runs beside the first decision, which will need it
  while (course_.state() != WorkerState::kFinished) {
    // Tasks begun concurrently run first, so that they are done by the time they are needed.
    co_await boost::asio::post(env_.executor, boost::asio::use_awaitable);
    timetable_.begin_turn();
    const SteadyTime began = env_.clock.steady_now();
    co_await absorb();
    if (mailbox_.orders().end)
      continue;  // arrived during a call of the runtime: decide nothing without it
    const WorkerState before = course_.state();
    const std::uint64_t revision = observed_.revision();
    const bool was_known = observed_.known();
    bool again = co_await advance();
    if (course_.state() == WorkerState::kFinished) co_return;
    // A turn that requests another one should have changed something. If it did not, a short wait
    // keeps a bug from becoming a busy loop.
    const bool moved = course_.state() != before || observed_.revision() != revision ||
                       observed_.known() != was_known;
    if (again && !moved) {
      again = false;
      timetable_.look_again_at(env_.clock.steady_now() + kHiccup.first);
    }
    if (again) continue;
    place_.give_back();
    co_await rest(began);
  }
}

// Whether nobody has begun the pod, and nobody has ordered its end.
bool PodWorker::is_new() const {
  return !keeper_.recalled() && observed_.listed_empty() && !ending();
}

// Waits for the next turn. A retry that became due since this turn began is considered then.
boost::asio::awaitable<void> PodWorker::rest(SteadyTime turn_began) {
  remember_later();
  if (has_garbage()) env_.garbage.has_garbage(pod_->metadata.uid);
  timetable_.look_at_retries(turn_began);
  co_await mailbox_.rest(env_.clock, timetable_.next_look());
}

// Processes the mailbox, the reports of child tasks, and the ends whose polls are due.
boost::asio::awaitable<void> PodWorker::absorb() {
  PodOrders orders = mailbox_.collect();
  if (orders.runtime_back) {
    timetable_.retry_all();
    setup_.ask_runtime_again();
  }
  if (orders.inspect) observed_.doubt();
  if (orders.end) take_end(*orders.end);
  if (orders.objects_changed) take_objects();
  take_conditions(orders.conditions);
  for (const auto& [id, news] : orders.stopped) {
    note_stop(id, news);
    co_await complete_exit_shown(id);
  }
  co_await keep_orders(orders.end || !orders.conditions.empty());
  absorb_post_starts();
  co_await absorb_stop_reports();
  co_await ask_for_stops();
  // If something is left, the worker reports its garbage again.
  if (orders.collect == Collection::kFinishedPods ||
      (orders.collect == Collection::kRemains && has_garbage()))
    co_await collect(content(), orders.collect);
}

// Probes the pod from the moment it is first seen until nothing of it runs.
void PodWorker::attend_probes() {
  const bool wanted =
      course_.state() == WorkerState::kSyncing || course_.state() == WorkerState::kEnding;
  if (!wanted) return probes_.end();
  if (probes_.can_begin(*pod_))
    probes_.begin(*pod_, runtime_view(), observed_.found_something() && !keeper_.recalled());
  if (course_.ends()) probes_.keep_readiness_only();
}

void PodWorker::probe_changed(const probes::ProbeChange& change) {
  if (change.judged != nullptr)
    teller_.decided(ProbeQuestion{.pod = *pod_,
                                  .container = change.container,
                                  .rules = change.judged->rules,
                                  .state = change.judged->state,
                                  .answer = change.judged->attempt,
                                  .weight = change.judged->weight,
                                  .runs = change.why},
                    change.judged->judgement);
  if (change.judged != nullptr && change.update.result == probes::ProbeResult::kSuccess)
    teller_.probe_succeeded(probes::to_string(change.type), change.container);
  if (!probes_.showing()) mailbox_.ring();
}

void PodWorker::probe_reported(const probes::ProbeEvent& told) {
  teller_.probe_failed(told.notice.reason, told.notice.message, told.container);
}

boost::asio::awaitable<bool> PodWorker::advance() {
  if (!observed_.known()) co_return co_await observe();
  attend_probes();
  switch (course_.state()) {
    case WorkerState::kSyncing:
      co_return co_await sync();
    case WorkerState::kEnding:
      co_return co_await end();
    case WorkerState::kEnded:
      co_return co_await ended();
    case WorkerState::kRemoving:
      co_return co_await remove();
    case WorkerState::kFinished:
      break;
  }
  co_return false;
}

void PodWorker::take_end(const Ending& order) {
  const std::optional<EndInForce> next = end_with(order);
  const std::int64_t previous = course_.end() ? course_.end()->grace_seconds : 0;
  if (next && (removes(order) || next != course_.end()))
    put_in_force(*next, previous, !course_.end());
}

// An order that stops and keeps the pod has no effect on one that has stopped and is kept.
std::optional<EndInForce> PodWorker::end_with(const Ending& order) const {
  if (!course_.over()) return in_force(*pod_, course_.end(), order);
  if (!removes(order) && !course_.to_be_removed()) return course_.end();
  return in_force(*pod_, course_.end(), as_given(order, course_.end(), phase_for_orders()));
}

// The phase by which an order given now is judged.
std::string_view PodWorker::phase_for_orders() const {
  return course_.over() ? kFailed : std::string_view(status_.computed().phase);
}

// `previous`: the grace period in force before; 0 if there was none for the pod as a whole (past
// its deadline, every container has its own). `first`: the pod ends from now on.
void PodWorker::put_in_force(const EndInForce& end, std::int64_t previous, bool first) {
  course_.order(end);
  // Read before the status is computed as the order requires.
  const bool lives =
      course_.state() == WorkerState::kSyncing && !is_terminal_phase(status_.computed().phase);
  if (const ShownFailure* failure = shown_failure())
    status_.compute(failed_status(*pod_, status_.computed(), *failure, env_.clock.wall_now()));
  if (!sets_period(end.ending)) return;
  const GraceQuestion question = grace_question(*pod_, end.ending, previous);
  const GraceDecision grace = decide_grace(question);
  teller_.ledger().decided(question, grace, env_.clock.wall_now());
  const bool changes = first || previous == 0 || grace.shortened;
  if (changes) course_.begin_period(env_.clock.steady_now());
  if (removes(end.ending)) pod_ = being_deleted(*pod_, end);
  if (changes) order_stops(lives);
}

// How a pod that was stopped before it finished is shown, as long as its exit codes may still
// decide otherwise.
const ShownFailure* PodWorker::shown_failure() const {
  const bool open = course_.end() && course_.end()->ending.failure &&
                    !course_.end()->ending.failure->whatever_exits &&
                    keeper_.verdict() == Verdict::kNone;
  return open ? &*course_.end()->ending.failure : nullptr;
}

void PodWorker::take_conditions(const std::map<std::string, api::PodCondition>& conditions) {
  if (conditions.empty()) return;
  auto next = std::make_shared<api::Pod>(*pod_);
  for (const auto& [type, condition] : conditions) {
    put_condition(next->status.conditions, condition, env_.clock.wall_now());
    teller_.happened("Condition", {}, fmt::format("somebody set {} to {}", type, condition.status));
  }
  pod_ = std::move(next);
}

// All state changes go through here.
void PodWorker::enter(WorkerState state, std::string_view why) {
  const std::string record =
      teller_.happened({}, StateEntered{.from = std::string(to_string(course_.state())),
                                        .to = std::string(to_string(state)),
                                        .because = std::string(why)});
  teller_.log(LogLevel::kInfo, "PodState",
              fmt::format("{} -> {}: {}", to_string(course_.state()), to_string(state), why),
              About{.decision = record});
  course_.enter(state);
  timetable_.retry_all();
  // Nothing starts any more, so nothing waits for a start.
  starts_.forget_errors();
  stops_.singles_over();
  if (state == WorkerState::kEnded) env_.owner.left_node(pod_->metadata.uid);
}

Instant PodWorker::instant() const {
  return {.steady = env_.clock.steady_now(), .wall = env_.clock.wall_now()};
}

bool PodWorker::is_regular(const std::string& name) const {
  return find_container(*pod_, name) != nullptr;
}

const api::Container* PodWorker::container_spec(const std::string& name) const {
  if (const auto* container = find_container(*pod_, name)) return container;
  return find_init_container(*pod_, name);
}

const cri::PodSandboxStatus* PodWorker::ready_sandbox() const {
  const cri::PodSandboxStatus* newest = nullptr;
  const std::set<std::string> strays = stray_sandboxes(observed_, *pod_);
  for (const auto& [id, sandbox] : observed_.sandboxes()) {
    if (sandbox.state != cri::SandboxState::kReady || strays.contains(id)) continue;
    if (newest == nullptr || newest->metadata.attempt < sandbox.metadata.attempt) newest = &sandbox;
  }
  return newest;
}

}  // namespace berth::lifecycle
