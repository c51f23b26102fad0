// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/status/shown_containers.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "lifecycle/status/phase.hpp"

namespace berth::lifecycle {
namespace {

using Statuses = std::vector<api::ContainerStatus>;

ShownContainer shown(const api::ContainerStatus& status) {
  ShownContainer container{.restarts = status.restartCount,
                           .id = bare_container_id(status.containerID).str()};
  if (status.state.running) {
    container.state = "running";
  } else if (const auto& ended = status.state.terminated) {
    container.state = "terminated";
    container.reason = ended->reason;
    container.exit_code = ended->exitCode;
  } else {
    container.state = "waiting";
    if (status.state.waiting) container.reason = status.state.waiting->reason;
  }
  return container;
}

void add(const Statuses& statuses, ContainersDecision& decision) {
  for (const api::ContainerStatus& status : statuses)
    decision.containers.emplace(status.name, shown(status));
}

bool same_state(const api::ContainerState& one, const api::ContainerState& other) {
  if (one.running || other.running) return one.running && other.running;
  if (one.terminated || other.terminated)
    return one.terminated && other.terminated &&
           one.terminated->reason == other.terminated->reason &&
           one.terminated->exitCode == other.terminated->exitCode;
  const std::string_view before = one.waiting ? std::string_view(one.waiting->reason) : "";
  return before == (other.waiting ? std::string_view(other.waiting->reason) : "");
}

bool same_shown(const api::ContainerStatus& one, const api::ContainerStatus& other) {
  return one.name == other.name && one.containerID == other.containerID &&
         one.restartCount == other.restartCount && same_state(one.state, other.state);
}

api::PodStatus status_with(ContainerStatusLists lists) {
  api::PodStatus status;
  status.containerStatuses = std::move(lists.containers);
  status.initContainerStatuses = std::move(lists.init_containers);
  status.ephemeralContainerStatuses = std::move(lists.ephemeral_containers);
  return status;
}

api::ContainerState part_of(const api::ContainerState& state) {
  api::ContainerState part;
  if (state.running) part.running.emplace();
  if (state.waiting) part.waiting = api::ContainerStateWaiting{.reason = state.waiting->reason};
  if (state.terminated)
    part.terminated = api::ContainerStateTerminated{.exitCode = state.terminated->exitCode,
                                                    .reason = state.terminated->reason};
  return part;
}

Statuses part_of(const Statuses& statuses) {
  Statuses parts;
  for (const api::ContainerStatus& status : statuses) {
    api::ContainerStatus& part = parts.emplace_back();
    part.name = status.name;
    part.containerID = status.containerID;
    part.restartCount = status.restartCount;
    part.started = status.started;
    part.ready = status.ready;
    part.state = part_of(status.state);
    part.lastState = part_of(status.lastState);
  }
  return parts;
}

// Of a probe only its presence counts.
void add_probes(const std::vector<api::Container>& containers, std::vector<api::Container>& parts) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    if (containers[i].startupProbe) parts[i].startupProbe.emplace();
    if (containers[i].readinessProbe) parts[i].readinessProbe.emplace();
  }
}

api::Pod part_of(const api::Pod& pod) {
  api::Pod part = phase_part(pod);
  add_probes(pod.spec.containers, part.spec.containers);
  add_probes(pod.spec.initContainers, part.spec.initContainers);
  part.metadata.deletionTimestamp = pod.metadata.deletionTimestamp;
  return part;
}

RuntimePod part_of(RuntimePod runtime) {
  for (RuntimeContainer& container : runtime.containers) {
    for (std::string* text :
         {&container.message, &container.image, &container.image_ref, &container.log_path})
      text->clear();
    container.resources.reset();
    container.user.reset();
  }
  return runtime;
}

}  // namespace

ContainersDecision decide_containers(const ContainersQuestion& question) {
  const api::PodStatus previous = status_with(question.previous);
  ContainerStatusLists lists = build_container_statuses(
      {.pod = question.pod,
       .previous = previous,
       .runtime = question.runtime,
       .actuated = question.actuated,
       .start_errors = question.start_errors,
       .runtime_name = question.runtime_name,
       .recursive_read_only_supported = question.recursive_read_only_supported,
       .options = question.options});
  merge_probe_results(question.pod, question.probes, lists);
  api::PodStatus status = status_with(std::move(lists));
  if (question.over) status = finalise_status(question.pod, std::move(status), question.options);
  status = with_restarts_counted(previous, std::move(status));
  if (question.decided) status = with_decided_history(previous, std::move(status));
  return containers_in(status);
}

ContainersQuestion containers_question(const PodStatusInput& in, bool decided) {
  const api::PodStatus& previous = in.previous != nullptr ? *in.previous : in.pod.status;
  return {.pod = in.pod,
          .runtime = in.runtime,
          .previous = {.containers = previous.containerStatuses,
                       .init_containers = previous.initContainerStatuses,
                       .ephemeral_containers = previous.ephemeralContainerStatuses},
          .actuated = in.actuated,
          .start_errors = in.start_errors,
          .probes = in.probes,
          .runtime_name = std::string(in.runtime_name),
          .recursive_read_only_supported = in.recursive_read_only_supported,
          .over = in.pod_is_terminal,
          .decided = decided,
          .options = in.options};
}

ContainersDecision containers_in(const api::PodStatus& status) {
  ContainersDecision decision;
  add(status.initContainerStatuses, decision);
  add(status.containerStatuses, decision);
  return decision;
}

bool same_containers_shown(const api::PodStatus& one, const api::PodStatus& other) {
  return std::ranges::equal(one.initContainerStatuses, other.initContainerStatuses, same_shown) &&
         std::ranges::equal(one.containerStatuses, other.containerStatuses, same_shown);
}

ContainersQuestion containers_part(const ContainersQuestion& question) {
  ContainersQuestion part{
      .previous = {.containers = part_of(question.previous.containers),
                   .init_containers = part_of(question.previous.init_containers)},
      .probes = *question.probes,
      .runtime_name = question.runtime_name,
      .over = question.over,
      .decided = question.decided,
      .options = question.options};
  part.pod = part_of(*question.pod);
  part.runtime = part_of(*question.runtime);
  StartErrors errors;
  for (const auto& [name, error] : *question.start_errors)
    errors[name] = StartError{.reason = error.reason};
  part.start_errors = std::move(errors);
  return part;
}

}  // namespace berth::lifecycle
