// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/runtime/pod_observation.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "base/rpc_error.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_parts.hpp"
#include "lifecycle/worker/runtime/relist.hpp"
#include "node/termination_message.hpp"

namespace berth::lifecycle {

namespace {

// SIGKILL; only the runtime knows whether it was an OOM kill.
constexpr int kKilled = 137;

ContainerExited exit_of(const cri::ContainerStatus& status) {
  return {.exit_code = status.exit_code, .reason = status.reason};
}

bool limits_memory(const api::ResourceRequirements& resources) {
  return resources.limits.contains("memory");
}

}  // namespace

PodObservation::PodObservation(PodParts& parts, const PodFacts& facts)
    : env_(parts.env),
      pod_(parts.pod),
      teller_(parts.teller),
      course_(parts.course),
      timetable_(parts.timetable),
      observed_(parts.observed),
      keeper_(parts.keeper),
      stops_(parts.stops),
      starts_(parts.starts),
      status_(parts.status),
      facts_(facts) {}

boost::asio::awaitable<bool> PodObservation::observe() {
  const std::string key = "observe";
  if (!timetable_.due(key)) co_return false;
  std::optional<ListedPod> listed = observed_.use_listing();
  if (!listed) {
    auto fresh = co_await list_pod(env_.runtime, pod_->metadata.uid);
    if (!fresh) {
      observation_failed(fresh.error());
      co_return false;
    }
    listed = std::move(*fresh);
  }
  report_foreign(observed_.ownership().set_foreign_apart(*listed, *pod_));
  auto seen = co_await inspect(std::move(*listed));
  if (!seen) {
    observation_failed(seen.error());
    co_return false;
  }
  report_found_exits(*seen);
  const bool first = observed_.replace(std::move(*seen));
  if (first) restore_ends_shown();
  for (const auto& [id, sandbox] : observed_.sandboxes()) env_.owner.claim(pod_->metadata.uid, id);
  for (const auto& [id, container] : observed_.containers())
    env_.owner.claim(pod_->metadata.uid, id);
  settle_pending_starts();
  remember_attempts();
  ask_for_ends_before();
  timetable_.succeeded(key);
  co_return true;
}

// The event is the pod's, so that whoever asks about the pod learns of the copy.
void PodObservation::report_foreign(const std::vector<std::string>& sandboxes) {
  for (const std::string& id : sandboxes)
    teller_.warn_event(
        "ForeignSandbox",
        fmt::format("Sandbox {0} has this pod's uid, but berthd did not ask the "
                    "runtime for it: berthd leaves it alone while the pod exists; if "
                    "nobody needs it, `crictl rmp -f {0}` removes it",
                    id));
}

void PodObservation::report_exit(const cri::ContainerStatus& status, bool reported_before) {
  const ContainerStop* stop = stops_.find(status.id.str());
  teller_.exited(status, {.wanted = end_wanted(status, stop, course_.ends(), facts_.instant()),
                          .reported_before = reported_before});
}

// Reports ends that were not polled for; called before a complete reading replaces what is known.
// The exit of a container from before this berthd was reported if an earlier berthd has shown it.
void PodObservation::report_found_exits(const ObservedPod& seen) {
  const auto shown = ends_shown(status_.computed());
  for (const auto& [id, container] : seen.containers()) {
    const cri::ContainerStatus& status = container.status;
    // A container that never ran has failed to start, which was reported.
    if (container.provisional || status.state != cri::ContainerState::kExited ||
        status.started_at == 0)
      continue;
    const ObservedContainer* known = observed_.container(id);
    if (known == nullptr) {
      const bool news = keeper_.recalled() && !shown.contains(id) &&
                        seen.newest(status.metadata.name) == &container;
      if (news) report_exit(status, false);
    } else if (known->status.state != cri::ContainerState::kExited) {
      report_exit(status, false);
    } else if (known->provisional && exit_of(known->status) != exit_of(status)) {
      report_exit(status, true);
    }
  }
}

// Whoever created a newer instance knew that the previous one had ended. A later berthd does not
// know it, and the runtime may be late to show it.
void PodObservation::ask_for_ends_before() {
  std::vector<std::string> late;
  for (const auto& [id, container] : observed_.containers())
    if (container.status.state == cri::ContainerState::kRunning &&
        observed_.newest(container.status.metadata.name) != &container)
      late.push_back(id);
  for (const std::string& id : late) ask_whether_ended(id);
}

void PodObservation::remember_attempts() {
  // The view leaves out an instance whose predecessor's exit does not show yet; that instance
  // counts as well.
  for (const auto& [id, container] : observed_.containers()) {
    const RuntimeContainer seen =
        runtime_container(container.status, cri::SandboxId(container.sandbox), *pod_);
    starts_.attempt_seen(seen.name, seen.restart_count);
  }
  observed_.number_sandboxes();
}

void PodObservation::observation_failed(const Error& error) {
  timetable_.failed("observe");
  timetable_.look_at_retries(env_.clock.steady_now());
  teller_.warn_event("FailedSync",
                     fmt::format("error determining status: {}", without_call(error.message)));
}

// Reads the status of everything listed. What vanished meanwhile is left out.
cri::Call<ObservedPod> PodObservation::inspect(ListedPod listed) {
  ObservedPod seen;
  Context context;
  for (const auto& sandbox : listed.sandboxes) {
    auto status = co_await env_.runtime.pod_sandbox_status(context, sandbox.id);
    if (status)
      seen.put_sandbox(std::move(*status));
    else if (status.error().code != ErrorCode::kNotFound)
      co_return fail(std::move(status.error()));
  }
  std::set<std::string> unlisted;
  for (const auto& container : listed.containers)
    if (seen.sandbox(container.pod_sandbox_id.str()) == nullptr)
      unlisted.insert(container.pod_sandbox_id.str());
  const auto foreign = co_await foreign_among(std::move(unlisted));
  if (!foreign) co_return fail(foreign.error());
  for (const auto& container : listed.containers) {
    if (foreign->contains(container.pod_sandbox_id.str())) continue;
    const ObservedContainer* known = observed_.container(container.id.str());
    // A dead container no longer changes.
    if (known != nullptr && !known->provisional &&
        known->status.state == cri::ContainerState::kExited) {
      seen.put_container(known->sandbox, known->status);
      continue;
    }
    auto status = co_await env_.runtime.container_status(context, container.id);
    if (!status) {
      if (status.error().code == ErrorCode::kNotFound) continue;
      co_return fail(std::move(status.error()));
    }
    // An exit that an event reported is not reverted because it does not show yet.
    known = observed_.container(container.id.str());
    if (known != nullptr && known->provisional && status->state != cri::ContainerState::kExited) {
      seen.put_container(known->sandbox, known->status, true);
      continue;
    }
    auto complete = co_await with_termination_message(std::move(*status));
    seen.put_container(container.pod_sandbox_id.str(), std::move(complete));
  }
  co_return seen;
}

// Somebody may have created containers with the pod's labels in a sandbox with other labels. If the
// sandbox's status cannot be read, it is unknown whose they are, and nothing may be done; if the
// sandbox does not exist, they are the pod's to remove.
cri::Call<std::set<std::string>> PodObservation::foreign_among(std::set<std::string> unlisted) {
  std::set<std::string> foreign;
  Context context;
  for (const std::string& id : unlisted) {
    const cri::SandboxId sandbox(id);
    auto status = co_await env_.runtime.pod_sandbox_status(context, sandbox);
    if (status && pod_uid_of(status->labels) != pod_->metadata.uid) foreign.insert(id);
    if (!status && status.error().code != ErrorCode::kNotFound)
      co_return fail(std::move(status.error()));
  }
  co_return foreign;
}

boost::asio::awaitable<cri::ContainerStatus> PodObservation::with_termination_message(
    cri::ContainerStatus status) {
  if (status.state != cri::ContainerState::kExited) co_return status;
  auto message = co_await env_.host.termination_message(status, status.log_path);
  if (message)
    status.message = node::join_termination_message(status.message, *message);
  else
    teller_.log(LogLevel::kWarn, "TerminationMessage", message.error().message,
                status.metadata.name);
  co_return status;
}

void PodObservation::note_stop(const std::string& id, const StopNews& news) {
  if (!observed_.may_live(id)) return;
  const auto* container = observed_.container(id);
  if (news.exit_code && container != nullptr) show_exit_at_once(*container, news);
  // A stream that reports the exit code may run ahead of the runtime's status.
  observed_.ends().expect_after_event(id, env_.clock.steady_now(), news.exit_code.has_value());
}

void PodObservation::ask_whether_ended(const std::string& id) {
  if (observed_.may_live(id)) observed_.ends().expect(id, env_.clock.steady_now());
}

// The exit code decides; only the reason (OOMKilled, Error) and the message are missing. Init
// containers with a memory limit wait for them: an OOM-killed one has failed whatever its exit
// code.
void PodObservation::show_exit_at_once(const ObservedContainer& container, const StopNews& news) {
  const std::string& name = container.status.metadata.name;
  const api::Container* spec = facts_.container_spec(name);
  if (spec == nullptr) return;
  const bool limited = limits_memory(spec->resources) ||
                       (pod_->spec.resources && limits_memory(*pod_->spec.resources));
  if (limited && !facts_.is_regular(name)) return;
  if (container.status.state != cri::ContainerState::kRunning) return;
  if (*news.exit_code == kKilled) return;
  cri::ContainerStatus status = container.status;
  status.state = cri::ContainerState::kExited;
  status.exit_code = *news.exit_code;
  status.finished_at = news.at != 0 ? news.at : cri::unix_nanoseconds(env_.clock.wall_now());
  status.reason = status.exit_code == 0 ? "Completed" : "Error";
  report_exit(status, false);
  const std::string sandbox = container.sandbox;
  observed_.put_container(sandbox, std::move(status), true);
}

// An exit that an earlier berthd has shown ahead of the runtime's status is not reverted; exit code
// 137 is left to the runtime to explain, as above.
void PodObservation::restore_ends_shown() {
  for (const auto& [id, ended] : ends_shown(status_.computed())) {
    const ObservedContainer* container = observed_.container(id);
    if (container == nullptr || container->status.state != cri::ContainerState::kRunning) continue;
    if (ended.exitCode == kKilled || !ended.finishedAt) continue;
    cri::ContainerStatus status = container->status;
    status.state = cri::ContainerState::kExited;
    status.exit_code = ended.exitCode;
    // The end is shown in whole seconds, and the run may have begun within that second.
    const std::int64_t shown = cri::unix_nanoseconds(ended.finishedAt->at);
    constexpr std::int64_t kSecond = 1'000'000'000;
    const bool same_second = shown / kSecond == status.started_at / kSecond;
    status.finished_at = same_second ? std::max(shown, status.started_at) : shown;
    status.reason = ended.reason;
    ask_whether_ended(id);
    const std::string sandbox = container->sandbox;
    observed_.put_container(sandbox, std::move(status), true);
  }
}

// An exit that is shown ahead of the runtime's status still gets the termination message: it is in
// a file of berthd's.
boost::asio::awaitable<void> PodObservation::complete_exit_shown(std::string id) {
  const ObservedContainer* container = observed_.container(id);
  if (container == nullptr || !container->provisional) co_return;
  const std::string sandbox = container->sandbox;
  auto complete = co_await with_termination_message(container->status);
  const ObservedContainer* now = observed_.container(id);
  if (now == nullptr || !now->provisional) co_return;
  observed_.put_container(sandbox, std::move(complete), true);
}

boost::asio::awaitable<void> PodObservation::ask_for_stops() {
  std::vector<std::string> due;
  // A stop under way polls by itself, once the runtime has answered it.
  for (const auto& [id, end] : observed_.ends().all())
    if (end.ask_at <= env_.clock.steady_now() && !stops_.under_way(id)) due.push_back(id);
  for (const std::string& id : due) {
    const bool settled = co_await ask_for_stop(id);
    if (settled)
      observed_.ends().over(id);
    else if (!observed_.ends().ask_later(id, env_.clock.steady_now()))
      observed_.doubt();
  }
  for (const auto& [id, end] : observed_.ends().all())
    if (!stops_.under_way(id)) timetable_.look_again_at(end.ask_at);
}

// True if the runtime shows the stop, or no longer has the container or sandbox.
boost::asio::awaitable<bool> PodObservation::ask_for_stop(std::string id) {
  if (observed_.sandbox(id) != nullptr) co_return co_await ask_for_sandbox_stop(std::move(id));
  const ObservedContainer* known = observed_.container(id);
  if (known == nullptr) co_return true;
  const std::string sandbox = known->sandbox;
  std::optional<ContainerExited> reported;
  if (known->provisional) reported = exit_of(known->status);
  Context context;
  auto status = co_await env_.runtime.container_status(context, cri::ContainerId(id));
  if (!status) {
    if (status.error().code != ErrorCode::kNotFound) co_return false;
    observed_.remove_container(id);
    co_return true;
  }
  if (status->state != cri::ContainerState::kExited) {
    // If the exit does not show yet, what is already known stays. But the outcome of a start may
    // have become known, which ends the polling unless an event reported the exit.
    const bool has_started = known->status.state == cri::ContainerState::kCreated &&
                             status->state == cri::ContainerState::kRunning;
    if (!has_started) co_return false;
    observed_.put_container(sandbox, std::move(*status));
    settle_pending_starts();
    co_return !observed_.ends().by_event(id);
  }
  auto complete = co_await with_termination_message(std::move(*status));
  if (exit_of(complete) != reported) report_exit(complete, reported.has_value());
  observed_.put_container(sandbox, std::move(complete));
  settle_pending_starts();
  co_return true;
}

boost::asio::awaitable<bool> PodObservation::ask_for_sandbox_stop(std::string id) {
  Context context;
  auto status = co_await env_.runtime.pod_sandbox_status(context, cri::SandboxId(id));
  if (!status) {
    if (status.error().code != ErrorCode::kNotFound) co_return false;
    observed_.remove_sandbox(id);
    co_return true;
  }
  if (status->state == cri::SandboxState::kReady) co_return false;
  observed_.put_sandbox(std::move(*status));
  co_return true;
}

void PodObservation::settle_pending_starts() {
  std::set<std::string> created;
  for (const auto& [id, container] : observed_.containers())
    if (container.status.state == cri::ContainerState::kCreated) created.insert(id);
  starts_.settle(created, env_.options.restarts);
}

}  // namespace berth::lifecycle
