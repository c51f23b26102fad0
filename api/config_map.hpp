// SPDX-License-Identifier: Apache-2.0

// ConfigMap (core/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "api/meta.hpp"
#include "api/scalars.hpp"

namespace berth::api {

struct ConfigMap {
  std::string kind{};
  std::string apiVersion{};
  ObjectMeta metadata{};
  std::optional<bool> immutable{};
  std::map<std::string, std::string> data{};
  std::map<std::string, Bytes> binaryData{};

  bool operator==(const ConfigMap&) const = default;
};

}  // namespace berth::api
