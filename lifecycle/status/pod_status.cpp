// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/status/pod_status.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "lifecycle/pod_spec.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/status/conditions.hpp"
#include "lifecycle/status/phase.hpp"
#include "lifecycle/status/pod_addresses.hpp"

namespace berth::lifecycle {
namespace {

constexpr std::int32_t kKilledExitCode = 137;  // 128 + SIGKILL

// Init containers first, as the kubelet looks through them.
std::vector<api::ContainerStatus> joined(const ContainerStatusLists& lists) {
  std::vector<api::ContainerStatus> all = lists.init_containers;
  all.insert(all.end(), lists.containers.begin(), lists.containers.end());
  return all;
}

ContainerStatusLists container_statuses(const PodStatusInput& in, const api::PodStatus& previous) {
  return build_container_statuses(
      ContainerStatusInput{.pod = in.pod,
                           .previous = previous,
                           .runtime = in.runtime,
                           .actuated = in.actuated,
                           .start_errors = in.start_errors,
                           .runtime_name = in.runtime_name,
                           .recursive_read_only_supported = in.recursive_read_only_supported,
                           .options = in.options});
}

PhaseQuestion question_of(const PodStatusInput& in, const api::PodStatus& previous,
                          const ContainerStatusLists& lists) {
  return {.pod = in.pod,
          .statuses = joined(lists),
          .starting_again = starting_again(in.runtime),
          .pod_is_terminal = in.pod_is_terminal,
          .pod_has_initialized = has_started_regular_container(in.pod, in.runtime),
          .options = in.options,
          .previous = previous.phase,
          .known = in.phase_decided ? previous.phase : in.pod.status.phase,
          .deadline_exceeded = in.deadline_exceeded};
}

// Reason and message belong to the phase.
void set_phase(const PodStatusInput& in, const api::PodStatus& previous,
               const PhaseDecision& decided, api::PodStatus& out) {
  const api::PodStatus& known = in.pod.status;
  out.phase = decided.phase;
  if (decided.settled == previous.phase) {
    out.reason = previous.reason.empty() ? known.reason : previous.reason;
    out.message = previous.message.empty() ? known.message : previous.message;
  }
  if (in.deadline_exceeded) {
    out.reason = kDeadlineExceeded;
    out.message = kDeadlineExceededMessage;
  }
}

const api::PodStatus& previous_of(const PodStatusInput& in) {
  return in.previous != nullptr ? *in.previous : in.pod.status;
}

void set_conditions(const PodStatusInput& in, const api::PodStatus& previous,
                    const std::vector<api::ContainerStatus>& statuses, api::PodStatus& out) {
  std::ranges::copy_if(in.pod.status.conditions, std::back_inserter(out.conditions),
                       [](const auto& condition) { return !is_node_condition(condition.type); });
  if (!in.pod_is_terminal) {
    for (api::PodCondition condition : in.resize_conditions) {
      // A pod without generations has none to have been observed.
      if (in.pod.metadata.generation == 0) condition.observedGeneration = 0;
      out.conditions.push_back(std::move(condition));
    }
  }
  if (const auto* disrupted = find_condition(previous.conditions, kDisruptionTarget)) {
    const auto place =
        std::ranges::find(out.conditions, kDisruptionTarget, &api::PodCondition::type);
    if (place == out.conditions.end()) {
      out.conditions.push_back(*disrupted);
    } else {
      *place = *disrupted;
    }
  }
  const auto input = [&] {
    return ConditionInput{.pod = in.pod,
                          .statuses = &statuses,
                          .phase = out.phase,
                          .sandboxes = in.runtime.sandboxes,
                          .gates = out.conditions};
  };
  out.conditions.push_back(ready_to_start_condition(input()));
  out.conditions.push_back(initialized_condition(input()));
  out.conditions.push_back(ready_condition(input()));
  out.conditions.push_back(containers_ready_condition(input()));
  out.conditions.push_back(api::PodCondition{.type = std::string(kPodScheduled),
                                             .observedGeneration = in.pod.metadata.generation,
                                             .status = "True"});
}

// --- finalisation -------------------------------------------------------------------------------

bool left_waiting(const api::ContainerStatus& status) {
  return !status.state.waiting || status.lastState.terminated.has_value();
}

bool has_initialized(const api::Pod& pod, const api::PodStatus& status) {
  if (pod.spec.initContainers.empty()) return true;
  if (std::ranges::any_of(status.containerStatuses, left_waiting)) return true;
  if (status.initContainerStatuses.empty()) return false;
  const api::ContainerStatus& last = status.initContainerStatuses.back();
  const api::Container* container = find_init_container(pod, last.name);
  if (container == nullptr) return false;
  if (is_sidecar(*container)) return last.state.running && last.started.value_or(false);
  return last.state.terminated && last.state.terminated->exitCode == 0;
}

// Nobody saw how it ended, so it did not succeed.
void end_unseen(api::ContainerStatus& status) {
  if (status.state.terminated) return;
  status.state = api::ContainerState{
      .terminated = api::ContainerStateTerminated{
          .exitCode = kKilledExitCode,
          .reason = std::string(kContainerStatusUnknown),
          .message = "The container could not be located when the pod was terminated"}};
}

const api::ContainerStatus* status_of(const api::PodStatus& status, std::string_view container) {
  for (const auto* statuses : {&status.initContainerStatuses, &status.containerStatuses}) {
    const auto found = std::ranges::find(*statuses, container, &api::ContainerStatus::name);
    if (found != statuses->end()) return &*found;
  }
  return nullptr;
}

bool is_reported(const api::ContainerStatus& status, const RuntimeContainer& container) {
  return container.id == bare_container_id(status.containerID);
}

bool agrees(const api::ContainerStatus& ended, const RuntimeContainer& container) {
  if (!ended.state.terminated) return container.state == cri::ContainerState::kCreated;
  return container.state == cri::ContainerState::kExited &&
         container.exit_code == ended.state.terminated->exitCode;
}

api::PodStatus bare_status(std::string_view phase, std::string_view reason, std::string message,
                           std::string_view qos_class) {
  api::PodStatus status;
  status.phase = phase;
  status.reason = reason;
  status.message = std::move(message);
  status.qosClass = qos_class;
  return status;
}

// Whether a run of the container is shown of which the runtime has no record any more. Without a
// record of its next instance it would seem to have ended for good.
bool shows_run(const api::PodStatus* status, std::string_view name) {
  const api::ContainerStatus* shown = status != nullptr ? status_of(*status, name) : nullptr;
  return shown != nullptr &&
         (shown->state.terminated || shown->state.running || shown->lastState.terminated);
}

// Its record is left out: the status stays as before the start, without its id. Where that would
// show an end that is not one, it counts as created.
void hide_starting(const ShownQuestion& question, RuntimePod& runtime) {
  for (const auto& [name, id] : question.post_starts) {
    const RuntimeContainer* record = runtime.find(id);
    if (record == nullptr || record->state != cri::ContainerState::kRunning) continue;
    RuntimePod others = runtime;
    std::erase_if(others.containers, [&](const RuntimeContainer& one) { return one.id == id; });
    const RuntimeContainer* earlier = others.newest(name);
    if (earlier == nullptr && !shows_run(question.previous, name)) {
      runtime = std::move(others);
      continue;
    }
    if (earlier != nullptr && earlier->state == cri::ContainerState::kExited) {
      RuntimeContainer ended = *earlier;
      if (ended.start_again == StartAgain::kByPolicy) ended.start_again = StartAgain::kDecided;
      others.replace(std::move(ended));
      runtime = std::move(others);
      continue;
    }
    RuntimeContainer created = *record;
    created.state = cri::ContainerState::kCreated;
    const bool again = std::ranges::any_of(runtime.containers, [&](const RuntimeContainer& one) {
      return one.name == name && one.state == cri::ContainerState::kExited;
    });
    if (again) created.start_again = StartAgain::kDecided;
    runtime.replace(std::move(created));
  }
}

}  // namespace

api::PodStatus compute_pod_status(const PodStatusInput& in) {
  const api::PodStatus& previous = previous_of(in);
  api::PodStatus out;
  out.qosClass = in.qos_class;
  set_pod_ips(in.runtime.ips, in.addresses, out);

  ContainerStatusLists lists = container_statuses(in, previous);
  set_phase(in, previous, decide_phase(question_of(in, previous, lists)), out);
  merge_probe_results(in.pod, in.probes, lists);
  set_conditions(in, previous, joined(lists), out);
  out.containerStatuses = std::move(lists.containers);
  out.initContainerStatuses = std::move(lists.init_containers);
  out.ephemeralContainerStatuses = std::move(lists.ephemeral_containers);
  set_host_ips(in.pod, in.addresses, out);
  return out;
}

PhaseQuestion phase_question(const PodStatusInput& in) {
  const api::PodStatus& previous = previous_of(in);
  return question_of(in, previous, container_statuses(in, previous));
}

ReadinessQuestion readiness_question(const PodStatusInput& in, const api::PodStatus& computed) {
  const PhaseQuestion phase = phase_question(in);
  ReadinessQuestion question{.pod = in.pod,
                             .statuses = phase.statuses,
                             .probes = in.probes,
                             .phase = decide_phase(phase).phase,
                             .sandboxes = in.runtime.sandboxes};
  for (const api::PodReadinessGate& gate : in.pod.spec.readinessGates) {
    const std::string& type = gate.conditionType;
    // Conditions that the node sets itself are not gates.
    if (type == kPodReady || type == kContainersReady || type == kPodScheduled) continue;
    if (const api::PodCondition* set = find_condition(computed.conditions, type))
      question.gates.emplace(type, ConditionWord{.status = set->status});
  }
  return question;
}

api::PodStatus rejected_status(std::string_view reason, std::string_view message,
                               std::string_view qos_class) {
  return bare_status(kFailed, reason, "Pod was rejected: " + std::string(message), qos_class);
}

api::PodStatus pending_status(std::string_view reason, std::string_view message,
                              std::string_view qos_class) {
  return bare_status(kPending, reason, std::string(message), qos_class);
}

api::PodStatus finalise_status(const api::Pod& pod, api::PodStatus status,
                               const FeatureOptions& options) {
  if (has_initialized(pod, status)) std::ranges::for_each(status.containerStatuses, end_unseen);

  // Init containers after the last one that ever ran keep waiting: they were never due.
  auto& inits = status.initContainerStatuses;
  std::size_t due = inits.empty() ? 0 : 1;
  for (std::size_t i = 0; i < inits.size(); ++i) {
    if (left_waiting(inits[i])) due = i + 1;
  }
  for (std::size_t i = 0; i < due; ++i) end_unseen(inits[i]);

  status.phase = finalised_phase(pod, status.phase, options);
  return status;
}

std::map<std::string, api::ContainerStateTerminated> ends_shown(const api::PodStatus& status) {
  std::map<std::string, api::ContainerStateTerminated> ends;
  for (const auto* statuses : {&status.initContainerStatuses, &status.containerStatuses}) {
    for (const api::ContainerStatus& container : *statuses) {
      const std::string id = bare_container_id(container.containerID).str();
      const auto& last = container.lastState.terminated;
      if (container.state.terminated)
        ends.emplace(id, *container.state.terminated);
      else if (container.state.waiting && last && last->containerID == container.containerID)
        ends.emplace(id, *last);
    }
  }
  return ends;
}

RuntimePod reported_in_end(const api::PodStatus& decided, RuntimePod runtime) {
  std::erase_if(runtime.containers, [&decided](const RuntimeContainer& container) {
    const auto* status = status_of(decided, container.name);
    return status != nullptr && !(is_reported(*status, container) && agrees(*status, container));
  });
  return runtime;
}

RuntimePod without_unstarted(RuntimePod runtime, bool pod_ends) {
  std::set<std::string> ran;
  for (const RuntimeContainer& container : runtime.containers)
    if (container.state != cri::ContainerState::kCreated) ran.insert(container.name);
  std::set<std::string> startable;
  for (const RuntimeSandbox& sandbox : runtime.sandboxes)
    if (!pod_ends && sandbox.state == cri::SandboxState::kReady) startable.insert(sandbox.id.str());
  std::map<std::string, std::int32_t> counted;
  std::erase_if(runtime.containers, [&](const RuntimeContainer& container) {
    const bool unstarted = container.state == cri::ContainerState::kCreated &&
                           ran.contains(container.name) &&
                           !startable.contains(container.sandbox.str());
    if (unstarted) {
      std::int32_t& highest = counted[container.name];
      highest = std::max(highest, container.restart_count);
    }
    return unstarted;
  });
  for (RuntimeContainer& container : runtime.containers)
    if (const auto highest = counted.find(container.name); highest != counted.end())
      container.restart_count = std::max(container.restart_count, highest->second);
  return runtime;
}

RuntimePod shown_part(RuntimePod runtime, const ShownQuestion& question) {
  hide_starting(question, runtime);
  if (question.decided != nullptr) runtime = reported_in_end(*question.decided, std::move(runtime));
  return without_unstarted(std::move(runtime), question.ends);
}

api::PodStatus with_restarts_counted(const api::PodStatus& previous, api::PodStatus computed) {
  for (auto* statuses : {&computed.initContainerStatuses, &computed.containerStatuses}) {
    for (api::ContainerStatus& status : *statuses) {
      if (const auto* before = status_of(previous, status.name))
        status.restartCount = std::max(status.restartCount, before->restartCount);
    }
  }
  return computed;
}

api::PodStatus with_decided_history(const api::PodStatus& decided, api::PodStatus computed) {
  for (auto* statuses : {&computed.initContainerStatuses, &computed.containerStatuses}) {
    for (api::ContainerStatus& status : *statuses) {
      const auto* shown = status_of(decided, status.name);
      if (shown == nullptr) continue;
      status.lastState = shown->lastState;
      if (!status.containerID.empty()) continue;
      status.containerID = shown->containerID;
      status.imageID = shown->imageID;
    }
  }
  return computed;
}

std::vector<cri::ContainerId> unreported_instances(const api::PodStatus& decided,
                                                   const RuntimePod& runtime) {
  std::vector<cri::ContainerId> ids;
  for (const RuntimeContainer& container : runtime.containers) {
    const auto* status = status_of(decided, container.name);
    if (status != nullptr && !is_reported(*status, container)) ids.push_back(container.id);
  }
  return ids;
}

}  // namespace berth::lifecycle
