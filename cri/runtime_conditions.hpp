// SPDX-License-Identifier: Apache-2.0

// The conditions reported by a runtime that the node depends on.
//
// A runtime may report conditions of its own: containerd 2 has one for deprecated settings, whose
// status is false as soon as one is used. Like the kubelet, we check only the two conditions that
// CRI requires.
#pragma once

#include <vector>

#include "cri/types.hpp"

namespace berth::cri {

inline constexpr const char* kRuntimeReady = "RuntimeReady";
inline constexpr const char* kNetworkReady = "NetworkReady";

// The required conditions that do not hold, as the runtime reports them.
[[nodiscard]] inline std::vector<RuntimeCondition> unmet(const RuntimeStatus& runtime) {
  std::vector<RuntimeCondition> conditions;
  for (const auto& condition : runtime.conditions) {
    const bool required = condition.type == kRuntimeReady || condition.type == kNetworkReady;
    if (required && !condition.status) conditions.push_back(condition);
  }
  return conditions;
}

}  // namespace berth::cri
