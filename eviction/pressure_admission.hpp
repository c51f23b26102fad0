// SPDX-License-Identifier: Apache-2.0

// Whether a pod may start on this node while it is under pressure.
//
// Pure. The rules are Kubernetes': without a condition, and for a critical pod, always; if only
// memory is under pressure, every pod except BestEffort ones, and those too if they tolerate the
// condition's taint. No toleration helps against disk or process pressure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "eviction/ranking.hpp"
#include "eviction/signal.hpp"

namespace berth::eviction {

enum class AdmissionGround : std::uint8_t {
  kNoPressure,
  kCritical,
  kNotBestEffort,  // only memory is under pressure
  kTolerates,      // only memory is under pressure, and the pod tolerates that
  kUnderPressure,  // refused
};
[[nodiscard]] std::string_view to_string(AdmissionGround ground);

struct PressureAdmission {
  bool admitted = true;
  AdmissionGround ground = AdmissionGround::kNoPressure;
  std::string reason{};   // Evicted, if refused
  std::string message{};  // "The node had condition: [MemoryPressure]. "

  bool operator==(const PressureAdmission&) const = default;
};

// `conditions`: the node's, in the order in which the message names them.
[[nodiscard]] PressureAdmission admit_under_pressure(
    const std::vector<PressureCondition>& conditions, const api::Pod& pod,
    const EvictionRules& rules);

}  // namespace berth::eviction
