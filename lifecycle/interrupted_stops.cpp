// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/interrupted_stops.hpp"

#include <algorithm>

namespace berth::lifecycle {

std::map<std::string, StopMemory> stops_to_go_on(const PodMemory& memory,
                                                 TerminationOnRestart rule) {
  if (rule == TerminationOnRestart::kFullGrace) return {};
  return memory.stops;
}

std::vector<ContainerKill> interrupted_kills(const std::vector<std::string>& unasked,
                                             const RuntimePod& runtime,
                                             const std::vector<ContainerKill>& decided) {
  std::vector<ContainerKill> kills;
  for (const std::string& id : unasked) {
    const RuntimeContainer* container = runtime.find(cri::ContainerId(id));
    if (container == nullptr || container->state != cri::ContainerState::kRunning) continue;
    if (std::ranges::find(decided, container->id, &ContainerKill::id) != decided.end()) continue;
    kills.push_back({.id = container->id,
                     .name = container->name,
                     .reason = KillReason::kFailedPostStartHook,
                     .message = "FailedPostStartHook"});
  }
  return kills;
}

// After any other failure, which is an answer of the runtime, the grace period continues.
bool begins_again(const Error& failure, TerminationOnRestart rule) {
  return rule == TerminationOnRestart::kFullGrace && failure.code == ErrorCode::kUnavailable;
}

}  // namespace berth::lifecycle
