// SPDX-License-Identifier: Apache-2.0

// Event (core/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/meta.hpp"
#include "api/references.hpp"
#include "api/time.hpp"

namespace berth::api {

struct EventSource {
  std::string component{};
  std::string host{};

  bool operator==(const EventSource&) const = default;
};

struct EventSeries {
  std::int32_t count = 0;
  std::optional<MicroTime> lastObservedTime{};

  bool operator==(const EventSeries&) const = default;
};

struct Event {
  std::string kind{};
  std::string apiVersion{};
  ObjectMeta metadata{};
  ObjectReference involvedObject{};
  std::string reason{};
  std::string message{};
  EventSource source{};
  std::optional<Time> firstTimestamp{};
  std::optional<Time> lastTimestamp{};
  std::int32_t count = 0;
  std::string type{};
  std::optional<MicroTime> eventTime{};
  std::optional<EventSeries> series{};
  std::string action{};
  std::optional<ObjectReference> related{};
  std::string reportingComponent{};
  std::string reportingInstance{};

  bool operator==(const Event&) const = default;
};

}  // namespace berth::api
