// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/status/container_statuses.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "cri/stop_signals.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/restart_policy.hpp"
#include "lifecycle/status/container_resources_status.hpp"

namespace berth::lifecycle {
namespace {

constexpr std::int32_t kKilledExitCode = 137;  // 128 + SIGKILL, for an end that nobody saw

std::optional<api::Time> time(std::int64_t unix_nanoseconds) {
  if (unix_nanoseconds == 0) return std::nullopt;
  return api::Time::from_unix_nanoseconds(unix_nanoseconds);
}

api::ContainerStateTerminated unknown_end(std::string message) {
  return api::ContainerStateTerminated{.exitCode = kKilledExitCode,
                                       .reason = std::string(kContainerStatusUnknown),
                                       .message = std::move(message)};
}

std::vector<api::VolumeMountStatus> mounts(const std::vector<api::VolumeMount>& spec,
                                           bool recursive_read_only_supported) {
  std::vector<api::VolumeMountStatus> out;
  for (const api::VolumeMount& mount : spec) {
    api::VolumeMountStatus status{
        .name = mount.name, .mountPath = mount.mountPath, .readOnly = mount.readOnly};
    if (mount.readOnly) {
      const std::string mode = mount.recursiveReadOnly.value_or("Disabled");
      const bool recursive =
          mode == "Enabled" || (mode == "IfPossible" && recursive_read_only_supported);
      status.recursiveReadOnly = recursive ? "Enabled" : "Disabled";
    }
    out.push_back(std::move(status));
  }
  return out;
}

std::optional<api::ContainerUser> user_of(const RuntimeContainer& record) {
  if (!record.user) return std::nullopt;
  return api::ContainerUser{
      .linux = api::LinuxContainerUser{.uid = record.user->uid,
                                       .gid = record.user->gid,
                                       .supplementalGroups = record.user->supplemental_groups}};
}

// Builds one of the three lists of a pod.
class ListBuilder {
 public:
  ListBuilder(const ContainerStatusInput& in, const std::vector<api::ContainerStatus>& previous)
      : in_(in), previous_(previous), starting_again_(starting_again(in.runtime)) {}

  template <class AnyContainer>
  api::ContainerStatus status_of(const AnyContainer& container) const {
    const api::ContainerStatus* old = find_status(previous_, container.name);
    api::ContainerStatus status = seed(container, old);
    const RuntimeContainer* newest = in_.runtime.newest(container.name);
    if (newest == nullptr) {
      if (old != nullptr) note_vanished(*old, status);
    } else {
      status = translated(*newest, old, container.resources);
      if (const RuntimeContainer* before = second_newest(container.name)) {
        status.lastState = translated(*before, old, container.resources).state;
      }
      if (starting_again_.contains(container.name)) show_between_two_runs(status);
    }
    return status;
  }

  // A failed or refused start is shown as waiting, but only if another start will follow.
  void apply_start_error(const RestartRules& rules, bool finished_init,
                         api::ContainerStatus& status) const {
    if (finished_init) return;
    if (!should_restart(in_.pod, rules, in_.runtime.newest(status.name), in_.options)) return;
    const auto error = in_.start_errors.find(status.name);
    if (error == in_.start_errors.end()) return;
    if (status.state.terminated) status.lastState = status.state;
    status.state =
        api::ContainerState{.waiting = api::ContainerStateWaiting{
                                .reason = error->second.reason, .message = error->second.message}};
  }

 private:
  template <class AnyContainer>
  api::ContainerStatus seed(const AnyContainer& container, const api::ContainerStatus* old) const {
    // A terminated container keeps its reported state, even after the runtime has forgotten it.
    if (old != nullptr && old->state.terminated) return *old;
    api::ContainerStatus status{.name = container.name, .image = container.image};
    status.state = waiting_to_start();
    status.volumeMounts = mounts(container.volumeMounts, in_.recursive_read_only_supported);
    if (old != nullptr) {
      status.restartCount = old->restartCount;
      status.lastState = old->lastState;
    }
    return status;
  }

  api::ContainerState waiting_to_start() const {
    const bool initializing = !in_.pod.spec.initContainers.empty();
    return {.waiting = api::ContainerStateWaiting{
                .reason = std::string(initializing ? kPodInitializing : kContainerCreating)}};
  }

  // Shown as terminated, the container would seem finished, and a policy may forbid it to run
  // again.
  void show_between_two_runs(api::ContainerStatus& status) const {
    if (status.state.terminated) status.lastState = std::exchange(status.state, waiting_to_start());
  }

  // The container ran, and now there is no record of it. Plain waiting would move the pod back to
  // Pending.
  void note_vanished(const api::ContainerStatus& old, api::ContainerStatus& status) const {
    if (!old.state.running || !status.state.waiting || status.lastState.terminated) return;
    status.lastState.terminated = unknown_end(
        "The container could not be located when the pod was deleted.  The container used to be "
        "Running");
    if (!in_.pod.metadata.deletionTimestamp) ++status.restartCount;
  }

  const RuntimeContainer* second_newest(std::string_view name) const {
    const auto& records = in_.runtime.containers;
    const auto of_name = [&](const RuntimeContainer& record) { return record.name == name; };
    const auto first = std::ranges::find_if(records, of_name);
    if (first == records.end()) return nullptr;
    const auto second = std::find_if(first + 1, records.end(), of_name);
    return second == records.end() ? nullptr : &*second;
  }

  api::ContainerStatus translated(const RuntimeContainer& record, const api::ContainerStatus* old,
                                  const api::ResourceRequirements& spec) const {
    api::ContainerStatus status{.name = record.name,
                                .restartCount = record.restart_count,
                                .image = record.image,
                                .imageID = record.image_ref};
    status.containerID = std::string(in_.runtime_name) + "://" + record.id.str();
    if (old != nullptr) status.volumeMounts = old->volumeMounts;
    set_state(record, old, status);
    status.allocatedResources = spec.requests;
    status.resources = shown_resources(record, spec, status, old, in_.actuated);
    status.user = user_of(record);
    if (in_.options.container_stop_signals)
      status.stopSignal = cri::signal_name(record.stop_signal);
    return status;
  }

  void set_state(const RuntimeContainer& record, const api::ContainerStatus* old,
                 api::ContainerStatus& status) const {
    switch (record.state) {
      case cri::ContainerState::kRunning:
        status.state.running = api::ContainerStateRunning{.startedAt = time(record.started_at)};
        return;
      case cri::ContainerState::kExited:
        status.state.terminated =
            api::ContainerStateTerminated{.exitCode = record.exit_code,
                                          .reason = record.reason,
                                          .message = record.message,
                                          .startedAt = time(record.started_at),
                                          .finishedAt = time(record.finished_at),
                                          .containerID = status.containerID};
        return;
      case cri::ContainerState::kUnknown:
        if (old != nullptr && old->state.running) {
          status.state.terminated =
              unknown_end("The container could not be located when the pod was terminated");
          status.restartCount = old->restartCount + 1;
          return;
        }
        [[fallthrough]];
      case cri::ContainerState::kCreated:
        status.state.waiting = api::ContainerStateWaiting{};
        return;
    }
  }

  const ContainerStatusInput& in_;
  const std::vector<api::ContainerStatus>& previous_;
  const std::set<std::string> starting_again_;
};

bool finished_init(const RuntimePod& runtime, std::string_view name) {
  const RuntimeContainer* record = runtime.newest(name);
  return record != nullptr && record->state == cri::ContainerState::kExited &&
         record->exit_code == 0;
}

bool is_started(const std::optional<api::Probe>& startup_probe, const ProbeResults& probes,
                const api::ContainerStatus& status) {
  if (!status.state.running) return false;
  const auto result = result_of(probes.startup, bare_container_id(status.containerID));
  if (result) return result == ProbeResult::kSuccess;
  return !startup_probe;
}

bool is_ready(const std::optional<api::Probe>& readiness_probe, const ProbeResults& probes,
              const api::ContainerStatus& status) {
  const auto result = result_of(probes.readiness, bare_container_id(status.containerID));
  return result == ProbeResult::kSuccess || !readiness_probe;
}

}  // namespace

const api::ContainerStatus* find_status(const std::vector<api::ContainerStatus>& statuses,
                                        std::string_view name) {
  const auto found = std::ranges::find(statuses, name, &api::ContainerStatus::name);
  return found == statuses.end() ? nullptr : &*found;
}

cri::ContainerId bare_container_id(std::string_view status_id) {
  const auto scheme = status_id.find("://");
  if (scheme != std::string_view::npos) status_id.remove_prefix(scheme + 3);
  return cri::ContainerId{std::string(status_id)};
}

ContainerStatusLists build_container_statuses(const ContainerStatusInput& in) {
  ContainerStatusLists lists;
  const ListBuilder regular(in, in.previous.containerStatuses);
  for (const api::Container& container : in.pod.spec.containers) {
    lists.containers.push_back(regular.status_of(container));
    regular.apply_start_error(restart_rules(container), false, lists.containers.back());
  }
  const ListBuilder init(in, in.previous.initContainerStatuses);
  for (const api::Container& container : in.pod.spec.initContainers) {
    lists.init_containers.push_back(init.status_of(container));
    // A sidecar's Always does not count here: the pod's policy decides how its failed start is
    // shown.
    const RestartRules rules = is_sidecar(container) ? RestartRules{} : restart_rules(container);
    init.apply_start_error(rules, finished_init(in.runtime, container.name),
                           lists.init_containers.back());
  }
  const ListBuilder ephemeral(in, in.previous.ephemeralContainerStatuses);
  for (const api::EphemeralContainer& container : in.pod.spec.ephemeralContainers) {
    lists.ephemeral_containers.push_back(ephemeral.status_of(container));
    ephemeral.apply_start_error({}, false, lists.ephemeral_containers.back());
  }
  std::ranges::sort(lists.containers, {}, &api::ContainerStatus::name);
  std::ranges::sort(lists.ephemeral_containers, {}, &api::ContainerStatus::name);
  return lists;
}

// A container that is not started keeps its readiness. This matters only for init containers: a
// completed one stays ready after the runtime has forgotten it.
void merge_probe_results(const api::Pod& pod, const ProbeResults& probes,
                         ContainerStatusLists& lists) {
  for (api::ContainerStatus& status : lists.containers) {
    const api::Container* container = find_container(pod, status.name);
    if (container == nullptr) continue;
    const bool started = is_started(container->startupProbe, probes, status);
    status.started = started;
    if (started) status.ready = is_ready(container->readinessProbe, probes, status);
  }
  for (api::ContainerStatus& status : lists.init_containers) {
    const api::Container* container = find_init_container(pod, status.name);
    if (container == nullptr) continue;
    // Nobody runs probes of an ordinary init container.
    const bool sidecar = is_sidecar(*container);
    const bool started =
        is_started(sidecar ? container->startupProbe : std::nullopt, probes, status);
    status.started = started;
    if (sidecar) {
      if (started) status.ready = is_ready(container->readinessProbe, probes, status);
    } else if (status.state.terminated && status.state.terminated->exitCode == 0) {
      status.ready = true;
    }
  }
}

}  // namespace berth::lifecycle
