// SPDX-License-Identifier: Apache-2.0

#include "ctl/describe/describe_sections.hpp"

#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "ctl/event_row.hpp"

namespace berth::ctl {

std::vector<std::string> key_values(const std::map<std::string, std::string>& map,
                                    std::string_view between) {
  std::vector<std::string> list;
  for (const auto& [key, value] : map) list.push_back(fmt::format("{}{}{}", key, between, value));
  return list;
}

void describe_amounts(DescribeText& out, std::string_view key, const api::ResourceList& amounts) {
  if (amounts.empty()) return;
  out.enter(key);
  for (const auto& [name, amount] : amounts) out.field(name, amount.to_string());
  out.leave();
}

void describe_events(DescribeText& out, const std::vector<api::Event>& events, WallTime now) {
  if (events.empty()) {
    out.line("Events:  <none>");
    return;
  }
  std::vector<Row> rows = {{"Type", "Reason", "Age", "From", "Message"},
                           {"----", "------", "----", "----", "-------"}};
  for (const auto& event : events) {
    rows.push_back(
        {event.type, event.reason, event_age(event, now),
         event.source.component.empty() ? event.reportingComponent : event.source.component,
         event_message(event)});
  }
  out.enter("Events");
  out.rows(rows);
  out.leave();
}

std::string describe_time(const std::optional<api::Time>& time) {
  if (!time) return "<unknown>";
  const std::time_t seconds = static_cast<std::time_t>(time->unix_seconds());
  return fmt::format("{:%a, %d %b %Y %H:%M:%S} +0000", fmt::gmtime(seconds));
}

}  // namespace berth::ctl
