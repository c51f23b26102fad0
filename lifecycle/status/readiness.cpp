// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/status/readiness.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "lifecycle/pod_spec.hpp"
#include "lifecycle/sandbox_need.hpp"
#include "lifecycle/status/conditions.hpp"
#include "lifecycle/status/container_statuses.hpp"

namespace berth::lifecycle {
namespace {

constexpr std::array kReadinessTypes = {kReadyToStartContainers, kPodInitialized, kContainersReady,
                                        kPodReady};

ConditionWord word_of(const api::PodCondition& condition) {
  return {.status = condition.status, .reason = condition.reason, .message = condition.message};
}

bool is_init(const api::Pod& pod, std::string_view name) {
  return find_init_container(pod, name) != nullptr;
}

std::map<std::string, ContainerReadiness> readiness_of(
    const api::Pod& pod, const std::vector<api::ContainerStatus>& statuses) {
  std::map<std::string, ContainerReadiness> containers;
  for (const api::ContainerStatus& status : statuses) {
    const api::Container* init = find_init_container(pod, status.name);
    if (init != nullptr && !is_sidecar(*init)) continue;
    containers.emplace(status.name, ContainerReadiness{.started = status.started.value_or(false),
                                                       .ready = status.ready});
  }
  return containers;
}

bool same_containers(const std::vector<api::ContainerStatus>& one,
                     const std::vector<api::ContainerStatus>& other) {
  return std::ranges::equal(one, other, [](const auto& a, const auto& b) {
    return a.name == b.name && a.ready == b.ready && a.started == b.started &&
           a.state.running.has_value() == b.state.running.has_value();
  });
}

// The reason for a container that is not ready.
Reason unready_reason(const api::ContainerStatus& status, const ContainerReadiness& readiness) {
  if (!status.state.running)
    return {.subject = status.name, .rule = "NotRunning", .text = "it does not run"};
  if (!readiness.started)
    return {.subject = status.name,
            .rule = "NotStarted",
            .text = "it has not passed its startup probe"};
  return {
      .subject = status.name, .rule = "NotReady", .text = "it does not pass its readiness probe"};
}

api::ContainerStatus readiness_part(const api::ContainerStatus& status) {
  api::ContainerStatus part;
  part.name = status.name;
  part.containerID = status.containerID;
  part.ready = status.ready;
  if (status.state.running) part.state.running.emplace();
  if (status.state.waiting) part.state.waiting.emplace();
  if (status.state.terminated)
    part.state.terminated = {.exitCode = status.state.terminated->exitCode};
  return part;
}

RuntimeSandbox readiness_part(const RuntimeSandbox& sandbox) {
  return {.state = sandbox.state,
          .network = sandbox.network,
          .has_network = sandbox.has_network,
          .ip = sandbox.ip};
}

// Only a probe's presence matters.
api::Container readiness_part(const api::Container& container) {
  api::Container part;
  part.name = container.name;
  part.restartPolicy = container.restartPolicy;
  if (container.startupProbe) part.startupProbe.emplace();
  if (container.readinessProbe) part.readinessProbe.emplace();
  return part;
}

}  // namespace

ReadinessDecision decide_readiness(const ReadinessQuestion& question) {
  const api::Pod& pod = question.pod;
  ContainerStatusLists lists;
  for (const api::ContainerStatus& status : question.statuses)
    (is_init(pod, status.name) ? lists.init_containers : lists.containers).push_back(status);
  merge_probe_results(pod, question.probes, lists);
  std::vector<api::ContainerStatus> merged = std::move(lists.init_containers);
  merged.insert(merged.end(), lists.containers.begin(), lists.containers.end());
  std::vector<api::PodCondition> gates;
  for (const auto& [type, word] : question.gates)
    gates.push_back({.type = type, .status = word.status});
  const ConditionInput input{.pod = pod,
                             .statuses = &merged,
                             .phase = question.phase,
                             .sandboxes = question.sandboxes,
                             .gates = gates};
  return {.containers = readiness_of(pod, merged),
          .conditions = {
              {std::string(kReadyToStartContainers), word_of(ready_to_start_condition(input))},
              {std::string(kPodInitialized), word_of(initialized_condition(input))},
              {std::string(kContainersReady), word_of(containers_ready_condition(input))},
              {std::string(kPodReady), word_of(ready_condition(input))}}};
}

ReadinessDecision readiness_in(const api::Pod& pod, const api::PodStatus& status) {
  ReadinessDecision said{.containers = readiness_of(pod, status.containerStatuses)};
  said.containers.merge(readiness_of(pod, status.initContainerStatuses));
  for (const std::string_view type : kReadinessTypes)
    if (const api::PodCondition* condition = find_condition(status.conditions, type))
      said.conditions.emplace(type, word_of(*condition));
  return said;
}

bool same_readiness(const api::PodStatus& one, const api::PodStatus& other) {
  const auto same = [&](std::string_view type) {
    const api::PodCondition* before = find_condition(one.conditions, type);
    const api::PodCondition* now = find_condition(other.conditions, type);
    if (before == nullptr || now == nullptr) return before == now;
    return before->status == now->status && before->reason == now->reason &&
           before->message == now->message;
  };
  return same_containers(one.containerStatuses, other.containerStatuses) &&
         same_containers(one.initContainerStatuses, other.initContainerStatuses) &&
         std::ranges::all_of(kReadinessTypes, same);
}

Reasons readiness_reasons(const ReadinessQuestion& question, const ReadinessDecision& decision) {
  Reasons reasons;
  if (const auto ready = decision.conditions.find(std::string(kPodReady));
      ready != decision.conditions.end()) {
    const ConditionWord& word = ready->second;
    const bool holds = word.status == "True";
    reasons.push_back({.subject = "pod",
                       .rule = holds ? std::string(kPodReady) : word.reason,
                       .text = holds ? "the pod is ready" : "the pod is not ready"});
    if (!word.message.empty()) reasons.back().text += ": " + word.message;
  }
  if (SandboxNeed need = sandbox_need(question.pod, question.sandboxes); need.needed)
    reasons.push_back(std::move(need.reason));
  for (const auto& [name, readiness] : decision.containers) {
    const auto* status = find_status(question.statuses, name);
    if (!readiness.ready && status != nullptr)
      reasons.push_back(unready_reason(*status, readiness));
  }
  return reasons;
}

ReadinessQuestion readiness_part(const ReadinessQuestion& question) {
  ReadinessQuestion part{.phase = question.phase};
  for (const RuntimeSandbox& sandbox : question.sandboxes)
    part.sandboxes.push_back(readiness_part(sandbox));
  api::Pod pod = named_part(question.pod);
  pod.spec.hostNetwork = question.pod->spec.hostNetwork;
  for (const auto& container : question.pod->spec.containers)
    pod.spec.containers.push_back(readiness_part(container));
  for (const auto& container : question.pod->spec.initContainers)
    pod.spec.initContainers.push_back(readiness_part(container));
  for (const api::PodReadinessGate& gate : question.pod->spec.readinessGates) {
    pod.spec.readinessGates.push_back(gate);
    if (const auto found = question.gates.find(gate.conditionType); found != question.gates.end())
      part.gates.emplace(gate.conditionType, ConditionWord{.status = found->second.status});
  }
  part.pod = std::move(pod);
  const auto keep = [](const ResultsById& from, const cri::ContainerId& id, ResultsById& to) {
    if (const auto result = result_of(from, id)) to.emplace(id, *result);
  };
  for (const api::ContainerStatus& status : question.statuses) {
    part.statuses.push_back(readiness_part(status));
    const cri::ContainerId id = bare_container_id(status.containerID);
    keep(question.probes.startup, id, part.probes.startup);
    keep(question.probes.readiness, id, part.probes.readiness);
  }
  return part;
}

}  // namespace berth::lifecycle
