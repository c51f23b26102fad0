// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_sync.hpp"

#include <utility>

#include <fmt/core.h>

#include "lifecycle/ledger/why.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_hooks.hpp"
#include "lifecycle/worker/pod_parts.hpp"
#include "lifecycle/worker/pod_planner.hpp"
#include "lifecycle/worker/pod_report.hpp"
#include "lifecycle/worker/pod_transitions.hpp"
#include "lifecycle/worker/pod_volumes.hpp"
#include "lifecycle/worker/runtime/pod_garbage.hpp"
#include "lifecycle/worker/starts/next_start.hpp"
#include "lifecycle/worker/starts/pod_sandboxes.hpp"
#include "lifecycle/worker/starts/start_sequence.hpp"
#include "lifecycle/worker/stops/pod_termination.hpp"

namespace berth::lifecycle {

namespace {

bool starts_something(const PodActions& actions) {
  return actions.create_sandbox || !actions.init_containers_to_start.empty() ||
         !actions.containers_to_start.empty();
}

}  // namespace

PodSync::PodSync(PodParts& parts, const PodFacts& facts, PodReport& report, PodHooks& hooks,
                 PodTermination& termination, PodGarbage& garbage, PodTransitions& transitions,
                 PodVolumes& volumes, StartSequence& sequence, PodSandboxes& sandboxes,
                 PodPlanner& planner)
    : teller_(parts.teller),
      course_(parts.course),
      timetable_(parts.timetable),
      observed_(parts.observed),
      stops_(parts.stops),
      status_(parts.status),
      facts_(facts),
      report_(report),
      hooks_(hooks),
      termination_(termination),
      garbage_(garbage),
      transitions_(transitions),
      volumes_(volumes),
      sequence_(sequence),
      sandboxes_(sandboxes),
      planner_(planner) {}

boost::asio::awaitable<bool> PodSync::sync() {
  report_.refresh();
  if (!stops_.singles().empty() && !course_.end() && !is_terminal_phase(status_.computed().phase)) {
    // As in the kubelet, the kills are waited for.
    co_await termination_.advance_kills();
    if (termination_.stops_hold_others()) co_return false;
  }
  if (stops_.sandboxes().stops_whole_pod() && !course_.end() &&
      !is_terminal_phase(status_.computed().phase)) {
    const bool stopped = co_await kill_pod();
    if (!stopped) co_return false;
    report_.refresh();
  }
  if (!course_.end() && !is_terminal_phase(status_.computed().phase)) {
    co_await volumes_.ask_for_recursive_read_only();
    if (facts_.ready_sandbox() != nullptr) co_await volumes_.refresh_volumes();
    co_await planner_.look_for_images();
    PodPlanner::Decided decided = planner_.decide();
    Plan& next = decided.plan;
    if (next.deadline_exceeded) {
      transitions_.exceed_deadline();
    } else {
      planner_.note_refusals(next, decided.record);
      teller_.log_plan(next.actions.reasons, decided.record);
      report_.refresh();
      timetable_.look_again_at_wall(next.look_again_at);
      // As in the kubelet, nothing is stopped either; a change of the network rings the bell.
      if (sandboxes_.network_missing()) co_return false;
      if (starts_something(next.actions)) volumes_.report_missing_secrets();
      if (!next.actions.kill_pod) termination_.add_interrupted(next.actions.containers_to_kill);
      co_return co_await carry_out(std::move(next.actions));
    }
  }
  if (hooks_.awaits_post_start()) co_return false;
  if (course_.to_be_removed())
    transitions_.enter(WorkerState::kEnding, kEndOrdered);
  else
    transitions_.enter(WorkerState::kEnding,
                       fmt::format("the pod is {}", status_.computed().phase));
  co_return true;
}

boost::asio::awaitable<bool> PodSync::carry_out(PodActions actions) {
  // As in the kubelet, stops under way are waited for; their reports ring the bell.
  if (termination_.stops_hold_others()) co_return false;
  if (actions.create_sandbox) report_sandbox_change(actions.attempt);
  if (actions.kill_pod) {
    const std::uint64_t before = observed_.revision();
    const bool stopped = co_await kill_pod();
    if (!stopped) co_return false;
    // What can be started in a sandbox that has been stopped is decided by the next plan.
    if (observed_.revision() != before) co_return true;
  } else if (!actions.containers_to_kill.empty()) {
    co_await termination_.kill_containers(std::move(actions.containers_to_kill));
    co_return false;
  }
  const bool no_strays = co_await garbage_.remove_strays();
  if (actions.create_sandbox) {
    if (!no_strays || sandboxes_.sandbox_refused()) co_return false;
    const bool ready = co_await sandboxes_.prepare_and_remember();
    if (!ready) co_return false;
    const bool removed = co_await garbage_.remove_init_containers();
    if (!removed) co_return false;
    co_return co_await sandboxes_.create_sandbox(actions.attempt);
  }
  co_await garbage_.trim();
  if (actions.kill_pod) co_return false;
  co_await termination_.kill_containers(unknown_predecessors(facts_.runtime_view()));
  if (termination_.stops_hold_others() || !volumes_.knows_recursive_read_only()) co_return false;
  co_return co_await sequence_.start_containers(std::move(actions));
}

// Reports the change once per new sandbox, before anything is stopped for it.
void PodSync::report_sandbox_change(std::uint32_t attempt) {
  if (observed_.sandboxes().empty() || !stops_.sandboxes().report_change(attempt)) return;
  teller_.event(EventLevel::kNormal, "SandboxChanged",
                "Pod sandbox changed, it will be killed and re-created.");
}

// As in the kubelet, a stop that has begun continues until nothing runs: sidecars that have been
// stopped are not started again while the others wait for their turn.
boost::asio::awaitable<bool> PodSync::kill_pod() {
  stops_.sandboxes().begin_whole_pod();
  const bool stopped = co_await termination_.stop_everything();
  if (stopped) stops_.sandboxes().end_whole_pod();
  co_return stopped;
}

}  // namespace berth::lifecycle
