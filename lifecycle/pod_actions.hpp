// SPDX-License-Identifier: Apache-2.0

// What one pass has to do for a pod that should run: the sandbox, containers to start and to kill,
// resources to change in place.
//
// compute_pod_actions is the kubelet's decision (reference: pod lifecycle, "what to do next"),
// from the spec, the runtime's record and the probe results. Backoff does not enter here; plan.hpp
// filters by it. Indexes are positions in the matching list of the spec, in start order.
// Pure; always succeeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "cri/types.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

// Why the agent stops a container; decides which grace period applies.
enum class KillReason : std::uint8_t {
  kNone,
  kUnknown,
  kStartupProbe,
  kLivenessProbe,
  kFailedPostStartHook,
};
[[nodiscard]] std::string_view to_string(KillReason reason);

struct ContainerKill {
  cri::ContainerId id{};
  std::string name{};
  KillReason reason = KillReason::kNone;
  std::string message{};  // the text of the Killing event

  bool operator==(const ContainerKill&) const = default;
};

struct ResourceAmounts {
  std::int64_t cpu_request_milli = 0;
  std::int64_t cpu_limit_milli = 0;
  std::int64_t memory_request_bytes = 0;
  std::int64_t memory_limit_bytes = 0;

  bool operator==(const ResourceAmounts&) const = default;
};

struct ContainerUpdate {
  std::string name{};
  cri::ContainerId id{};
  ResourceAmounts desired{};
  ResourceAmounts current{};

  bool operator==(const ContainerUpdate&) const = default;
};

struct PodActions {
  bool kill_pod = false;        // every running container, then every sandbox
  bool create_sandbox = false;  // after which the records of init containers are removed
  std::uint32_t attempt = 0;    // of the sandbox to create, or of the one kept
  cri::SandboxId sandbox_id{};  // the sandbox acted on; empty if there is none
  std::vector<std::size_t> init_containers_to_start{};
  std::vector<std::size_t> containers_to_start{};
  std::vector<std::size_t> ephemeral_containers_to_start{};
  std::vector<ContainerKill> containers_to_kill{};  // sorted by id
  std::vector<ContainerUpdate> containers_to_update_cpu{};
  std::vector<ContainerUpdate> containers_to_update_memory{};
  bool update_pod_resources = false;
  Reasons reasons{};  // one for each thing above, in the order it was decided

  bool operator==(const PodActions&) const = default;
};

struct PodActionsInput {
  const api::Pod& pod;
  const RuntimePod& runtime;
  const ProbeResults& probes;
  const ActuatedResources& actuated;
  FeatureOptions options{};
};

[[nodiscard]] PodActions compute_pod_actions(const PodActionsInput& input);

// The kill of an instance in unknown state that is to be removed.
[[nodiscard]] ContainerKill unknown_to_be_removed(cri::ContainerId id, std::string name);

// Instances in unknown state that are older than a started instance: they are stopped, whatever
// their actual state, as by the kubelet's garbage collection. By id.
[[nodiscard]] std::vector<ContainerKill> unknown_predecessors(const RuntimePod& runtime);

// Whether there is nothing to do at all.
[[nodiscard]] bool is_idle(const PodActions& actions);

}  // namespace berth::lifecycle
