// SPDX-License-Identifier: Apache-2.0

// References from one object to another, with the field names of Kubernetes v1.
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/meta.hpp"
#include "api/quantity.hpp"

namespace berth::api {

struct LocalObjectReference {
  std::string name{};

  bool operator==(const LocalObjectReference&) const = default;
};

struct ObjectReference {
  std::string kind{};
  std::string namespace_{};
  std::string name{};
  std::string uid{};
  std::string apiVersion{};
  std::string resourceVersion{};
  std::string fieldPath{};

  bool operator==(const ObjectReference&) const = default;
};

struct TypedLocalObjectReference {
  std::optional<std::string> apiGroup{};
  std::string kind{};
  std::string name{};

  bool operator==(const TypedLocalObjectReference&) const = default;
};

struct TypedObjectReference {
  std::optional<std::string> apiGroup{};
  std::string kind{};
  std::string name{};
  std::optional<std::string> namespace_{};

  bool operator==(const TypedObjectReference&) const = default;
};

struct ObjectFieldSelector {
  std::string apiVersion{};
  std::string fieldPath{};

  bool operator==(const ObjectFieldSelector&) const = default;
};

struct ResourceFieldSelector {
  std::string containerName{};
  std::string resource{};
  Quantity divisor{};

  bool operator==(const ResourceFieldSelector&) const = default;
};

struct KeyToPath {
  std::string key{};
  std::string path{};
  std::optional<std::int32_t> mode{};

  bool operator==(const KeyToPath&) const = default;
};

struct ConfigMapKeySelector {
  std::string name{};
  std::string key{};
  std::optional<bool> optional{};

  bool operator==(const ConfigMapKeySelector&) const = default;
};

struct SecretKeySelector {
  std::string name{};
  std::string key{};
  std::optional<bool> optional{};

  bool operator==(const SecretKeySelector&) const = default;
};

struct FileKeySelector {
  std::string volumeName{};
  std::string path{};
  std::string key{};
  std::optional<bool> optional{};

  bool operator==(const FileKeySelector&) const = default;
};

}  // namespace berth::api
