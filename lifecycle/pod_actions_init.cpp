// SPDX-License-Identifier: Apache-2.0

// Init containers and sidecars: from the last one backwards, to find out how far the pod has come.
#include <algorithm>

#include "lifecycle/pod_actions_pass.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/restart_policy.hpp"

namespace berth::lifecycle {
namespace {

// An exited regular container proves nothing: it may be from an earlier sandbox.
bool regular_container_is_up(const PodActionsInput& in) {
  return std::ranges::any_of(in.pod.spec.containers, [&](const api::Container& container) {
    const RuntimeContainer* record = in.runtime.newest(container.name);
    return record != nullptr && (record->state == cri::ContainerState::kCreated ||
                                 record->state == cri::ContainerState::kRunning ||
                                 (record->start_again != StartAgain::kByPolicy &&
                                  in.runtime.in_newest_sandbox(*record)));
  });
}

}  // namespace

bool ActionPass::consider_init_containers() {
  const auto& containers = in.pod.spec.initContainers;
  if (containers.empty()) return true;

  bool initialized = regular_container_is_up(in);
  // Whether everything up to and including the current position has already been done.
  bool previously = initialized;
  for (std::size_t i = containers.size(); i-- > 0;) {
    const RuntimeContainer* record = in.runtime.newest(containers[i].name);
    if (record == nullptr) {
      if (previously && is_sidecar(containers[i])) {
        start_init(i, "SidecarVanished", "a sidecar of which no record is left");
      }
      continue;
    }
    if (previously && !is_sidecar(containers[i])) continue;
    switch (consider_init(i, *record, initialized, previously)) {
      case InitOutcome::kPodFailed:
        out.kill_pod = true;
        out.init_containers_to_start.clear();
        return false;
      case InitOutcome::kInitialized:
        initialized = true;
        break;
      case InitOutcome::kGoOn:
        break;
    }
    previously = true;
  }
  if (!previously) start_init(0, "FirstInitContainer", "no init container has been started yet");
  std::ranges::reverse(out.init_containers_to_start);
  return initialized;
}

ActionPass::InitOutcome ActionPass::consider_init(std::size_t index, const RuntimeContainer& record,
                                                  bool initialized, bool previously) {
  switch (record.state) {
    case cri::ContainerState::kCreated:
      start_init(index, "CreatedOnly", "was created but never started");
      return InitOutcome::kGoOn;
    case cri::ContainerState::kRunning:
      if (!is_sidecar(in.pod.spec.initContainers[index])) return InitOutcome::kGoOn;
      return consider_running_sidecar(index, record, initialized, previously);
    case cri::ContainerState::kExited:
      return consider_exited_init(index, record);
    case cri::ContainerState::kUnknown:
      return consider_unknown_init(index, record);
  }
  return InitOutcome::kGoOn;
}

ActionPass::InitOutcome ActionPass::consider_running_sidecar(std::size_t index,
                                                             const RuntimeContainer& record,
                                                             bool initialized, bool previously) {
  const api::Container& container = in.pod.spec.initContainers[index];
  if (container.startupProbe) {
    const auto result = result_of(in.probes.startup, record.id);
    if (result == ProbeResult::kFailure) {
      restart_init(index, record, KillReason::kStartupProbe,
                   "Init container " + container.name + " failed startup probe",
                   "StartupProbeFailed");
    }
    if (result != ProbeResult::kSuccess) return InitOutcome::kGoOn;
  }
  InitOutcome outcome = InitOutcome::kGoOn;
  if (index + 1 == in.pod.spec.initContainers.size()) {
    outcome = InitOutcome::kInitialized;
  } else if (!initialized && !previously) {
    start_init(index + 1, "SidecarStarted", "the sidecar " + container.name + " has started");
  }
  check_started_sidecar(index, record);
  return outcome;
}

void ActionPass::check_started_sidecar(std::size_t index, const RuntimeContainer& record) {
  const api::Container& container = in.pod.spec.initContainers[index];
  if (record.spec_changed) {
    restart_init(index, record, KillReason::kNone,
                 "Init container " + container.name + " definition changed", "SpecChanged");
    return;
  }
  if (container.livenessProbe) {
    const auto result = result_of(in.probes.liveness, record.id);
    if (!result) return;  // not probed yet: no resize, either
    if (result == ProbeResult::kFailure) {
      restart_init(index, record, KillReason::kLivenessProbe,
                   "Init container " + container.name + " failed liveness probe",
                   "LivenessProbeFailed");
      return;
    }
  }
  keep_after_resize(Kind::kInit, index, record);
}

ActionPass::InitOutcome ActionPass::consider_exited_init(std::size_t index,
                                                         const RuntimeContainer& record) {
  const auto& containers = in.pod.spec.initContainers;
  const api::Container& container = containers[index];
  if (is_sidecar(container)) {
    start_init(index, "SidecarExited",
               "a sidecar that exited with code " + std::to_string(record.exit_code));
    return InitOutcome::kGoOn;
  }
  if (init_failed(record)) {
    const int judged = record.exit_code == 0 ? 1 : record.exit_code;  // OOMKilled with code 0
    if (!restarts_after_exit(in.pod, restart_rules(container), judged, in.options)) {
      because(container.name, "InitFailed",
              "it failed with code " + std::to_string(record.exit_code) +
                  " and the restart policy forbids another try, so the pod has failed");
      return InitOutcome::kPodFailed;
    }
    start_init(index, "InitFailed",
               "it failed with code " + std::to_string(record.exit_code) + " and is tried again");
    return InitOutcome::kGoOn;
  }
  if (index + 1 == containers.size()) return InitOutcome::kInitialized;
  start_init(index + 1, "InitCompleted", "the init container " + container.name + " completed");
  return InitOutcome::kGoOn;
}

ActionPass::InitOutcome ActionPass::consider_unknown_init(std::size_t index,
                                                          const RuntimeContainer& record) {
  const api::Container& container = in.pod.spec.initContainers[index];
  if (!is_sidecar(container) &&
      !restarts_on_failure(in.pod, restart_rules(container), in.options)) {
    because(container.name, "InitUnknown",
            "its state is unknown and the restart policy forbids another try");
    return InitOutcome::kPodFailed;
  }
  restart_init(index, record, KillReason::kUnknown,
               R"(Init container is in "unknown" state, try killing it before restart)",
               "StateUnknown");
  return InitOutcome::kGoOn;
}

void ActionPass::start_init(std::size_t index, std::string_view rule, std::string text) {
  because(in.pod.spec.initContainers[index].name, rule, std::move(text));
  out.init_containers_to_start.push_back(index);
}

void ActionPass::restart_init(std::size_t index, const RuntimeContainer& record, KillReason reason,
                              std::string message, std::string_view rule) {
  kill(record, reason, std::move(message), rule);
  out.init_containers_to_start.push_back(index);
}

}  // namespace berth::lifecycle
