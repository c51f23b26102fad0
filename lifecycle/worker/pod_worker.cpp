// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_worker.hpp"

#include <exception>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "lifecycle/in_hand.hpp"
#include "lifecycle/worker/pod_ending.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_hooks.hpp"
#include "lifecycle/worker/pod_identity.hpp"
#include "lifecycle/worker/pod_persistence.hpp"
#include "lifecycle/worker/pod_planner.hpp"
#include "lifecycle/worker/pod_report.hpp"
#include "lifecycle/worker/pod_sync.hpp"
#include "lifecycle/worker/pod_transitions.hpp"
#include "lifecycle/worker/pod_volumes.hpp"
#include "lifecycle/worker/probes/probe_question.hpp"
#include "lifecycle/worker/runtime/garbage_rounds.hpp"
#include "lifecycle/worker/runtime/pod_garbage.hpp"
#include "lifecycle/worker/runtime/pod_observation.hpp"
#include "lifecycle/worker/runtime/pod_removal.hpp"
#include "lifecycle/worker/starts/container_images.hpp"
#include "lifecycle/worker/starts/container_starter.hpp"
#include "lifecycle/worker/starts/pod_look_ahead.hpp"
#include "lifecycle/worker/starts/pod_sandboxes.hpp"
#include "lifecycle/worker/starts/start_sequence.hpp"
#include "lifecycle/worker/stops/pod_termination.hpp"

namespace berth::lifecycle {

// Starts containers, and the sandbox that they need.
struct PodStartJobs {
  PodStartJobs(PodParts& parts, const PodFacts& facts, PodPersistence& persistence,
               PodReport& report, PodObservation& observation, PodHooks& hooks, PodRemoval& removal,
               PodVolumes& volumes)
      : ahead(parts, facts),
        images(parts, facts, persistence, ahead, volumes),
        starter(parts, facts, persistence, report, observation, hooks, removal, ahead, volumes,
                images),
        sequence(parts, persistence, report, starter),
        sandboxes(parts, facts, persistence, observation, ahead) {}
  PodStartJobs(const PodStartJobs&) = delete;
  PodStartJobs& operator=(const PodStartJobs&) = delete;
  ~PodStartJobs() = default;

  PodLookAhead ahead;
  ContainerImages images;
  ContainerStarter starter;
  StartSequence sequence;
  PodSandboxes sandboxes;
};

// The classes that make up the worker's behaviour, in the order of their dependencies: each refers
// only to parts (pod_parts.hpp) and to classes declared before it.
struct PodJobs {
  explicit PodJobs(PodParts& parts)
      : facts(parts),
        persistence(parts, facts),
        report(parts, facts, persistence),
        observation(parts, facts),
        hooks(parts, facts),
        removal(parts),
        termination(parts, facts, persistence, observation, hooks, removal),
        garbage(parts, removal, termination),
        transitions(parts, facts, report, termination),
        volumes(parts, facts),
        starts(parts, facts, persistence, report, observation, hooks, removal, volumes),
        planner(parts, facts),
        sync(parts, facts, report, hooks, termination, garbage, transitions, volumes,
             starts.sequence, starts.sandboxes, planner),
        ending(parts, facts, persistence, report, removal, termination, garbage, transitions,
               starts.ahead) {}
  PodJobs(const PodJobs&) = delete;
  PodJobs& operator=(const PodJobs&) = delete;
  ~PodJobs() = default;

  PodFacts facts;
  PodPersistence persistence;
  PodReport report;
  PodObservation observation;
  PodHooks hooks;
  PodRemoval removal;
  PodTermination termination;
  PodGarbage garbage;
  PodTransitions transitions;
  PodVolumes volumes;
  PodStartJobs starts;
  PodPlanner planner;
  PodSync sync;
  PodEnding ending;
};

PodWorker::PodWorker(const PodEnvironment& environment, PodPtr pod, std::optional<ListedPod> listed,
                     PodMemoryPtr memory)
    : parts_(environment, std::move(pod), std::move(listed), memory),
      jobs_(std::make_unique<PodJobs>(parts_)) {
  if (memory) jobs_->transitions.begin_from(*memory);
  const bool over = memory && memory->verdict != Verdict::kNone;
  if (!is_new() && !over) parts_.env.host.know_pod(parts_.pod);
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
  parts_.children.request_stop();
  co_await parts_.children.join();
  if (failure) {
    if (parts_.env.in_hand != nullptr && !is_cancellation(failure))
      parts_.env.in_hand->take(handled_as(*parts_.pod));
    std::rethrow_exception(failure);
  }
}

void PodWorker::post(PodOrders orders) {
  std::optional<Ending> waiting;
  if (orders.end) {
    const std::optional<EndInForce> before = jobs_->facts.ordered_end();
    orders.end = as_given(std::move(*orders.end), before, jobs_->facts.phase_for_orders());
    if (parts_.mailbox.orders().end && before) waiting = with_period(*before);
  }
  parts_.mailbox.post(std::move(orders), std::move(waiting));
  if (!parts_.mailbox.orders().end) return;
  parts_.keeper.wake_waiter();  // nobody waits any more for a start that waits for the store
  jobs_->persistence.remember_order();
  jobs_->report.show_order();
}

BelievedPod PodWorker::believed() const {
  BelievedPod believed = parts_.observed.believed();
  // In the middle of a turn, the runtime may show more because of one of the worker's own calls.
  believed.settled = parts_.observed.known() && parts_.mailbox.resting() &&
                     parts_.observed.ends().empty() && !parts_.stops.any_under_way();
  return believed;
}

boost::asio::awaitable<void> PodWorker::live() {
  if (is_new()) parts_.setup.begin();  // runs beside the first decision, which will need it
  while (parts_.course.state() != WorkerState::kFinished) {
    // Tasks begun concurrently run first, so that they are done by the time they are needed.
    co_await boost::asio::post(parts_.env.executor, boost::asio::use_awaitable);
    parts_.timetable.begin_turn();
    const SteadyTime began = parts_.env.clock.steady_now();
    co_await absorb();
    if (parts_.mailbox.orders().end)
      continue;  // arrived during a call of the runtime: decide nothing without it
    const WorkerState before = parts_.course.state();
    const std::uint64_t revision = parts_.observed.revision();
    const bool was_known = parts_.observed.known();
    bool again = co_await advance();
    if (parts_.course.state() == WorkerState::kFinished) co_return;
    // A turn that requests another one should have changed something. If it did not, a short wait
    // keeps a bug from becoming a busy loop.
    const bool moved = parts_.course.state() != before || parts_.observed.revision() != revision ||
                       parts_.observed.known() != was_known;
    if (again && !moved) {
      again = false;
      parts_.timetable.look_again_at(parts_.env.clock.steady_now() + kHiccup.first);
    }
    if (again) continue;
    jobs_->starts.sandboxes.give_turn_back();
    co_await rest(began);
  }
}

// Whether nobody has begun the pod, and nobody has ordered its end.
bool PodWorker::is_new() const {
  return !parts_.keeper.recalled() && parts_.observed.listed_empty() && !jobs_->facts.ending();
}

// Waits for the next turn. A retry that became due since this turn began is considered then.
boost::asio::awaitable<void> PodWorker::rest(SteadyTime turn_began) {
  jobs_->persistence.remember_later();
  if (jobs_->garbage.has_garbage()) parts_.env.shared.garbage.has_garbage(parts_.pod->metadata.uid);
  parts_.timetable.look_at_retries(turn_began);
  co_await parts_.mailbox.rest(parts_.env.clock, parts_.timetable.next_look(),
                               parts_.pod->metadata.uid);
}

// Processes the mailbox, the reports of child tasks, and the ends whose polls are due.
boost::asio::awaitable<void> PodWorker::absorb() {
  PodOrders orders = parts_.mailbox.collect();
  if (orders.runtime_back) {
    parts_.timetable.retry_all();
    parts_.setup.ask_runtime_again();
  }
  if (orders.inspect) parts_.observed.doubt();
  if (orders.end) jobs_->transitions.apply_order(*orders.end);
  if (orders.objects_changed) jobs_->volumes.objects_changed();
  jobs_->transitions.set_conditions(orders.conditions);
  for (const auto& [id, news] : orders.stopped) {
    jobs_->observation.note_stop(id, news);
    co_await jobs_->observation.complete_exit_shown(id);
  }
  co_await jobs_->persistence.keep_orders(orders.end || !orders.conditions.empty());
  jobs_->hooks.absorb_post_starts();
  co_await jobs_->termination.absorb_stop_reports();
  co_await jobs_->observation.ask_for_stops();
  // If something is left, the worker reports its garbage again.
  if (orders.collect == Collection::kFinishedPods ||
      (orders.collect == Collection::kRemains && jobs_->garbage.has_garbage()))
    co_await jobs_->garbage.collect(jobs_->garbage.content(), orders.collect);
}

// Probes the pod from the moment it is first seen until nothing of it runs.
void PodWorker::attend_probes() {
  const bool wanted = parts_.course.state() == WorkerState::kSyncing ||
                      parts_.course.state() == WorkerState::kEnding;
  if (!wanted) return parts_.probes.end();
  if (parts_.probes.can_begin(*parts_.pod))
    parts_.probes.begin(*parts_.pod, jobs_->facts.runtime_view(),
                        parts_.observed.found_something() && !parts_.keeper.recalled());
  if (parts_.course.ends()) parts_.probes.keep_readiness_only();
}

void PodWorker::probe_changed(const probes::ProbeChange& change) {
  if (change.judged != nullptr)
    parts_.teller.decided(ProbeQuestion{.pod = *parts_.pod,
                                        .container = change.container,
                                        .rules = change.judged->rules,
                                        .state = change.judged->state,
                                        .answer = change.judged->attempt,
                                        .weight = change.judged->weight,
                                        .runs = change.why},
                          change.judged->judgement);
  if (change.judged != nullptr && change.update.result == probes::ProbeResult::kSuccess)
    parts_.teller.probe_succeeded(change.type, change.container);
  if (!parts_.probes.showing()) parts_.mailbox.ring();
}

void PodWorker::probe_reported(const probes::ProbeEvent& event) {
  parts_.teller.probe_failed(event);
}

boost::asio::awaitable<bool> PodWorker::advance() {
  if (!parts_.observed.known()) co_return co_await jobs_->observation.observe();
  attend_probes();
  switch (parts_.course.state()) {
    case WorkerState::kSyncing:
      co_return co_await jobs_->sync.sync();
    case WorkerState::kEnding:
      co_return co_await jobs_->ending.end();
    case WorkerState::kEnded:
      co_return co_await jobs_->ending.ended();
    case WorkerState::kRemoving:
      co_return co_await jobs_->ending.remove();
    case WorkerState::kFinished:
      break;
  }
  co_return false;
}

bool PodWorker::ending() const {
  return jobs_->facts.ending();
}

std::optional<EndInForce> PodWorker::ordered_end() const {
  return jobs_->facts.ordered_end();
}

bool PodWorker::orders_kept() const {
  return jobs_->persistence.orders_kept();
}

std::vector<Obstacle> PodWorker::obstacles() const {
  return jobs_->report.obstacles();
}

std::string PodWorker::container_name(const std::string& id) const {
  return jobs_->facts.container_name(id);
}

PodActivity PodWorker::activity() const {
  return jobs_->report.activity();
}

PodMemory PodWorker::memory() const {
  return jobs_->persistence.memory();
}

}  // namespace berth::lifecycle
