#include "ctl/event_row.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "ctl/age.hpp"

namespace berth::ctl {
namespace {

// "pod/web-node1"
std::string object_name(const api::ObjectReference& object) {
  std::string kind = object.kind;
  std::ranges::transform(kind, kind.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return kind + "/" + object.name;
}

std::optional<api::Time> last_seen(const api::Event& event) {
  if (event.lastTimestamp) return event.lastTimestamp;
  if (event.eventTime) return api::Time{event.eventTime->at};
  return event.firstTimestamp;
}

}  // namespace

std::string event_age(const api::Event& event, WallTime now) {
  const std::string last = age(last_seen(event), now);
  if (event.count <= 1) return last;
  return fmt::format("{} (x{} over {})", last, event.count, age(event.firstTimestamp, now));
}

Row event_header(bool with_namespace) {
  Row row;
  if (with_namespace) row.emplace_back("NAMESPACE");
  for (const char* name : {"LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"}) {
    row.emplace_back(name);
  }
  return row;
}

Row event_row(const api::Event& event, bool with_namespace, WallTime now) {
  Row row;
  if (with_namespace) row.push_back(event.metadata.namespace_);
  row.push_back(event_age(event, now));
  row.push_back(event.type);
  row.push_back(event.reason);
  row.push_back(object_name(event.involvedObject));
  row.push_back(event.message);
  return row;
}

}  // namespace berth::ctl
