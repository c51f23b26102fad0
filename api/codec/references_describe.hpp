// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/references.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/references.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(LocalObjectReference, (), (name))
BOOST_DESCRIBE_STRUCT(ObjectReference, (),
                      (kind, namespace_, name, uid, apiVersion, resourceVersion, fieldPath))
BOOST_DESCRIBE_STRUCT(TypedLocalObjectReference, (), (apiGroup, kind, name))
constexpr auto printed_when_empty(const TypedLocalObjectReference*) {
  return std::to_array<std::string_view>({"apiGroup", "kind", "name"});
}
BOOST_DESCRIBE_STRUCT(TypedObjectReference, (), (apiGroup, kind, name, namespace_))
constexpr auto printed_when_empty(const TypedObjectReference*) {
  return std::to_array<std::string_view>({"apiGroup", "kind", "name"});
}
BOOST_DESCRIBE_STRUCT(ObjectFieldSelector, (), (apiVersion, fieldPath))
constexpr auto printed_when_empty(const ObjectFieldSelector*) {
  return std::to_array<std::string_view>({"fieldPath"});
}
BOOST_DESCRIBE_STRUCT(ResourceFieldSelector, (), (containerName, resource, divisor))
constexpr auto printed_when_empty(const ResourceFieldSelector*) {
  return std::to_array<std::string_view>({"resource"});
}
BOOST_DESCRIBE_STRUCT(KeyToPath, (), (key, path, mode))
constexpr auto printed_when_empty(const KeyToPath*) {
  return std::to_array<std::string_view>({"key", "path"});
}
BOOST_DESCRIBE_STRUCT(ConfigMapKeySelector, (), (name, key, optional))
constexpr auto printed_when_empty(const ConfigMapKeySelector*) {
  return std::to_array<std::string_view>({"key"});
}
BOOST_DESCRIBE_STRUCT(SecretKeySelector, (), (name, key, optional))
constexpr auto printed_when_empty(const SecretKeySelector*) {
  return std::to_array<std::string_view>({"key"});
}
BOOST_DESCRIBE_STRUCT(FileKeySelector, (), (volumeName, path, key, optional))
constexpr auto printed_when_empty(const FileKeySelector*) {
  return std::to_array<std::string_view>({"volumeName", "path", "key"});
}

}  // namespace berth::api
