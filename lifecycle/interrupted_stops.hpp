// SPDX-License-Identifier: Apache-2.0

// What becomes of a stop that a restart of berthd or of the runtime interrupted. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "lifecycle/pod_actions.hpp"
#include "lifecycle/pod_memory.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

// BerthConfiguration's terminationOnRestart.
enum class TerminationOnRestart : std::uint8_t {
  kResume,  // it continues with its deadline; its preStop hook is not run again
  // It begins again, with the hook and the whole grace period, as Kubernetes documents for the
  // kubelet.
  kFullGrace,
};

// The stops that a new berthd resumes, by container id.
[[nodiscard]] std::map<std::string, StopMemory> stops_to_go_on(const PodMemory& memory,
                                                               TerminationOnRestart rule);

// The kills of single containers that an earlier berthd had begun, and that nothing asks for any
// more: that a probe fails or the spec has changed is decided again, from what is stored or
// observed; that a postStart hook has failed is not. `unasked`: the ids of containers with such a
// stop; `decided`: what the plan kills.
[[nodiscard]] std::vector<ContainerKill> interrupted_kills(
    const std::vector<std::string>& unasked, const RuntimePod& runtime,
    const std::vector<ContainerKill>& decided);

// Whether the stop begins again from the start after StopContainer failed with that error.
[[nodiscard]] bool begins_again(const Error& failure, TerminationOnRestart rule);

}  // namespace berth::lifecycle
