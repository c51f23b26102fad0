// SPDX-License-Identifier: Apache-2.0

#include "eviction/pressure_admission.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "api/tolerations.hpp"
#include "eviction/eviction.hpp"
#include "eviction/node_conditions.hpp"

namespace berth::eviction {
namespace {

bool tolerates_memory_pressure(const api::Pod& pod) {
  const api::Taint taint = pressure_taint(PressureCondition::kMemoryPressure);
  return std::ranges::any_of(pod.spec.tolerations, [&](const api::Toleration& toleration) {
    return api::tolerates(toleration, taint);
  });
}

PressureAdmission admitted(AdmissionGround ground) {
  return {.ground = ground};
}

}  // namespace

std::string_view to_string(AdmissionGround ground) {
  switch (ground) {
    case AdmissionGround::kNoPressure:
      return "NoPressure";
    case AdmissionGround::kCritical:
      return "Critical";
    case AdmissionGround::kNotBestEffort:
      return "NotBestEffort";
    case AdmissionGround::kTolerates:
      return "Tolerates";
    case AdmissionGround::kUnderPressure:
      return "UnderPressure";
  }
  return "";
}

PressureAdmission admit_under_pressure(const std::vector<PressureCondition>& conditions,
                                       const api::Pod& pod, const EvictionRules& rules) {
  if (conditions.empty()) return admitted(AdmissionGround::kNoPressure);
  if (critical_exemption(pod, rules)) return admitted(AdmissionGround::kCritical);
  const bool only_memory = std::ranges::all_of(conditions, [](PressureCondition condition) {
    return condition == PressureCondition::kMemoryPressure;
  });
  if (only_memory) {
    if (api::qos_class(pod) != api::QosClass::kBestEffort) {
      return admitted(AdmissionGround::kNotBestEffort);
    }
    if (tolerates_memory_pressure(pod)) return admitted(AdmissionGround::kTolerates);
  }
  std::vector<std::string_view> names;
  names.reserve(conditions.size());
  for (const PressureCondition condition : conditions) names.push_back(to_string(condition));
  return {.admitted = false,
          .ground = AdmissionGround::kUnderPressure,
          .reason = kReasonEvicted,
          .message = fmt::format("The node had condition: [{}]. ", fmt::join(names, " "))};
}

}  // namespace berth::eviction
