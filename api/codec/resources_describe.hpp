// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/resources.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/resources.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(ResourceClaim, (), (name, request))
constexpr auto printed_when_empty(const ResourceClaim*) {
  return std::to_array<std::string_view>({"name"});
}
BOOST_DESCRIBE_STRUCT(ResourceRequirements, (), (limits, requests, claims))
BOOST_DESCRIBE_STRUCT(VolumeResourceRequirements, (), (limits, requests))
BOOST_DESCRIBE_STRUCT(ContainerResizePolicy, (), (resourceName, restartPolicy))
constexpr auto printed_when_empty(const ContainerResizePolicy*) {
  return std::to_array<std::string_view>({"resourceName", "restartPolicy"});
}

}  // namespace berth::api
