// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/lists.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/lists.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(ListMeta, (), (selfLink, resourceVersion, continue_, remainingItemCount))
BOOST_DESCRIBE_STRUCT(PodList, (), (kind, apiVersion, metadata, items))
constexpr auto printed_when_empty(const PodList*) {
  return std::to_array<std::string_view>({"items"});
}
BOOST_DESCRIBE_STRUCT(EventList, (), (kind, apiVersion, metadata, items))
constexpr auto printed_when_empty(const EventList*) {
  return std::to_array<std::string_view>({"items"});
}

}  // namespace berth::api
