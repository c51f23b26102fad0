// SPDX-License-Identifier: Apache-2.0

// Secret (core/v1).
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

struct Secret {
  std::string kind{};
  std::string apiVersion{};
  ObjectMeta metadata{};
  std::optional<bool> immutable{};
  std::map<std::string, Bytes> data{};
  std::map<std::string, std::string> stringData{};
  std::string type{};

  bool operator==(const Secret&) const = default;
};

}  // namespace berth::api
