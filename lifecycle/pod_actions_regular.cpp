// SPDX-License-Identifier: Apache-2.0

// Regular containers: keeps, restarts or stops each; when none is left to run, the pod is over.
#include "lifecycle/pod_actions_pass.hpp"
#include "lifecycle/restart_policy.hpp"

namespace berth::lifecycle {

void ActionPass::consider_regular_containers() {
  bool any_kept = false;
  for (std::size_t i = 0; i < in.pod.spec.containers.size(); ++i) {
    const RuntimeContainer* record = in.runtime.newest(in.pod.spec.containers[i].name);
    if (record != nullptr && record->state == cri::ContainerState::kRunning) {
      if (consider_running_container(i, *record)) any_kept = true;
    } else {
      consider_stopped_container(i, record);
    }
  }
  if (any_kept || !out.containers_to_start.empty()) return;
  out.kill_pod = true;
  // Sidecars must not keep a finished pod alive.
  out.init_containers_to_start.clear();
  because("pod", "NothingLeftToRun", "no regular container runs or is to be started");
}

void ActionPass::consider_stopped_container(std::size_t index, const RuntimeContainer* record) {
  const api::Container& container = in.pod.spec.containers[index];
  if (!should_restart(in.pod, restart_rules(container), record, in.options)) return;
  out.containers_to_start.push_back(index);
  if (record == nullptr) {
    because(container.name, "NeverStarted", "it has not been started yet");
  } else if (record->state == cri::ContainerState::kUnknown) {
    kill(*record, KillReason::kUnknown,
         R"(Container is in "unknown" state, try killing it before restart)", "StateUnknown");
  } else if (record->state == cri::ContainerState::kCreated) {
    because(container.name, "CreatedOnly", "was created but never started");
  } else {
    because(container.name, "Exited",
            "it exited with code " + std::to_string(record->exit_code) +
                " and the restart policy says to start it again");
  }
}

bool ActionPass::consider_running_container(std::size_t index, const RuntimeContainer& record) {
  const api::Container& container = in.pod.spec.containers[index];
  bool restart = restarts_on_failure(in.pod, restart_rules(container), in.options);
  KillReason reason = KillReason::kNone;
  std::string message = "Container " + container.name;
  std::string_view rule;
  if (record.spec_changed) {
    restart = true;  // whatever the restart policy
    message += " definition changed";
    rule = "SpecChanged";
  } else if (result_of(in.probes.liveness, record.id) == ProbeResult::kFailure) {
    reason = KillReason::kLivenessProbe;
    message += " failed liveness probe";
    rule = "LivenessProbeFailed";
  } else if (result_of(in.probes.startup, record.id) == ProbeResult::kFailure) {
    reason = KillReason::kStartupProbe;
    message += " failed startup probe";
    rule = "StartupProbeFailed";
  } else {
    return keep_after_resize(Kind::kRegular, index, record);
  }
  if (restart) {
    message += ", will be restarted";
    out.containers_to_start.push_back(index);
  }
  kill(record, reason, std::move(message), rule);
  return false;
}

}  // namespace berth::lifecycle
