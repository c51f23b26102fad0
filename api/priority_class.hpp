// SPDX-License-Identifier: Apache-2.0

// PriorityClass (scheduling.k8s.io/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/meta.hpp"

namespace berth::api {

struct PriorityClass {
  std::string kind{};
  std::string apiVersion{};
  ObjectMeta metadata{};
  std::int32_t value = 0;
  bool globalDefault = false;
  std::string description{};
  std::optional<std::string> preemptionPolicy{};

  bool operator==(const PriorityClass&) const = default;
};

}  // namespace berth::api
