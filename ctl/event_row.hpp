// SPDX-License-Identifier: Apache-2.0

// An event as one line: `events`, `get events` and the end of `describe`. Pure.
#pragma once

#include <string>
#include <vector>

#include "api/event.hpp"
#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {

// kubectl has two styles. `kubectl events` prints Pod/web and "12s (x4 over 2m)"; `kubectl get
// events` prints pod/web and "12s", and the count in a wide column.
enum class EventStyle { kEvents, kGet };

struct EventColumns {
  EventStyle style = EventStyle::kEvents;
  bool with_namespace = false;
  bool wide = false;
};

[[nodiscard]] Row event_header(EventColumns columns);
[[nodiscard]] Row event_row(const api::Event& event, EventColumns columns, WallTime now);

// "12s", or "12s (x4 over 2m)" for a repeated event.
[[nodiscard]] std::string event_age(const api::Event& event, WallTime now);
// Without surrounding line ends, safe for a terminal.
[[nodiscard]] std::string event_message(const api::Event& event);

// The selection by `--for`, `--types` and names.
struct EventFilter {
  std::string kind{};  // "Pod", "Node"; empty: any
  std::string name{};  // of a pod, as typed: the receiver resolves it
  std::vector<std::string> types{};
  std::vector<std::string> names{};  // the events' own; empty: all

  [[nodiscard]] bool takes(const api::Event& event) const;
};
// `for_object`: "pod/web", "node/NAME" or empty. Refused (kInvalid) in words for the user.
[[nodiscard]] Result<EventFilter> event_filter(const std::string& for_object,
                                               const std::vector<std::string>& types);

}  // namespace berth::ctl
