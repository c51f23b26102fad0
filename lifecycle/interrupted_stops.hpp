// SPDX-License-Identifier: Apache-2.0

// What becomes of a stop that a restart of berthd or of the runtime interrupted. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.hpp"
#include "lifecycle/pod_memory.hpp"

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

// Whether the stop begins again from the start after StopContainer failed with that error.
[[nodiscard]] bool begins_again(const Error& failure, TerminationOnRestart rule);

}  // namespace berth::lifecycle
