// SPDX-License-Identifier: Apache-2.0

// The request to evict a pod: Eviction (policy/v1, and the same in policy/v1beta1), with the
// DeleteOptions (meta/v1) that it carries.
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.hpp"

namespace berth::api {

struct Preconditions {
  std::optional<std::string> uid{};
  std::optional<std::string> resourceVersion{};

  bool operator==(const Preconditions&) const = default;
};

struct DeleteOptions {
  std::string kind{};
  std::string apiVersion{};
  std::optional<std::int64_t> gracePeriodSeconds{};
  std::optional<Preconditions> preconditions{};
  std::optional<bool> orphanDependents{};
  std::optional<std::string> propagationPolicy{};
  std::vector<std::string> dryRun{};
  std::optional<bool> ignoreStoreReadErrorWithClusterBreakingPotential{};

  bool operator==(const DeleteOptions&) const = default;
};

struct Eviction {
  std::string kind{};
  std::string apiVersion{};
  ObjectMeta metadata{};
  std::optional<DeleteOptions> deleteOptions{};

  bool operator==(const Eviction&) const = default;
};

}  // namespace berth::api
