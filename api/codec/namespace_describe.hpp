// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/namespace.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/namespace.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(NamespaceSpec, (), (finalizers))
BOOST_DESCRIBE_STRUCT(NamespaceCondition, (), (type, status, lastTransitionTime, reason, message))
constexpr auto printed_when_empty(const NamespaceCondition*) {
  return std::to_array<std::string_view>({"type", "status", "lastTransitionTime"});
}
BOOST_DESCRIBE_STRUCT(NamespaceStatus, (), (phase, conditions))
BOOST_DESCRIBE_STRUCT(Namespace, (), (kind, apiVersion, metadata, spec, status))

}  // namespace berth::api
