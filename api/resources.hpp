// SPDX-License-Identifier: Apache-2.0

// Compute resources: requests, limits, claims, resize policies (core/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <string>
#include <vector>

#include "api/meta.hpp"
#include "api/quantity.hpp"

namespace berth::api {

// Resource name -> amount, e.g. {"cpu": 100m, "memory": 32Mi}.
using ResourceList = std::map<std::string, Quantity>;

struct ResourceClaim {
  std::string name{};
  std::string request{};

  bool operator==(const ResourceClaim&) const = default;
};

struct ResourceRequirements {
  ResourceList limits{};
  ResourceList requests{};
  std::vector<ResourceClaim> claims{};

  bool operator==(const ResourceRequirements&) const = default;
};

struct VolumeResourceRequirements {
  ResourceList limits{};
  ResourceList requests{};

  bool operator==(const VolumeResourceRequirements&) const = default;
};

struct ContainerResizePolicy {
  std::string resourceName{};
  std::string restartPolicy{};

  bool operator==(const ContainerResizePolicy&) const = default;
};

}  // namespace berth::api
