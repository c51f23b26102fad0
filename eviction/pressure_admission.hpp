// May a pod start on this node while it is under pressure?
//
// Pure. Kubernetes' rules: without a condition, and for a critical pod, always; where only memory
// is short, for every pod but those of class BestEffort, and for these if they tolerate the
// condition's taint. For short disk or processes no toleration helps.
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
  kNotBestEffort,  // only memory is short
  kTolerates,      // … and the pod tolerates that
  kUnderPressure,  // refused
};
[[nodiscard]] std::string_view to_string(AdmissionGround ground);

struct PressureAdmission {
  bool admitted = true;
  AdmissionGround ground = AdmissionGround::kNoPressure;
  std::string reason{};   // Evicted, where refused
  std::string message{};  // "The node had condition: [MemoryPressure]. "

  bool operator==(const PressureAdmission&) const = default;
};

// `conditions`: what the node has, in the order in which the message names them.
[[nodiscard]] PressureAdmission admit_under_pressure(
    const std::vector<PressureCondition>& conditions, const api::Pod& pod,
    const EvictionRules& rules);

}  // namespace berth::eviction
