// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/status/status_stamp.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/restart_policy.hpp"
#include "lifecycle/status/conditions.hpp"
#include "lifecycle/status/container_statuses.hpp"
#include "lifecycle/status/phase.hpp"

namespace berth::lifecycle {
namespace {

// The total bytes of one pod's termination messages: Kubernetes' limit.
constexpr std::size_t kMessageBytesPerPod = 12288;

void cut_fraction(std::optional<api::Time>& time) {
  if (time) time = time->whole_seconds();
}

void cut_state(api::ContainerState& state, std::size_t message_limit) {
  if (state.running) cut_fraction(state.running->startedAt);
  if (!state.terminated) return;
  cut_fraction(state.terminated->startedAt);
  cut_fraction(state.terminated->finishedAt);
  std::string& message = state.terminated->message;
  message.resize(first_bytes(message, message_limit).size());
}

void cut_statuses(std::vector<api::ContainerStatus>& statuses, std::size_t message_limit) {
  for (api::ContainerStatus& status : statuses) {
    cut_state(status.state, message_limit);
    cut_state(status.lastState, message_limit);
  }
}

void normalise(const api::Pod& pod, api::PodStatus& status) {
  const std::size_t containers = pod.spec.containers.size() + pod.spec.initContainers.size() +
                                 pod.spec.ephemeralContainers.size();
  const std::size_t limit = kMessageBytesPerPod / std::max<std::size_t>(containers, 1);
  cut_fraction(status.startTime);
  for (api::PodCondition& condition : status.conditions) {
    cut_fraction(condition.lastProbeTime);
    cut_fraction(condition.lastTransitionTime);
  }
  cut_statuses(status.containerStatuses, limit);
  cut_statuses(status.initContainerStatuses, limit);
  cut_statuses(status.ephemeralContainerStatuses, limit);
  std::ranges::sort(status.containerStatuses, {}, &api::ContainerStatus::name);
  std::ranges::sort(status.ephemeralContainerStatuses, {}, &api::ContainerStatus::name);
}

bool is_resize(std::string_view type) {
  return type == kResizeInProgress || type == kResizePending;
}

void stamp_condition(const api::PodStatus& previous, WallTime now, api::PodCondition& condition) {
  const api::PodCondition* before = find_condition(previous.conditions, condition.type);
  if (is_resize(condition.type)) {
    condition.lastProbeTime = api::Time{now};
    const bool same = before != nullptr && before->reason == condition.reason;
    condition.lastTransitionTime = same ? before->lastTransitionTime : api::Time{now};
    return;
  }
  if (!is_node_condition(condition.type) && condition.type != kDisruptionTarget) return;
  const bool same = before != nullptr && before->status == condition.status;
  condition.lastTransitionTime = same ? before->lastTransitionTime : api::Time{now};
}

void force_false(api::PodStatus& status, std::string_view type, WallTime now) {
  const auto found = std::ranges::find(status.conditions, type, &api::PodCondition::type);
  if (found == status.conditions.end() || found->status != "True") return;
  found->status = "False";
  found->reason = status.phase == kSucceeded ? "PodCompleted" : "PodFailed";
  found->message.clear();
  found->lastTransitionTime = api::Time{now}.whole_seconds();
}

// The node's own condition; a DisruptionTarget set by others is shown unchanged.
bool is_disruption(const api::PodCondition& condition) {
  return condition.type == kDisruptionTarget && condition.reason == kTerminationByKubelet;
}

std::optional<std::string> illegal_in(
    const api::Pod& pod, const std::vector<api::ContainerStatus>& previous,
    const std::vector<api::ContainerStatus>& next,
    const api::Container* (*find)(const api::Pod&, std::string_view), const FeatureOptions& options,
    const std::set<std::string>& starting_again) {
  for (const api::ContainerStatus& before : previous) {
    if (!before.state.terminated || starting_again.contains(before.name)) continue;
    const api::ContainerStatus* after = find_status(next, before.name);
    if (after == nullptr || after->state.terminated) continue;
    const api::Container* container = find(pod, before.name);
    if (container != nullptr && find == &find_init_container && is_sidecar(*container)) continue;
    const std::int32_t exit_code = before.state.terminated->exitCode;
    if (pod.spec.restartPolicy == "OnFailure" && exit_code != 0) continue;
    if (container != nullptr && container->restartPolicy &&
        restarts_after_exit(pod, restart_rules(*container), exit_code, options))
      continue;
    return "container " + before.name + " of pod " + pod_description(pod) +
           " had terminated and must stay so (restartPolicy " + pod.spec.restartPolicy +
           "), but is reported otherwise";
  }
  return std::nullopt;
}

void forget_times(api::PodStatus& status) {
  status.observedGeneration = 0;
  for (api::PodCondition& condition : status.conditions) {
    condition.lastTransitionTime.reset();
    condition.lastProbeTime.reset();
    condition.observedGeneration = 0;
  }
}

}  // namespace

api::PodStatus stamp_status(const api::Pod& pod, const api::PodStatus& previous,
                            api::PodStatus computed, WallTime now) {
  for (api::PodCondition& condition : computed.conditions) {
    stamp_condition(previous, now, condition);
  }
  const auto& known = pod.status.startTime;
  computed.startTime = previous.startTime ? previous.startTime : known ? known : api::Time{now};
  computed.observedGeneration = std::max(previous.observedGeneration, pod.metadata.generation);
  normalise(pod, computed);
  return computed;
}

api::PodStatus shown_status(const api::Pod& pod, const api::PodStatus& shown_before,
                            const api::PodStatus& stamped, bool containers_may_run, WallTime now) {
  api::PodStatus shown = stamped;
  if (!is_terminal_phase(stamped.phase)) {
    std::erase_if(shown.conditions, is_disruption);
    return shown;
  }
  const bool was_shown = is_terminal_phase(shown_before.phase);
  const std::string_view phase = shown_phase(stamped.phase, shown_before.phase, containers_may_run);
  if (phase != stamped.phase) {
    shown.phase = phase;
    shown.reason = shown_before.reason;
    shown.message = shown_before.message;
    std::erase_if(shown.conditions, is_disruption);
    return shown;
  }
  force_false(shown, kPodReady, now);
  force_false(shown, kContainersReady, now);
  // The transition happens now that it is published, not when it was decided.
  if (!was_shown) {
    for (api::PodCondition& condition : shown.conditions) {
      if (is_disruption(condition)) condition.lastTransitionTime = api::Time{now}.whole_seconds();
    }
  }
  normalise(pod, shown);
  return shown;
}

api::PodStatus shown_while_running(api::PodStatus kept) {
  if (!is_terminal_phase(kept.phase)) return kept;
  kept.phase = kRunning;
  kept.reason.clear();
  kept.message.clear();
  std::erase_if(kept.conditions, is_disruption);
  return kept;
}

void keep_disruption_time(const api::PodStatus& shown, api::PodStatus& stamped) {
  const api::PodCondition* reported = find_condition(shown.conditions, kDisruptionTarget);
  const auto kept = std::ranges::find_if(stamped.conditions, is_disruption);
  if (reported != nullptr && kept != stamped.conditions.end())
    kept->lastTransitionTime = reported->lastTransitionTime;
}

std::optional<std::string> illegal_transition(const api::Pod& pod, const api::PodStatus& previous,
                                              const api::PodStatus& next,
                                              const FeatureOptions& options,
                                              const std::set<std::string>& starting_again) {
  if (pod.spec.restartPolicy == "Always") return std::nullopt;
  if (auto found = illegal_in(pod, previous.containerStatuses, next.containerStatuses,
                              &find_container, options, starting_again)) {
    return found;
  }
  return illegal_in(pod, previous.initContainerStatuses, next.initContainerStatuses,
                    &find_init_container, options, starting_again);
}

bool same_status(const api::PodStatus& a, const api::PodStatus& b) {
  api::PodStatus left = a;
  api::PodStatus right = b;
  forget_times(left);
  forget_times(right);
  return left == right;
}

}  // namespace berth::lifecycle
