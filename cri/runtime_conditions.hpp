// SPDX-License-Identifier: Apache-2.0

// The conditions reported by a runtime that the node depends on.
//
// A runtime may report conditions of its own: containerd 2 has one for deprecated settings, whose
// status is false as soon as one is used. Like the kubelet, we check only the two conditions that
// CRI requires.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cri/types.hpp"

namespace berth::cri {

inline constexpr const char* kRuntimeReady = "RuntimeReady";
inline constexpr const char* kNetworkReady = "NetworkReady";

// A condition as the runtime reports it; one that it does not report does not hold.
[[nodiscard]] inline RuntimeCondition reported(const RuntimeStatus& runtime,
                                               const std::string& type) {
  for (const auto& condition : runtime.conditions)
    if (condition.type == type) return condition;
  return {.type = type, .status = false};
}

// The required conditions that do not hold, that of the runtime first.
[[nodiscard]] inline std::vector<RuntimeCondition> unmet(const RuntimeStatus& runtime) {
  std::vector<RuntimeCondition> conditions;
  for (const char* type : {kRuntimeReady, kNetworkReady})
    if (auto condition = reported(runtime, type); !condition.status)
      conditions.push_back(std::move(condition));
  return conditions;
}

}  // namespace berth::cri
