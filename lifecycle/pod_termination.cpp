// A worker stopping its pod, or single containers of it: in order, with the grace period in force.
//
// StopContainer takes as long as the container does, so each call is a child task that reports
// back. When a container's stop began is remembered over restarts of berthd and of the runtime: a
// call that failed is made again with what is left of the period.

#include <algorithm>
#include <ranges>
#include <utility>

#include <fmt/core.h>

#include "api/field_error.hpp"
#include "base/rpc_error.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/interrupted_stops.hpp"
#include "lifecycle/ledger/why.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/pod_status.hpp"
#include "lifecycle/pod_worker.hpp"
#include "lifecycle/termination_order.hpp"

namespace berth::lifecycle {
namespace {

constexpr std::chrono::seconds kWholeSecond{1};

}  // namespace

// True when nothing runs and every sandbox is stopped. Otherwise it did what can be done now, and
// the next report or the next instant of the order brings it here again.
boost::asio::awaitable<bool> PodWorker::stop_everything() {
  const Instant instant = this->instant();
  const SteadyTime now = instant.steady;
  std::vector<StoppingContainer> running;
  std::map<std::string, std::vector<std::string>> ids;  // by name
  std::vector<std::string> hooks;                       // preStop, to be begun
  std::vector<std::string> left;                        // to the stop of their sandbox
  bool may_start = false;
  std::vector<std::string> created;  // in sandboxes that are still to be stopped
  for (const auto& [id, container] : observed_.containers()) {
    if (container.status.state == cri::ContainerState::kExited) continue;
    const std::string& name = container.status.metadata.name;
    const StopGrace grace = grace_of(name, KillReason::kNone);
    // Of those that wait for their turn as well: their period has begun, too.
    const StopPeriod period = stops_.begin(id, name, grace.effective_seconds, instant);
    if (container.status.state == cri::ContainerState::kCreated) {
      // It holds up the sandbox alone: nobody's turn comes after what does not run.
      may_start = await_start(name, id, period) || may_start;
      if (observed_.sandbox(container.sandbox) != nullptr &&
          !stopped_sandboxes_.contains(container.sandbox))
        created.push_back(id);
      continue;
    }
    if (left_to_sandbox(container, period)) {
      left.push_back(id);
      continue;
    }
    ids[name].push_back(id);
    shorten_again(id, name, period);
    const bool signalled = stops_.under_way(id) || !due("stop/" + id);
    std::optional<SteadyTime> hook_done = period.begun_at;
    if (!signalled)
      hook_done = pre_stop_done(container, grace.run_pre_stop, period.begun_at, hooks);
    add_running(running, {.name = name,
                          .grace_seconds = period.seconds,
                          .begun_at = period.begun_at,
                          .hook_done_at = hook_done,
                          .signalled = signalled});
  }
  const TerminationStep step = next_stops(*pod_, running, now);
  teller_.ledger().decided(StopsQuestion{*pod_, running, now}, step, env_.clock.wall_now());
  teller_.log_stops(step.reasons);
  wake_at(step.look_again_at);
  for (const std::string& name : step.give_up_hook)
    for (const std::string& id : ids[name]) stops_.pre_stop_done(id, env_.clock.steady_now());
  co_await begin_pre_stops(std::move(hooks));
  if (!step.stop_now.empty()) co_await begin_stops(step.stop_now, std::move(ids));
  if (!running.empty() || may_start || stops_.any_under_way()) co_return false;
  const bool begun = co_await started_meanwhile(created);
  if (begun) co_return false;
  const bool stopped = co_await stop_sandboxes();
  if (!stopped) co_return false;
  // From now on they cannot run: everything is read once more.
  if (!created.empty()) {
    known_ = false;
    bell_.notify();
    co_return false;
  }
  ask_how_ended(left);
  co_return left.empty();
}

// Remembered first, so that whoever comes after a crash knows when each period ends; the wait for
// that is taken out of the period.
boost::asio::awaitable<void> PodWorker::begin_stops(
    std::vector<StopNow> stops, std::map<std::string, std::vector<std::string>> ids) {
  const SteadyTime asked = env_.clock.steady_now();
  std::vector<std::string> reached;
  for (const StopNow& stop : stops)
    reached.insert(reached.end(), ids[stop.name].begin(), ids[stop.name].end());
  const bool may_go_on = co_await remember_reaching(std::move(reached));
  if (!may_go_on) co_return;
  const Nanoseconds waited = env_.clock.steady_now() - asked;
  for (const StopNow& stop : stops)
    for (const std::string& id : ids[stop.name]) {
      const ObservedContainer* container = observed_.container(id);
      if (stops_.under_way(id) || container == nullptr ||
          container->status.state == cri::ContainerState::kExited)
        continue;
      const std::int64_t timeout =
          stop_timeout_seconds(stop.timeout_seconds, Nanoseconds::zero(), waited);
      begin_stop(id, std::chrono::seconds(timeout), default_kill_message(stop.name));
    }
}

// False: an order to end the pod came meanwhile. Nothing has reached the containers yet, so what
// they get is decided again, with that order taken in.
boost::asio::awaitable<bool> PodWorker::remember_reaching(std::vector<std::string> ids) {
  const std::vector<std::string> newly = stops_.reach(ids);
  for (const std::string& id : newly) {
    // From here on its exit is the agent's doing.
    if (const auto again = start_again_.find(id); again != start_again_.end())
      again->second = StartAgain::kStopped;
  }
  co_await remember_for_stop();
  if (!order_waits()) co_return true;
  stops_.unreach(newly);
  co_return false;
}

// In the mailbox, and asks for more than the one that was taken in.
bool PodWorker::order_waits() const {
  return inbox_.end && (!end_ || merge(end_->ending, *inbox_.end) != end_->ending);
}

// What an order to end the pod makes of the stops that it finds.
void PodWorker::order_stops() {
  const Instant now = instant();
  const bool lives = state_ == WorkerState::kSyncing && !is_terminal_phase(status_.phase);
  const Nanoseconds ago = now.wall - end_->ending.requested_at;
  stops_.order({.ordered_at = now.steady - std::max(ago, Nanoseconds::zero()),
                .seconds = end_->grace_seconds,
                .overtakes = lives},
               now);
  shorten_stops();
}

// Told to stop in vain until its period was over, and once more then. Stopping the sandbox ends it.
bool PodWorker::left_to_sandbox(const ObservedContainer& container, const StopPeriod& period) {
  const std::string id = container.status.id.str();
  const std::string key = "stop/" + id;
  const ContainerStop* stop = stops_.find(id);
  if (stops_.under_way(id) || !retries_.failing(key)) return false;
  const SteadyTime over =
      period.begun_at + std::chrono::seconds(std::max(period.seconds, kShortestStopTimeoutSeconds));
  if (env_.clock.steady_now() < over) {
    wake_at(over);
    return false;
  }
  if (stop == nullptr || !stop->calls.last_sent || *stop->calls.last_sent < over) {
    retries_.succeeded(key);  // at once
    return false;
  }
  if (observed_.sandbox(container.sandbox) == nullptr) return false;
  // Once more, if that was done and this one outlived it.
  if (!pending_stops_.contains(id)) stopped_sandboxes_.erase(container.sandbox);
  return true;
}

// Their sandbox was stopped, so they end; that the runtime shows it is waited for as after an
// event.
void PodWorker::ask_how_ended(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    ask_whether_ended(id);
    const auto asked = pending_stops_.find(id);
    if (asked != pending_stops_.end()) wake_at(asked->second.ask_at);
  }
}

// A call of an earlier berthd may have started one of them; it is told to stop as the others were.
boost::asio::awaitable<bool> PodWorker::started_meanwhile(std::vector<std::string> created) {
  bool any = false;
  for (const std::string& id : created) {
    co_await ask_for_stop(id);
    const ObservedContainer* container = observed_.container(id);
    any = any || (container != nullptr && container->status.state == cri::ContainerState::kRunning);
  }
  if (any) bell_.notify();
  co_return any;
}

bool PodWorker::is_starting(const std::string& name, const std::string& id) const {
  const auto pending = pending_starts_.find(name);
  return pending != pending_starts_.end() && pending->second.id == id;
}

// A start whose outcome is unknown may still make it run: for as long as its grace period the
// runtime is asked again and again. Then stopping the sandbox settles it.
bool PodWorker::await_start(const std::string& name, const std::string& id,
                            const StopPeriod& period) {
  if (!is_starting(name, id)) return false;
  const SteadyTime until = period.ends_at();
  if (until <= env_.clock.steady_now()) return false;
  wake_at(until);
  ask_whether_ended(id);
  if (const auto asked = pending_stops_.find(id); asked != pending_stops_.end())
    wake_at(asked->second.ask_at);
  return true;
}

boost::asio::awaitable<bool> PodWorker::stop_sandboxes() {
  std::vector<std::string> sandboxes;
  for (const auto& [id, sandbox] : observed_.sandboxes())
    if (!stopped_sandboxes_.contains(id) || sandbox.state == cri::SandboxState::kReady)
      sandboxes.push_back(id);
  bool all = true;
  for (const std::string& id : sandboxes) {
    const std::string key = "stop/" + id;
    if (!due(key)) {
      all = false;
      continue;
    }
    tell_ended_with(id);
    Context context;
    auto stopped = co_await env_.runtime.stop_pod_sandbox(context, cri::SandboxId(id));
    if (!stopped && stopped.error().code != ErrorCode::kNotFound) {
      failed(key);
      teller_.hindered({.kind = ObstacleKind::kStop, .id = id, .error = stopped.error().message});
      all = false;
      teller_.warn_event(
          "FailedKillPod",
          fmt::format("error killing pod: failed to \"KillPodSandbox\" for \"{}\" with "
                      "KillPodSandboxError: {}",
                      uid_, api::go_quote(without_call(stopped.error().message))));
      continue;
    }
    retries_.succeeded(key);
    teller_.unhindered(ObstacleKind::kStop, id);
    stopped_sandboxes_.insert(id);
    observed_.sandbox_stopped(id);
    pending_stops_.erase(id);
  }
  co_return all;
}

void PodWorker::tell_ended_with(const std::string& sandbox) {
  for (const auto& [id, container] : observed_.containers())
    if (container.sandbox == sandbox && container.status.state == cri::ContainerState::kRunning)
      teller_.happened(
          "SandboxStop", container.status.metadata.name,
          "it could not be told to stop in the time it had, so it ends with its sandbox");
}

boost::asio::awaitable<void> PodWorker::kill_containers(std::vector<ContainerKill> kills) {
  for (ContainerKill& kill : kills) stops_.ask(std::move(kill));
  co_await advance_kills();
}

// Single containers, while the pod lives on: each with its hook, in no order.
boost::asio::awaitable<void> PodWorker::advance_kills() {
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
  for (const std::string& id : predecessors) co_await remove_container(id);
  const Instant instant = this->instant();
  const SteadyTime now = instant.steady;
  std::vector<std::string> hooks;
  std::vector<StopNow> stops;  // by id
  for (const std::string& id : stops_.singles()) {
    const ContainerKill kill = *stops_.find(id)->single;
    if (stops_.under_way(id) || !due("stop/" + id)) continue;
    const StopGrace grace = grace_of(kill.name, kill.reason);
    const StopPeriod period = stops_.begin(id, kill.name, grace.effective_seconds, instant);
    const StoppingContainer container{
        .name = id,
        .grace_seconds = period.seconds,
        .begun_at = period.begun_at,
        .hook_done_at =
            pre_stop_done(*observed_.container(id), grace.run_pre_stop, period.begun_at, hooks)};
    const TerminationStep step = next_stops(*pod_, {container}, now);
    wake_at(step.look_again_at);
    for (const std::string& given_up : step.give_up_hook)
      stops_.pre_stop_done(given_up, env_.clock.steady_now());
    stops.insert(stops.end(), step.stop_now.begin(), step.stop_now.end());
  }
  co_await begin_pre_stops(std::move(hooks));
  if (!stops.empty()) co_await begin_kills(std::move(stops));
}

// `stops` name containers by id.
boost::asio::awaitable<void> PodWorker::begin_kills(std::vector<StopNow> stops) {
  const SteadyTime asked = env_.clock.steady_now();
  std::vector<std::string> reached;
  for (const StopNow& stop : stops) reached.push_back(stop.name);
  const bool may_go_on = co_await remember_reaching(std::move(reached));
  if (!may_go_on) co_return;
  const Nanoseconds waited = env_.clock.steady_now() - asked;
  for (const StopNow& stop : stops) {
    const ContainerStop* asked_for = stops_.find(stop.name);
    if (asked_for == nullptr || !asked_for->single || stops_.under_way(stop.name)) continue;
    const std::int64_t timeout =
        stop_timeout_seconds(stop.timeout_seconds, Nanoseconds::zero(), waited);
    const std::string message = asked_for->single->message;
    begin_stop(stop.name, std::chrono::seconds(timeout), message);
  }
}

// One whose postStart hook failed, or which another one has succeeded, holds the others up as long
// as it can be told to stop; once that has failed, too, they go on as with the kubelet, and it is
// told again beside.
bool PodWorker::holds_others(const std::string& id) const {
  const ContainerStop* stop = stops_.find(id);
  if (stop == nullptr || !stop->single || !retries_.failing("stop/" + id)) return true;
  const ObservedContainer* newest = observed_.newest(stop->single->name);
  const bool succeeded = newest != nullptr && newest->status.id != stop->single->id;
  return !succeeded && stop->single->reason != KillReason::kFailedPostStartHook;
}

bool PodWorker::stops_hold_others() const {
  const auto holds = [this](const std::string& id) { return holds_others(id); };
  return std::ranges::any_of(stops_.singles(), holds) ||
         std::ranges::any_of(stops_.ids_under_way(), holds);
}

void PodWorker::begin_stop(const std::string& id, std::chrono::seconds timeout,
                           const std::string& message) {
  const ObservedContainer* container = observed_.container(id);
  if (container == nullptr) return;
  const std::string name = container->status.metadata.name;
  const SteadyTime now = env_.clock.steady_now();
  stops_.call(id, now, now + timeout);
  tell_killing(id, name, message);
  teller_.happened(name, StopSent{.message = message.empty() ? default_kill_message(name) : message,
                                  .grace_seconds = timeout.count()});
  children_.spawn("stop " + name, stop_container(id, timeout, now + timeout));
}

// A shorter grace period than the one the runtime was given: a second call with the new one. The
// runtime signals once, and kills at the earlier of the two ends.
void PodWorker::shorten_stops() {
  const std::chrono::seconds timeout(
      stop_timeout_seconds(end_->grace_seconds, Nanoseconds::zero(), Nanoseconds::zero()));
  const SteadyTime kill_at = env_.clock.steady_now() + timeout;
  for (const std::string& id : stops_.ids_under_way()) {
    if (!stops_.shorten(id, kill_at)) continue;
    const std::string name = stops_.find(id)->name;
    teller_.happened(name, StopSent{.grace_seconds = end_->grace_seconds, .shortened = true});
    children_.spawn("stop " + name, stop_container(id, timeout, kill_at));
  }
}

// That call may fail, while the one with the longer period goes on.
void PodWorker::shorten_again(const std::string& id, const std::string& name,
                              const StopPeriod& period) {
  const ContainerStop* stop = stops_.find(id);
  if (stop == nullptr || !stop->calls.one_failed || !due("stop/" + id)) return;
  const SteadyTime now = env_.clock.steady_now();
  const std::chrono::seconds timeout(
      stop_timeout_seconds(period.seconds, now - period.begun_at, Nanoseconds::zero()));
  const SteadyTime kill_at = now + timeout;
  // Timeouts are whole seconds: what is a second later is no other period.
  if (!stops_.shorten(id, kill_at + kWholeSecond)) return;
  children_.spawn("stop " + name, stop_container(id, timeout, kill_at + kWholeSecond));
}

boost::asio::awaitable<void> PodWorker::stop_container(std::string id, std::chrono::seconds timeout,
                                                       SteadyTime kill_at) {
  Context context;
  auto stopped = co_await env_.runtime.stop_container(context, cri::ContainerId(id), timeout);
  StopReport report;
  report.id = id;
  report.kill_at = kill_at;
  if (!stopped && stopped.error().code != ErrorCode::kNotFound) report.error = stopped.error();
  stops_.answered(std::move(report));
  bell_.notify();
}

boost::asio::awaitable<void> PodWorker::absorb_stop_reports() {
  std::vector<StopReport> reports = stops_.reports();
  for (StopReport& report : reports) {
    const auto name = stops_.call_over(report);
    if (!name) continue;
    if (!report.error) {
      retries_.succeeded("stop/" + report.id);
      teller_.unhindered(ObstacleKind::kStop, report.id);
      co_await absorb_stop(report.id);
      continue;
    }
    failed("stop/" + report.id);
    known_ = false;
    if (begins_again(*report.error, env_.options.termination_on_restart))
      stops_.begin_again(report.id);
    teller_.hindered({.kind = ObstacleKind::kStop,
                      .id = report.id,
                      .container = *name,
                      .error = report.error->message});
    if (state_ == WorkerState::kSyncing)
      teller_.log(LogLevel::kWarn, "FailedKillContainer", report.error->message, *name);
    else
      teller_.warn_event("FailedKillPod",
                         fmt::format("error killing pod: {}", report.error->message));
  }
}

// The runtime says that it stopped: how it ended.
boost::asio::awaitable<void> PodWorker::absorb_stop(std::string id) {
  const ObservedContainer* container = observed_.container(id);
  if (container == nullptr) co_return;
  if (container->status.state == cri::ContainerState::kExited && !container->provisional) co_return;
  const bool settled = co_await ask_for_stop(id);
  if (settled) {
    pending_stops_.erase(id);
    co_return;
  }
  ask_whether_ended(id);
}

StopGrace PodWorker::grace_of(const std::string& name, KillReason reason) const {
  std::optional<std::int64_t> override_seconds;
  if (end_ && end_->grace_seconds > 0) override_seconds = end_->grace_seconds;
  if (const api::Container* container = container_spec(name))
    return stop_grace(*pod_, *container, reason, override_seconds);
  // The spec does not know it (any more): what it was created with decides.
  StoredStop stored;
  if (const ObservedContainer* container = observed_.newest(name))
    stored = stored_stop(container->status.annotations);
  return stop_grace(stored, override_seconds);
}

}  // namespace berth::lifecycle
