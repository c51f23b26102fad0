// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/stops/pod_termination.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "api/field_error.hpp"
#include "base/rpc_error.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/interrupted_stops.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/termination_order.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_hooks.hpp"
#include "lifecycle/worker/pod_parts.hpp"
#include "lifecycle/worker/pod_persistence.hpp"
#include "lifecycle/worker/runtime/pod_observation.hpp"
#include "lifecycle/worker/runtime/pod_removal.hpp"
#include "lifecycle/worker/stops/stops_step.hpp"
#include "lifecycle/worker/store_wait.hpp"

namespace berth::lifecycle {

PodTermination::PodTermination(PodParts& parts, const PodFacts& facts, PodPersistence& persistence,
                               PodObservation& observation, PodHooks& hooks, PodRemoval& removal)
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
      starts_(parts.starts),
      facts_(facts),
      persistence_(persistence),
      observation_(observation),
      hooks_(hooks),
      removal_(removal) {}

// True if nothing runs and every sandbox is stopped. Otherwise this did what can be done now, and
// is called again after the next report or at the next instant of the order.
boost::asio::awaitable<bool> PodTermination::stop_everything() {
  const StopsStep step = co_await advance_stops(StopScope::kPod);
  if (step.waits() || stops_.any_under_way()) co_return false;
  const bool begun = co_await started_meanwhile(step.created);
  if (begun) co_return false;
  const bool stopped = co_await stop_sandboxes();
  if (!stopped) co_return false;
  // From now on the created containers cannot run: everything is read once more.
  if (!step.created.empty()) {
    observed_.doubt();
    mailbox_.ring();
    co_return false;
  }
  // Their sandbox was stopped, so these containers end; the runtime is polled until it shows that,
  // as after an event.
  ask_how_ended(step.left);
  co_return step.left.empty();
}

// Decides what to do next (stops_step.hpp) and does it.
boost::asio::awaitable<StopsStep> PodTermination::advance_stops(StopScope scope) {
  const PodPtr pod = pod_;  // the step refers to it
  const StopsInput input = stops_input(scope);
  StopsStep step = next_stops_step(input);
  note(input, step);
  co_await begin_pre_stops(step.begin_hooks);
  co_await call_stops(step.calls);
  // These have already been recorded.
  step.pre_stops.clear();
  step.singles.clear();
  co_return step;
}

boost::asio::awaitable<void> PodTermination::begin_pre_stops(std::vector<std::string> ids) {
  if (ids.empty()) co_return;
  const bool may_go_on = co_await remember_reaching(ids);
  if (may_go_on) hooks_.run_pre_stops(ids);
}

// From now on each container has its grace period, including those that wait for their turn.
StopsInput PodTermination::stops_input(StopScope scope) {
  const Instant now = facts_.instant();
  StopsInput input{.pod = *pod_, .scope = scope, .now = now.steady};
  if (scope == StopScope::kPod) {
    for (const auto& [id, container] : observed_.containers())
      if (container.status.state != cri::ContainerState::kExited)
        input.containers.push_back(to_stop(container, KillReason::kNone, now));
    return input;
  }
  for (const std::string& id : stops_.singles()) {
    const ObservedContainer* container = observed_.container(id);
    if (container == nullptr || stops_.under_way(id) || !timetable_.due("stop/" + id)) continue;
    input.containers.push_back(to_stop(*container, stops_.find(id)->single->reason, now));
  }
  return input;
}

ContainerToStop PodTermination::to_stop(const ObservedContainer& container, KillReason reason,
                                        const Instant& now) {
  const std::string id = container.status.id.str();
  const std::string& name = container.status.metadata.name;
  const api::Container* spec = facts_.container_spec(name);
  const StopGrace grace = grace_of(name, reason);
  stops_.begin(id, name, grace.effective_seconds, now);
  StopRetry retry = StopRetry::kNone;
  if (timetable_.failing("stop/" + id))
    retry = timetable_.due("stop/" + id) ? StopRetry::kDue : StopRetry::kLater;
  return {.id = id,
          .name = name,
          .state = container.status.state,
          .grace = grace,
          .has_pre_stop = spec != nullptr && spec->lifecycle && spec->lifecycle->preStop,
          .starting = starts_.is_starting(name, id),
          .sandbox_known = observed_.sandbox(container.sandbox) != nullptr,
          .sandbox_stopped = stops_.sandboxes().is_stopped(container.sandbox),
          .retry = retry,
          .stop = *stops_.find(id)};
}

// Does the part of a step that needs no waiting.
void PodTermination::note(const StopsInput& input, const StopsStep& step) {
  const WallTime wall = env_.clock.wall_now();
  for (const std::string& id : step.retry_at_once) timetable_.succeeded("stop/" + id);
  for (const std::string& id : step.left) {
    // If its sandbox was stopped and the container outlived it, the sandbox is stopped once more.
    if (!observed_.ends().contains(id))
      stops_.sandboxes().stop_again(observed_.container(id)->sandbox);
  }
  ask_how_ended(step.await_starts);
  for (const ShorterCall& call : step.shorten_again) shorten_again(call);
  for (const PreStopDecision& decision : step.pre_stops) {
    teller_.ledger().decided(decision.question, decision.step, wall);
    if (decision.step.settle) stops_.pre_stop_settled(decision.id, decision.step.done_at);
  }
  if (input.scope == StopScope::kPod) {
    const std::string record = teller_.ledger().decided(
        StopsQuestion{*input.pod, step.stopping, input.now}, step.order, wall);
    teller_.log_stops(step.order.reasons, record);
  }
  for (const SingleStopDecision& decision : step.singles)
    teller_.ledger().decided(decision.question, decision.step, wall);
  timetable_.look_again_at(step.look_again_at);
  for (const std::string& id : step.give_up_hooks) stops_.pre_stop_done(id, input.now);
}

// Stored first, so that after a crash it is known when each grace period ends; the wait for the
// commit is deducted from the period.
boost::asio::awaitable<void> PodTermination::call_stops(std::vector<StopCall> calls) {
  if (calls.empty()) co_return;
  const SteadyTime asked = env_.clock.steady_now();
  std::vector<std::string> reached;
  for (const StopCall& call : calls) reached.push_back(call.id);
  const bool may_go_on = co_await remember_reaching(std::move(reached));
  if (!may_go_on) co_return;
  const Nanoseconds waited = env_.clock.steady_now() - asked;
  for (const StopCall& call : calls) {
    const ObservedContainer* container = observed_.container(call.id);
    if (stops_.under_way(call.id) || container == nullptr ||
        container->status.state == cri::ContainerState::kExited)
      continue;
    call_stop(call.id, std::chrono::seconds(stop_timeout_seconds(call.timeout_seconds,
                                                                 Nanoseconds::zero(), waited)));
  }
}

// False if an order to end the pod arrived meanwhile. Nothing has reached the containers yet, so
// their stops are decided again with that order in force.
boost::asio::awaitable<bool> PodTermination::remember_reaching(std::vector<std::string> ids) {
  const std::vector<std::string> newly = stops_.reach(ids);
  for (const std::string& id : newly) starts_.stopped_to_start_again(id);
  const bool waited = co_await persistence_.remember_for_stop();
  if (waited) {
    const StoreWaitQuestion question{.pod = *pod_,
                                     .limit = kStopWaitsForStore,
                                     .under_way = keeper_.storing(),
                                     .error = keeper_.error()};
    teller_.decided(question, decide_store_wait(question));
  }
  if (!order_waits()) co_return true;
  stops_.unreach(newly);
  co_return false;
}

// Whether an order waits in the mailbox that demands more than the one in force.
bool PodTermination::order_waits() const {
  return mailbox_.orders().end &&
         (!course_.end() ||
          merge(course_.end()->ending, *mailbox_.orders().end) != course_.end()->ending);
}

// Applies an order to end the pod to the stops under way. `lives`: the pod lived until then.
void PodTermination::order_stops(bool lives) {
  const Instant now = facts_.instant();
  const Nanoseconds ago = now.wall - course_.end()->ending.requested_at;
  stops_.order({.ordered_at = now.steady - std::max(ago, Nanoseconds::zero()),
                .seconds = course_.end()->grace_seconds,
                .overtakes = lives},
               now);
  shorten_stops();
}

// The containers have ended, or are about to: the runtime is polled until it shows that.
void PodTermination::ask_how_ended(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    observation_.ask_whether_ended(id);
    timetable_.look_again_at(observed_.ends().ask_at(id));
  }
}

// A call of an earlier berthd may have started one of them; it is then stopped like the others.
boost::asio::awaitable<bool> PodTermination::started_meanwhile(std::vector<std::string> created) {
  bool any = false;
  for (const std::string& id : created) {
    co_await observation_.ask_for_stop(id);
    const ObservedContainer* container = observed_.container(id);
    any = any || (container != nullptr && container->status.state == cri::ContainerState::kRunning);
  }
  if (any) mailbox_.ring();
  co_return any;
}

boost::asio::awaitable<bool> PodTermination::stop_sandboxes() {
  std::vector<std::string> sandboxes;
  for (const auto& [id, sandbox] : observed_.sandboxes())
    if (!stops_.sandboxes().is_stopped(id) || sandbox.state == cri::SandboxState::kReady)
      sandboxes.push_back(id);
  bool all = true;
  for (const std::string& id : sandboxes) {
    const std::string key = "stop/" + id;
    if (!timetable_.due(key)) {
      all = false;
      continue;
    }
    record_ended_with_sandbox(id);
    Context context;
    auto stopped = co_await env_.runtime.stop_pod_sandbox(context, cri::SandboxId(id));
    if (!stopped && stopped.error().code != ErrorCode::kNotFound) {
      timetable_.failed(key);
      teller_.hindered({.kind = ObstacleKind::kStop, .id = id, .error = stopped.error().message});
      all = false;
      kill_failed("KillPodSandbox", pod_->metadata.uid, stopped.error());
      continue;
    }
    timetable_.succeeded(key);
    teller_.unhindered(ObstacleKind::kStop, id);
    stops_.sandboxes().stopped(id);
    observed_.sandbox_stopped(id);
    observed_.ends().over(id);
  }
  co_return all;
}

void PodTermination::record_ended_with_sandbox(const std::string& sandbox) {
  for (const auto& [id, container] : observed_.containers())
    if (container.sandbox == sandbox && container.status.state == cri::ContainerState::kRunning)
      teller_.happened(
          "SandboxStop", container.status.metadata.name,
          "the runtime did not signal it within its grace period, so it ends with its sandbox");
}

void PodTermination::add_interrupted(std::vector<ContainerKill>& kills) {
  const std::vector<std::string> unasked = stops_.unasked();
  if (unasked.empty()) return;
  for (ContainerKill& kill : interrupted_kills(unasked, facts_.runtime_view(), kills)) {
    teller_.happened(
        "PostStartFailed", kill.name,
        "an earlier berthd was stopping it, for a reason that cannot be seen any more (such as a "
        "postStart hook that failed); the stop continues");
    kills.push_back(std::move(kill));
  }
}

boost::asio::awaitable<void> PodTermination::kill_containers(std::vector<ContainerKill> kills) {
  for (ContainerKill& kill : kills) stops_.ask(std::move(kill));
  co_await advance_kills();
}

// Stops single containers while the pod lives on: each with its hook, in no particular order.
boost::asio::awaitable<void> PodTermination::advance_kills() {
  std::vector<std::string> predecessors;
  for (const std::string& id : stops_.singles()) {
    const ObservedContainer* container = observed_.container(id);
    if (container != nullptr) {
      if (container->status.state != cri::ContainerState::kExited) continue;
      if (observed_.newest(container->status.metadata.name) != container)
        predecessors.push_back(id);
    }
    stops_.single_over(id);
  }
  for (const std::string& id : predecessors) co_await removal_.remove_container(id);
  static_cast<void>(co_await advance_stops(StopScope::kSingles));
}

// A container whose postStart hook failed, or which has a successor, holds up the others until its
// StopContainer call fails, too: then the others continue, as in the kubelet, and the call is
// retried concurrently.
bool PodTermination::holds_others(const std::string& id) const {
  const ContainerStop* stop = stops_.find(id);
  if (stop == nullptr || !stop->single || !timetable_.failing("stop/" + id)) return true;
  const ObservedContainer* newest = observed_.newest(stop->single->name);
  const bool succeeded = newest != nullptr && newest->status.id != stop->single->id;
  return !succeeded && stop->single->reason != KillReason::kFailedPostStartHook;
}

bool PodTermination::stops_hold_others() const {
  const auto holds = [this](const std::string& id) { return holds_others(id); };
  return std::ranges::any_of(stops_.singles(), holds) ||
         std::ranges::any_of(stops_.ids_under_way(), holds);
}

void PodTermination::call_stop(const std::string& id, std::chrono::seconds timeout) {
  const SteadyTime kill_at = env_.clock.steady_now() + timeout;
  stops_.call(id, kill_at - timeout, kill_at);
  const ContainerStop& stop = *stops_.find(id);
  const std::string record = teller_.happened(
      stop.name, StopSent{.message = stop.message(), .grace_seconds = timeout.count()});
  hooks_.report_killing(id, record);
  children_.spawn("stop " + stop.name, stop_container(id, timeout, kill_at));
}

// If the grace period is now shorter than the one passed to the runtime, makes a second call with
// the new one. The runtime signals once, and kills at the earlier of the two ends.
void PodTermination::shorten_stops() {
  const std::chrono::seconds timeout(
      stop_timeout_seconds(course_.end()->grace_seconds, Nanoseconds::zero(), Nanoseconds::zero()));
  const SteadyTime kill_at = env_.clock.steady_now() + timeout;
  for (const std::string& id : stops_.ids_under_way()) {
    if (!stops_.shorten(id, kill_at)) continue;
    const std::string name = stops_.find(id)->name;
    teller_.happened(name,
                     StopSent{.grace_seconds = course_.end()->grace_seconds, .shortened = true});
    children_.spawn("stop " + name, stop_container(id, timeout, kill_at));
  }
}

// Repeats a second call that failed while the one with the longer period continues.
void PodTermination::shorten_again(const ShorterCall& shorter) {
  const StopCall& call = shorter.call;
  if (!stops_.shorten(call.id, shorter.kill_at)) return;
  children_.spawn(
      "stop " + call.name,
      stop_container(call.id, std::chrono::seconds(call.timeout_seconds), shorter.kill_at));
}

boost::asio::awaitable<void> PodTermination::stop_container(std::string id,
                                                            std::chrono::seconds timeout,
                                                            SteadyTime kill_at) {
  Context context;
  auto stopped = co_await env_.runtime.stop_container(context, cri::ContainerId(id), timeout);
  StopReport report;
  report.id = id;
  report.kill_at = kill_at;
  if (!stopped && stopped.error().code != ErrorCode::kNotFound) report.error = stopped.error();
  stops_.answered(std::move(report));
  mailbox_.ring();
}

boost::asio::awaitable<void> PodTermination::absorb_stop_reports() {
  std::vector<StopReport> reports = stops_.reports();
  for (StopReport& report : reports) {
    const auto name = stops_.call_over(report);
    if (!name) continue;
    if (!report.error) {
      timetable_.succeeded("stop/" + report.id);
      teller_.unhindered(ObstacleKind::kStop, report.id);
      co_await absorb_stop(report.id);
      continue;
    }
    timetable_.failed("stop/" + report.id);
    observed_.doubt();
    if (begins_again(*report.error, env_.options.termination_on_restart))
      stops_.begin_again(report.id);
    teller_.hindered({.kind = ObstacleKind::kStop,
                      .id = report.id,
                      .container = *name,
                      .error = report.error->message});
    if (course_.state() == WorkerState::kSyncing)
      teller_.log(LogLevel::kWarn, "FailedKillContainer", report.error->message,
                  About{.container = *name, .container_id = report.id});
    else
      kill_failed("KillContainer", *name, *report.error);
  }
}

// The kubelet has no event for a kill that fails while the pod lives on: an obstacle shows it.
void PodTermination::kill_failed(std::string_view action, const std::string& target,
                                 const Error& error) {
  if (course_.state() == WorkerState::kSyncing) return;
  teller_.warn_event(
      "FailedKillPod",
      fmt::format("error killing pod: failed to \"{0}\" for \"{1}\" with {0}Error: {2}", action,
                  target, api::go_quote(without_call(error.message))));
}

// The runtime reports the container as stopped: finds out how it ended.
boost::asio::awaitable<void> PodTermination::absorb_stop(std::string id) {
  const ObservedContainer* container = observed_.container(id);
  if (container == nullptr) co_return;
  if (container->status.state == cri::ContainerState::kExited && !container->provisional) co_return;
  const bool settled = co_await observation_.ask_for_stop(id);
  if (settled) {
    observed_.ends().over(id);
    co_return;
  }
  observation_.ask_whether_ended(id);
}

StopGrace PodTermination::grace_of(const std::string& name, KillReason reason) const {
  std::optional<std::int64_t> override_seconds;
  if (course_.end() && course_.end()->grace_seconds > 0)
    override_seconds = course_.end()->grace_seconds;
  if (const api::Container* container = facts_.container_spec(name))
    return stop_grace(*pod_, *container, reason, override_seconds);
  // The container is not (or no longer) in the spec: what was stored at its creation decides.
  StoredStop stored;
  if (const ObservedContainer* container = observed_.newest(name))
    stored = stored_stop(container->status.annotations);
  return stop_grace(stored, override_seconds);
}

}  // namespace berth::lifecycle
