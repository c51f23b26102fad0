// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_hooks.hpp"

#include <utility>

#include "lifecycle/pod_spec.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_parts.hpp"

namespace berth::lifecycle {

PodHooks::PodHooks(PodParts& parts, const PodFacts& facts)
    : env_(parts.env),
      pod_(parts.pod),
      teller_(parts.teller),
      course_(parts.course),
      mailbox_(parts.mailbox),
      children_(parts.children),
      timetable_(parts.timetable),
      observed_(parts.observed),
      stops_(parts.stops),
      starts_(parts.starts),
      facts_(facts) {}

HookCall PodHooks::hook_call(const std::string& name, const std::string& id,
                             const api::LifecycleHandler& handler) const {
  HookCall call{.handler = handler,
                .pod = pod_description(*pod_),
                .container = name,
                .id = cri::ContainerId(id)};
  if (const api::Container* spec = facts_.container_spec(name)) call.ports = spec->ports;
  const cri::PodSandboxStatus* sandbox = facts_.ready_sandbox();
  if (sandbox != nullptr && !pod_->spec.hostNetwork && !observed_.last_ips().empty())
    call.pod_ip = observed_.last_ips().front();
  return call;
}

bool PodHooks::has_post_start(const std::string& name) const {
  const api::Container* spec = facts_.container_spec(name);
  return spec != nullptr && spec->lifecycle && spec->lifecycle->postStart;
}

void PodHooks::begin_post_start(const std::string& name, const std::string& id) {
  HookCall call = hook_call(name, id, *facts_.container_spec(name)->lifecycle->postStart);
  teller_.happened("PostStart", name, "its postStart hook runs");
  children_.spawn("postStart " + name, post_start(name, std::move(call)));
}

boost::asio::awaitable<void> PodHooks::post_start(std::string name, HookCall call) {
  const std::string id = call.id.str();
  const HookServices services{env_.clock, env_.runtime, env_.handlers};
  auto outcome = co_await run_hook(services, std::move(call));
  if (starts_.post_start_returned(name, id, std::move(outcome))) mailbox_.ring();
}

void PodHooks::absorb_post_starts() {
  const std::vector<ReturnedHook> returned = starts_.returned_post_starts();
  for (const auto& [name, hook] : returned) {
    if (!hook.outcome->fallback.empty())
      teller_.warn_event("LifecycleHTTPFallback", hook.outcome->fallback);
    if (hook.outcome->failure)
      post_start_failed(name, hook.id);
    else
      teller_.happened("PostStart", name, "its postStart hook has returned");
  }
}

// As in the kubelet, the event omits the details, which may be secret; the status does not.
void PodHooks::post_start_failed(const std::string& name, const std::string& id) {
  const std::string record =
      teller_.happened("PostStartFailed", name, "its postStart hook failed, so it is stopped");
  teller_.warn_event("FailedPostStartHook", "PostStartHook failed",
                     About{.container = name, .container_id = id, .decision = record});
  const ObservedContainer* container = observed_.container(id);
  if (course_.end() || container == nullptr ||
      container->status.state != cri::ContainerState::kRunning)
    return;
  stops_.ask({.id = cri::ContainerId(id),
              .name = name,
              .reason = KillReason::kFailedPostStartHook,
              .message = "FailedPostStartHook"});
}

// Whether the end of the pod has to wait for a hook; its return rings the bell.
bool PodHooks::awaits_post_start() {
  if (!starts_.any_post_start()) return false;
  const std::int64_t period = course_.end() ? course_.end()->grace_seconds : 0;
  const std::int64_t own = pod_->spec.terminationGracePeriodSeconds.value_or(period);
  if (period > 0 && period < own) {
    const SteadyTime until = course_.period_from() + std::chrono::seconds(period);
    if (until <= env_.clock.steady_now()) return false;
    timetable_.look_again_at(until);
  }
  if (const auto name = starts_.report_hook_wait())
    teller_.happened("PostStart", *name, "the end of the pod waits for its postStart hook");
  return true;
}

void PodHooks::run_pre_stops(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    const ObservedContainer* container = observed_.container(id);
    if (container == nullptr || container->status.state != cri::ContainerState::kRunning) continue;
    const std::string name = container->status.metadata.name;
    const api::Container* spec = facts_.container_spec(name);
    if (spec == nullptr || !spec->lifecycle || !spec->lifecycle->preStop) continue;
    report_killing(id, teller_.happened("PreStop", name, "its preStop hook runs"));
    stops_.pre_stop_begun(id);
    HookCall call = hook_call(name, id, *spec->lifecycle->preStop);
    children_.spawn("preStop " + name, pre_stop(name, std::move(call)));
  }
}

boost::asio::awaitable<void> PodHooks::pre_stop(std::string name, HookCall call) {
  const std::string id = call.id.str();
  const HookServices services{env_.clock, env_.runtime, env_.handlers};
  auto outcome = co_await run_hook(services, std::move(call));
  if (!outcome.fallback.empty()) teller_.warn_event("LifecycleHTTPFallback", outcome.fallback);
  const std::string record = teller_.happened(
      "PreStop", name,
      outcome.failure ? "its preStop hook failed" : "its preStop hook has returned");
  if (outcome.failure)
    teller_.warn_event("FailedPreStopHook", "PreStopHook failed",
                       About{.container = name, .container_id = id, .decision = record});
  stops_.pre_stop_done(id, env_.clock.steady_now());
  mailbox_.ring();
}

void PodHooks::report_killing(const std::string& id, const std::string& decision) {
  if (!stops_.report_killing(id)) return;
  const ContainerStop& stop = *stops_.find(id);
  teller_.event(EventLevel::kNormal, "Killing", stop.message(),
                About{.container = stop.name, .container_id = id, .decision = decision});
}

}  // namespace berth::lifecycle
