// SPDX-License-Identifier: Apache-2.0

// PodDisruptionBudget (policy/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/int_or_string.hpp"
#include "api/meta.hpp"
#include "api/time.hpp"

namespace berth::api {

struct PodDisruptionBudgetSpec {
  std::optional<IntOrString> minAvailable{};
  std::optional<LabelSelector> selector{};
  std::optional<IntOrString> maxUnavailable{};
  std::optional<std::string> unhealthyPodEvictionPolicy{};

  bool operator==(const PodDisruptionBudgetSpec&) const = default;
};

struct PodDisruptionBudgetStatus {
  std::int64_t observedGeneration = 0;
  std::map<std::string, Time> disruptedPods{};
  std::int32_t disruptionsAllowed = 0;
  std::int32_t currentHealthy = 0;
  std::int32_t desiredHealthy = 0;
  std::int32_t expectedPods = 0;
  std::vector<Condition> conditions{};

  bool operator==(const PodDisruptionBudgetStatus&) const = default;
};

struct PodDisruptionBudget {
  std::string kind{};
  std::string apiVersion{};
  ObjectMeta metadata{};
  PodDisruptionBudgetSpec spec{};
  PodDisruptionBudgetStatus status{};

  bool operator==(const PodDisruptionBudget&) const = default;
};

}  // namespace berth::api
