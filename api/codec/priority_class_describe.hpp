// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/priority_class.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/priority_class.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(PriorityClass, (),
                      (kind, apiVersion, metadata, value, globalDefault, description,
                       preemptionPolicy))
constexpr auto printed_when_empty(const PriorityClass*) {
  return std::to_array<std::string_view>({"value"});
}

}  // namespace berth::api
