// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/event.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/event.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(EventSource, (), (component, host))
BOOST_DESCRIBE_STRUCT(EventSeries, (), (count, lastObservedTime))
constexpr auto printed_when_empty(const EventSeries*) {
  return std::to_array<std::string_view>({"lastObservedTime"});
}
BOOST_DESCRIBE_STRUCT(Event, (),
                      (kind, apiVersion, metadata, involvedObject, reason, message, source,
                       firstTimestamp, lastTimestamp, count, type, eventTime, series, action,
                       related, reportingComponent, reportingInstance))
constexpr auto printed_when_empty(const Event*) {
  return std::to_array<std::string_view>({"metadata", "involvedObject", "firstTimestamp",
                                          "lastTimestamp", "eventTime", "reportingComponent",
                                          "reportingInstance"});
}

}  // namespace berth::api
