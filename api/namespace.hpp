// SPDX-License-Identifier: Apache-2.0

// Namespace (core/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/meta.hpp"
#include "api/time.hpp"

namespace berth::api {

struct NamespaceSpec {
  std::vector<std::string> finalizers{};

  bool operator==(const NamespaceSpec&) const = default;
};

struct NamespaceCondition {
  std::string type{};
  std::string status{};
  std::optional<Time> lastTransitionTime{};
  std::string reason{};
  std::string message{};

  bool operator==(const NamespaceCondition&) const = default;
};

struct NamespaceStatus {
  std::string phase{};
  std::vector<NamespaceCondition> conditions{};

  bool operator==(const NamespaceStatus&) const = default;
};

struct Namespace {
  std::string kind{};
  std::string apiVersion{};
  ObjectMeta metadata{};
  NamespaceSpec spec{};
  NamespaceStatus status{};

  bool operator==(const Namespace&) const = default;
};

}  // namespace berth::api
