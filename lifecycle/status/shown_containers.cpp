// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/status/shown_containers.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "lifecycle/pod_spec.hpp"

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

using Names = std::set<std::string>;

bool is_about(const Names& names, const std::string& name) {
  return names.empty() || names.contains(name);
}

void add(const Statuses& statuses, const Names& names, ContainersDecision& decision) {
  for (const api::ContainerStatus& status : statuses)
    if (is_about(names, status.name)) decision.containers.emplace(status.name, shown(status));
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

// The lists are mostly in the same order.
void add_changed(const Statuses& before, const Statuses& now, Names& names) {
  for (std::size_t i = 0; i < now.size(); ++i) {
    const bool in_place = i < before.size() && before[i].name == now[i].name;
    const api::ContainerStatus* last = in_place ? &before[i] : find_status(before, now[i].name);
    if (last == nullptr || !same_shown(*last, now[i])) names.insert(now[i].name);
  }
}

Statuses about(const Names& names, const Statuses& statuses) {
  Statuses kept;
  for (const api::ContainerStatus& status : statuses)
    if (is_about(names, status.name)) kept.push_back(status);
  return kept;
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

// Only a probe's presence matters.
api::Container part_of(const api::Container& container) {
  api::Container part;
  part.name = container.name;
  part.restartPolicy = container.restartPolicy;
  part.restartPolicyRules = container.restartPolicyRules;
  if (container.startupProbe) part.startupProbe.emplace();
  if (container.readinessProbe) part.readinessProbe.emplace();
  return part;
}

// An init container stays if there is any: a container that waits says what it waits for.
api::Pod part_of(const api::Pod& pod, const Names& names) {
  api::Pod part = named_part(pod);
  part.metadata.deletionTimestamp = pod.metadata.deletionTimestamp;
  part.spec.restartPolicy = pod.spec.restartPolicy;
  for (const api::Container& container : pod.spec.containers)
    if (is_about(names, container.name)) part.spec.containers.push_back(part_of(container));
  auto& inits = part.spec.initContainers;
  for (const api::Container& container : pod.spec.initContainers)
    if (is_about(names, container.name)) inits.push_back(part_of(container));
  if (inits.empty() && !pod.spec.initContainers.empty())
    inits.push_back(part_of(pod.spec.initContainers.front()));
  return part;
}

RuntimePod part_of(const RuntimePod& runtime, const Names& names) {
  RuntimePod part{.sandboxes = runtime.sandboxes};
  for (const RuntimeContainer& container : runtime.containers) {
    if (!is_about(names, container.name)) continue;
    RuntimeContainer& kept = part.containers.emplace_back(container);
    for (std::string* text : {&kept.message, &kept.image, &kept.image_ref, &kept.log_path})
      text->clear();
    kept.resources.reset();
    kept.user.reset();
  }
  return part;
}

ResultsById part_of(const ResultsById& results, const RuntimePod& runtime) {
  ResultsById part;
  for (const auto& [id, result] : results)
    if (runtime.find(id) != nullptr) part.emplace(id, result);
  return part;
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
  return containers_in(status, question.names);
}

ContainersQuestion containers_question(const PodStatusInput& in, bool decided,
                                       const api::PodStatus& published) {
  const api::PodStatus& previous = in.previous != nullptr ? *in.previous : in.pod.status;
  Names names;
  if (!in.pod_is_terminal) {
    add_changed(previous.initContainerStatuses, published.initContainerStatuses, names);
    add_changed(previous.containerStatuses, published.containerStatuses, names);
  }
  return {.names = names,
          .pod = in.pod,
          .runtime = in.runtime,
          .previous = {.containers = about(names, previous.containerStatuses),
                       .init_containers = about(names, previous.initContainerStatuses)},
          .actuated = in.actuated,
          .start_errors = in.start_errors,
          .probes = in.probes,
          .runtime_name = std::string(in.runtime_name),
          .recursive_read_only_supported = in.recursive_read_only_supported,
          .over = in.pod_is_terminal,
          .decided = decided,
          .options = in.options};
}

ContainersDecision containers_in(const api::PodStatus& status, const Names& names) {
  ContainersDecision decision;
  add(status.initContainerStatuses, names, decision);
  add(status.containerStatuses, names, decision);
  return decision;
}

bool same_containers_shown(const api::PodStatus& one, const api::PodStatus& other) {
  return std::ranges::equal(one.initContainerStatuses, other.initContainerStatuses, same_shown) &&
         std::ranges::equal(one.containerStatuses, other.containerStatuses, same_shown);
}

ContainersQuestion containers_part(const ContainersQuestion& question) {
  const Names& names = question.names;
  ContainersQuestion part{
      .names = names,
      .previous = {.containers = part_of(about(names, question.previous.containers)),
                   .init_containers = part_of(about(names, question.previous.init_containers))},
      .runtime_name = question.runtime_name,
      .over = question.over,
      .decided = question.decided,
      .options = question.options};
  part.pod = part_of(*question.pod, names);
  part.runtime = part_of(*question.runtime, names);
  part.probes = ProbeResults{.readiness = part_of(question.probes->readiness, *part.runtime),
                             .startup = part_of(question.probes->startup, *part.runtime)};
  StartErrors errors;
  for (const auto& [name, error] : *question.start_errors)
    if (is_about(names, name)) errors[name] = StartError{.reason = error.reason};
  part.start_errors = std::move(errors);
  return part;
}

}  // namespace berth::lifecycle
