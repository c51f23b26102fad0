// A worker stopping its pod: in order, with the grace period in force, and then removing it.
//
// StopContainer takes as long as the container does, so each call is a child task that reports
// back. When a container's stop began is remembered over restarts of berthd and of the runtime: a
// call that failed is made again with what is left of the period.

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/grace_period.hpp"
#include "lifecycle/interrupted_stops.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/pod_status.hpp"
#include "lifecycle/pod_worker.hpp"
#include "lifecycle/termination_order.hpp"
#include "lifecycle/why.hpp"

namespace berth::lifecycle {

boost::asio::awaitable<bool> PodWorker::end() {
  refresh();
  // It ended by itself: that is shown before the sandbox is stopped.
  if (is_terminal_phase(status_.phase) && !containers_may_run()) co_await keep_final();
  const bool stopped = co_await stop_everything();
  if (!stopped) co_return false;
  enter(WorkerState::kEnded, "nothing of it runs");
  co_return true;
}

// Final once it is shown, so the verdict is stored before that.
boost::asio::awaitable<void> PodWorker::keep_final() {
  if (final_kept_) co_return;
  if (verdict_ == Verdict::kNone) verdict_ = Verdict::kCompleted;
  co_await remember_for_stop();
  final_kept_ = true;
  refresh();
}

// What is left stays for `get`, `logs` and `describe`, until the pod is deleted or unwished.
boost::asio::awaitable<bool> PodWorker::ended() {
  refresh();
  // Something may turn up late: a call whose outcome was unknown.
  const bool stopped = co_await stop_everything();
  if (!stopped) co_return false;
  co_await keep_final();
  if (end_) {
    enter(WorkerState::kRemoving, kEndOrdered);
    co_return true;
  }
  const std::string key = "cleanup";
  if (!cleaned_ && due(key)) {
    auto cleaned = co_await env_.host.cleanup_pod(pod_, false);
    if (cleaned) {
      cleaned_ = true;
      retries_.succeeded(key);
    } else {
      failed(key);
      log(LogLevel::kWarn, "Cleanup", cleaned.error().message);
    }
  }
  co_await remove_latecomers();
  co_await trim();
  co_return false;
}

// Nobody is shown what turned up after the end was published.
boost::asio::awaitable<void> PodWorker::remove_latecomers() {
  if (!is_terminal_phase(status_.phase)) co_return;
  const std::vector<cri::ContainerId> late = not_told_of(status_, runtime_view());
  for (const cri::ContainerId& id : late) {
    const bool removed = co_await remove_container(id.str());
    if (!removed) co_return;
  }
}

boost::asio::awaitable<bool> PodWorker::remove() {
  const bool stopped = co_await stop_everything();
  if (!stopped) co_return false;
  const bool cleaned = co_await clean_host();
  if (!cleaned) co_return false;
  // A sandbox takes its containers along.
  std::vector<std::string> containers;
  for (const auto& [id, container] : observed_.containers())
    if (observed_.sandbox(container.sandbox) == nullptr) containers.push_back(id);
  for (const std::string& id : containers) {
    const bool removed = co_await remove_container(id);
    if (!removed) co_return false;
  }
  // The oldest first: what a berthd that was killed in between still finds is the newest.
  std::vector<std::pair<std::uint32_t, std::string>> sandboxes;
  for (const auto& [id, sandbox] : observed_.sandboxes())
    sandboxes.emplace_back(sandbox.metadata.attempt, id);
  std::ranges::sort(sandboxes);
  for (const auto& [attempt, id] : sandboxes) {
    const std::string key = "remove/" + id;
    if (!due(key)) co_return false;
    Context context;
    auto removed = co_await env_.runtime.remove_pod_sandbox(context, cri::SandboxId(id));
    if (!removed && removed.error().code != ErrorCode::kNotFound) {
      failed(key);
      log(LogLevel::kWarn, "SandboxRemoval", removed.error().message);
      co_return false;
    }
    observed_.remove_sandbox(id);
  }
  // A call of an earlier berthd may have come to something since this one looked.
  if (recalled_ && !looked_again_) {
    looked_again_ = true;
    known_ = false;
    co_return true;
  }
  enter(WorkerState::kFinished, "nothing is left of it");
  co_return true;
}

// Before the runtime's records go: as long as they are there, a berthd that was killed in between
// finds the pod again and finishes this.
boost::asio::awaitable<bool> PodWorker::clean_host() {
  if (host_clean_) co_return true;
  while (preparing_) co_await prepared_bell_.wait();
  const std::string key = "cleanup";
  if (!due(key)) co_return false;
  auto cleaned = co_await env_.host.cleanup_pod(pod_, true);
  if (!cleaned) {
    failed(key);
    log(LogLevel::kWarn, "Cleanup", cleaned.error().message);
    co_return false;
  }
  host_clean_ = true;
  co_return true;
}

// True when nothing runs and every sandbox is stopped. Otherwise it did what can be done now, and
// the next report or the next instant of the order brings it here again.
boost::asio::awaitable<bool> PodWorker::stop_everything() {
  const SteadyTime now = env_.clock.steady_now();
  std::vector<StoppingContainer> running;
  std::map<std::string, std::vector<std::string>> ids;  // by name
  std::vector<std::string> hooks;                       // preStop, to be begun
  for (const auto& [id, container] : observed_.containers()) {
    if (container.status.state == cri::ContainerState::kExited) continue;
    const std::string& name = container.status.metadata.name;
    const bool starting = container.status.state == cri::ContainerState::kCreated;
    const StopGrace grace = grace_of(name, KillReason::kNone);
    // Of those that wait for their turn as well: their period has begun, too.
    const SteadyTime begun = stop_began(id, grace.effective_seconds, now);
    if (starting && !await_start(name, id, begun)) continue;
    // It can only be waited for: there is nothing yet that a signal could reach.
    if (!starting) ids[name].push_back(id);
    const bool signalled = starting || stopping_.contains(id) || !due("stop/" + id);
    add_running(running,
                {.name = name,
                 .grace_seconds = grace.effective_seconds,
                 .begun_at = begun,
                 .hook_done_at =
                     signalled ? begun : pre_stop_done(container, grace.run_pre_stop, begun, hooks),
                 .signalled = signalled});
  }
  const TerminationStep step = next_stops(*pod_, running, now);
  ledger_.stopping({.pod = *pod_, .containers = running, .now = now}, step, env_.clock.wall_now());
  note_reasons(step.reasons, last_stop_reasons_);
  wake_at(step.look_again_at);
  for (const std::string& name : step.give_up_hook)
    for (const std::string& id : ids[name]) give_up_pre_stop(id);
  co_await begin_pre_stops(std::move(hooks));
  if (!step.stop_now.empty()) co_await begin_stops(step.stop_now, std::move(ids));
  if (!running.empty() || !stopping_.empty()) co_return false;
  co_return co_await stop_sandboxes();
}

// Remembered first, so that whoever comes after a crash knows when each period ends; the wait for
// that is taken out of the period.
boost::asio::awaitable<void> PodWorker::begin_stops(
    std::vector<StopNow> stops, std::map<std::string, std::vector<std::string>> ids) {
  const SteadyTime asked = env_.clock.steady_now();
  const WallTime wall = env_.clock.wall_now();
  for (const StopNow& stop : stops)
    for (const std::string& id : ids[stop.name])
      stops_
          .try_emplace(id, StopMemory{.begun_at = wall - (asked - stop_begun_.at(id)),
                                      .kill_at = wall + std::chrono::seconds(stop.timeout_seconds)})
          .first->second.pre_stop = true;
  co_await remember_for_stop();
  const Nanoseconds waited = env_.clock.steady_now() - asked;
  for (const StopNow& stop : stops)
    for (const std::string& id : ids[stop.name]) {
      const ObservedContainer* container = observed_.container(id);
      if (stopping_.contains(id) || container == nullptr ||
          container->status.state == cri::ContainerState::kExited)
        continue;
      const std::int64_t timeout =
          stop_timeout_seconds(stop.timeout_seconds, Nanoseconds::zero(), waited);
      begin_stop(id, std::chrono::seconds(timeout), default_kill_message(stop.name));
    }
}

// When its period began, which is remembered from now on.
SteadyTime PodWorker::stop_began(const std::string& id, std::int64_t grace_seconds,
                                 SteadyTime now) {
  const SteadyTime begun = stop_begun_.try_emplace(id, now).first->second;
  const WallTime begun_at = env_.clock.wall_now() - (now - begun);
  stops_.try_emplace(id, StopMemory{.begun_at = begun_at,
                                    .kill_at = begun_at + std::chrono::seconds(grace_seconds)});
  return begun;
}

// A start whose outcome is unknown may still make it run: for as long as its grace period it counts
// as running, and the runtime is asked again and again. Then stopping the sandbox settles it.
bool PodWorker::await_start(const std::string& name, const std::string& id, SteadyTime begun) {
  const auto pending = pending_starts_.find(name);
  if (pending == pending_starts_.end() || pending->second.id != id) return false;
  const std::chrono::seconds grace(grace_of(name, KillReason::kNone).effective_seconds);
  const SteadyTime until = begun + grace;
  if (until <= env_.clock.steady_now()) return false;
  wake_at(until);
  if (!pending_stops_.contains(id)) note_stop(id, StopNews{});
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
    Context context;
    auto stopped = co_await env_.runtime.stop_pod_sandbox(context, cri::SandboxId(id));
    if (!stopped && stopped.error().code != ErrorCode::kNotFound) {
      failed(key);
      all = false;
      warn_event("FailedKillPod", fmt::format("error killing pod: {}", stopped.error().message));
      continue;
    }
    retries_.succeeded(key);
    stopped_sandboxes_.insert(id);
    observed_.sandbox_stopped(id);
    pending_stops_.erase(id);
  }
  co_return all;
}

boost::asio::awaitable<void> PodWorker::kill_containers(std::vector<ContainerKill> kills) {
  for (ContainerKill& kill : kills) {
    const std::string id = kill.id.str();
    kills_.try_emplace(id, std::move(kill));
  }
  co_await advance_kills();
}

// Single containers, while the pod lives on: each with its hook, in no order.
boost::asio::awaitable<void> PodWorker::advance_kills() {
  std::erase_if(kills_, [this](const auto& entry) {
    const ObservedContainer* container = observed_.container(entry.first);
    return container == nullptr || container->status.state == cri::ContainerState::kExited;
  });
  const SteadyTime now = env_.clock.steady_now();
  std::vector<std::string> hooks;
  std::vector<StopNow> stops;  // by id
  for (const auto& [id, kill] : kills_) {
    if (stopping_.contains(id) || !due("stop/" + id)) continue;
    const StopGrace grace = grace_of(kill.name, kill.reason);
    const SteadyTime begun = stop_began(id, grace.effective_seconds, now);
    const StoppingContainer container{
        .name = id,
        .grace_seconds = grace.effective_seconds,
        .begun_at = begun,
        .hook_done_at = pre_stop_done(*observed_.container(id), grace.run_pre_stop, begun, hooks)};
    const TerminationStep step = next_stops(*pod_, {container}, now);
    wake_at(step.look_again_at);
    for (const std::string& given_up : step.give_up_hook) give_up_pre_stop(given_up);
    stops.insert(stops.end(), step.stop_now.begin(), step.stop_now.end());
  }
  co_await begin_pre_stops(std::move(hooks));
  if (!stops.empty()) co_await begin_kills(std::move(stops));
}

// `stops` name containers by id.
boost::asio::awaitable<void> PodWorker::begin_kills(std::vector<StopNow> stops) {
  const SteadyTime asked = env_.clock.steady_now();
  for (const StopNow& stop : stops) stops_[stop.name].pre_stop = true;
  co_await remember_for_stop();
  const Nanoseconds waited = env_.clock.steady_now() - asked;
  for (const StopNow& stop : stops) {
    const auto kill = kills_.find(stop.name);
    if (kill == kills_.end() || stopping_.contains(stop.name)) continue;
    const std::int64_t timeout =
        stop_timeout_seconds(stop.timeout_seconds, Nanoseconds::zero(), waited);
    const std::string message = kill->second.message;
    begin_stop(stop.name, std::chrono::seconds(timeout), message);
  }
}

void PodWorker::begin_stop(const std::string& id, std::chrono::seconds timeout,
                           const std::string& message) {
  const ObservedContainer* container = observed_.container(id);
  if (container == nullptr) return;
  const std::string name = container->status.metadata.name;
  const SteadyTime now = env_.clock.steady_now();
  if (to_restart_.contains(id)) stopped_to_restart_.insert(id);
  stopping_.begin(id, name, now + timeout);
  pre_stops_.try_emplace(id, PreStop{.done_at = now});  // too late for it from now on
  tell_killing(id, name, message);
  happened("Stop", name,
           fmt::format("{} ({} s to end by itself)",
                       message.empty() ? default_kill_message(name) : message, timeout.count()));
  children_.spawn("stop " + name, stop_container(id, timeout));
}

// A shorter grace period than the one the runtime was given: a second call with the new one. The
// runtime signals once, and kills at the earlier of the two ends.
void PodWorker::shorten_stops() {
  const std::chrono::seconds timeout(
      stop_timeout_seconds(grace_, Nanoseconds::zero(), Nanoseconds::zero()));
  for (const auto& [id, name] : stopping_.shorten(env_.clock.steady_now() + timeout)) {
    happened("Stop", name, fmt::format("the grace period was shortened to {} s", grace_));
    children_.spawn("stop " + name, stop_container(id, timeout));
  }
}

boost::asio::awaitable<void> PodWorker::stop_container(std::string id,
                                                       std::chrono::seconds timeout) {
  Context context;
  auto stopped = co_await env_.runtime.stop_container(context, cri::ContainerId(id), timeout);
  StopReport report;
  report.id = id;
  if (!stopped && stopped.error().code != ErrorCode::kNotFound) report.error = stopped.error();
  stopping_.answered(std::move(report));
  bell_.notify();
}

boost::asio::awaitable<void> PodWorker::absorb_stop_reports() {
  std::vector<StopReport> reports = stopping_.take_reports();
  for (StopReport& report : reports) {
    const auto name = stopping_.end(report.id);
    if (!name) continue;
    if (!report.error) {
      retries_.succeeded("stop/" + report.id);
      co_await absorb_stop(report.id);
      continue;
    }
    failed("stop/" + report.id);
    known_ = false;
    if (begins_again(*report.error, env_.options.termination_on_restart)) forget_stop(report.id);
    if (state_ == WorkerState::kSyncing)
      log(LogLevel::kWarn, "FailedKillContainer", report.error->message, *name);
    else
      warn_event("FailedKillPod", fmt::format("error killing pod: {}", report.error->message));
  }
}

// Nothing has been asked of it yet.
void PodWorker::forget_stop(const std::string& id) {
  stops_.erase(id);
  stop_begun_.erase(id);
  pre_stops_.erase(id);
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
  StopNews news;
  note_stop(id, news);
}

StopGrace PodWorker::grace_of(const std::string& name, KillReason reason) const {
  std::optional<std::int64_t> override_seconds;
  if (end_) override_seconds = grace_;
  if (const api::Container* container = container_spec(name))
    return stop_grace(*pod_, *container, reason, override_seconds);
  // The spec does not know it (any more): what it was created with decides.
  StoredStop stored;
  if (const ObservedContainer* container = observed_.newest(name))
    stored = stored_stop(container->status.annotations);
  return stop_grace(stored, override_seconds);
}

}  // namespace berth::lifecycle
