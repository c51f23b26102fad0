// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pod_actions.hpp"

#include <algorithm>

#include "lifecycle/pod_actions_pass.hpp"
#include "lifecycle/restart_policy.hpp"
#include "lifecycle/sandbox_need.hpp"

namespace berth::lifecycle {

std::string_view to_string(KillReason reason) {
  switch (reason) {
    case KillReason::kNone:
      return "";
    case KillReason::kUnknown:
      return "Unknown";
    case KillReason::kStartupProbe:
      return "StartupProbe";
    case KillReason::kLivenessProbe:
      return "LivenessProbe";
    case KillReason::kFailedPostStartHook:
      return "FailedPostStartHook";
  }
  return "";
}

void ActionPass::because(std::string_view subject, std::string_view rule, std::string text) {
  out.reasons.push_back(
      Reason{.subject = std::string(subject), .rule = std::string(rule), .text = std::move(text)});
}

void ActionPass::kill(const RuntimeContainer& record, KillReason reason, std::string message,
                      std::string_view rule) {
  because(record.name, rule, message);
  out.containers_to_kill.push_back(ContainerKill{
      .id = record.id, .name = record.name, .reason = reason, .message = std::move(message)});
}

void ActionPass::start_over() {
  out.kill_pod = true;
  // A run-once pod does not get a second sandbox: what it has already done is no longer known.
  if (in.pod.spec.restartPolicy == "Never" && out.attempt != 0 && !in.runtime.containers.empty()) {
    because("pod", "NeverRestarted",
            "its sandbox is gone and restartPolicy Never forbids to start over");
    return;
  }
  bool any_record = false;
  for (std::size_t i = 0; i < in.pod.spec.containers.size(); ++i) {
    const RuntimeContainer* record = in.runtime.newest(in.pod.spec.containers[i].name);
    if (record != nullptr && record->state != cri::ContainerState::kUnknown) any_record = true;
    const bool succeeded = record != nullptr && record->exit_code == 0 &&
                           record->state == cri::ContainerState::kExited &&
                           record->start_again == StartAgain::kByPolicy;
    const RestartRules rules = restart_rules(in.pod.spec.containers[i]);
    const bool own = in.options.container_restart_rules && rules.policy.has_value();
    const std::string& policy = own ? *rules.policy : in.pod.spec.restartPolicy;
    const bool content =
        succeeded && policy == "OnFailure" && !restarts_after_exit(in.pod, rules, 0, in.options);
    if (!content) out.containers_to_start.push_back(i);
  }
  if (out.containers_to_start.empty() && any_record) {
    because("pod", "Completed", "every container has succeeded, so no new sandbox is needed");
    return;
  }
  out.create_sandbox = true;
  if (!in.pod.spec.initContainers.empty()) {
    out.containers_to_start.clear();
    out.init_containers_to_start = {0};
    because(in.pod.spec.initContainers.front().name, "FirstInitContainer",
            "a new sandbox begins with the first init container");
    return;
  }
  for (const std::size_t i : out.containers_to_start) {
    because(in.pod.spec.containers[i].name, "NewSandbox", "to be started in the new sandbox");
  }
}

void ActionPass::start_ephemeral_containers() {
  for (std::size_t i = 0; i < in.pod.spec.ephemeralContainers.size(); ++i) {
    const std::string& name = in.pod.spec.ephemeralContainers[i].name;
    if (in.runtime.newest(name) != nullptr) continue;
    out.ephemeral_containers_to_start.push_back(i);
    because(name, "NeverStarted", "an ephemeral container that has not been started yet");
  }
}

PodActions compute_pod_actions(const PodActionsInput& input) {
  ActionPass pass(input);
  SandboxNeed need = sandbox_need(input.pod, input.runtime.sandboxes);
  pass.out.attempt = need.attempt;
  pass.out.sandbox_id = std::move(need.sandbox_id);
  if (need.needed) {
    pass.out.reasons.push_back(std::move(need.reason));
    pass.start_over();
  } else {
    pass.start_ephemeral_containers();
    if (pass.consider_init_containers()) pass.consider_regular_containers();
  }
  std::ranges::sort(pass.out.containers_to_kill, {}, &ContainerKill::id);
  return std::move(pass.out);
}

ContainerKill unknown_to_be_removed(cri::ContainerId id, std::string name) {
  return {.id = std::move(id),
          .name = std::move(name),
          .reason = KillReason::kUnknown,
          .message = "Container is in unknown state, try killing it before removal"};
}

std::vector<ContainerKill> unknown_predecessors(const RuntimePod& runtime) {
  std::vector<ContainerKill> kills;
  for (const RuntimeContainer& container : runtime.containers) {
    const RuntimeContainer* newest = runtime.newest(container.name);
    const bool succeeded =
        newest != &container && (newest->state == cri::ContainerState::kRunning ||
                                 newest->state == cri::ContainerState::kExited);
    if (container.state != cri::ContainerState::kUnknown || !succeeded) continue;
    kills.push_back(unknown_to_be_removed(container.id, container.name));
  }
  std::ranges::sort(kills, {}, &ContainerKill::id);
  return kills;
}

bool is_idle(const PodActions& actions) {
  return !actions.kill_pod && !actions.create_sandbox && !actions.update_pod_resources &&
         actions.init_containers_to_start.empty() && actions.containers_to_start.empty() &&
         actions.ephemeral_containers_to_start.empty() && actions.containers_to_kill.empty() &&
         actions.containers_to_update_cpu.empty() && actions.containers_to_update_memory.empty();
}

}  // namespace berth::lifecycle
