// SPDX-License-Identifier: Apache-2.0

#include "ctl/event_row.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "ctl/age.hpp"

namespace berth::ctl {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::optional<api::Time> first_seen(const api::Event& event) {
  if (event.firstTimestamp) return event.firstTimestamp;
  if (event.eventTime) return api::Time{event.eventTime->at};
  return std::nullopt;
}

std::optional<api::Time> last_seen(const api::Event& event) {
  return event.lastTimestamp ? event.lastTimestamp : first_seen(event);
}

// "kubelet, node1"
std::string source(const api::Event& event) {
  const auto& component =
      event.source.component.empty() ? event.reportingComponent : event.source.component;
  const auto& host = event.source.host.empty() ? event.reportingInstance : event.source.host;
  return host.empty() ? component : component + ", " + host;
}

std::string object(const api::Event& event, EventStyle style) {
  const auto& involved = event.involvedObject;
  const std::string kind = style == EventStyle::kGet ? lower(involved.kind) : involved.kind;
  return involved.name.empty() ? kind : kind + "/" + involved.name;
}

}  // namespace

std::string event_age(const api::Event& event, WallTime now) {
  const std::string last = age(last_seen(event), now);
  if (event.count <= 1) return last;
  return fmt::format("{} (x{} over {})", last, event.count, age(first_seen(event), now));
}

Row event_header(EventColumns columns) {
  Row row;
  if (columns.with_namespace) row.emplace_back("NAMESPACE");
  row.insert(row.end(), {"LAST SEEN", "TYPE", "REASON", "OBJECT"});
  if (columns.wide) row.insert(row.end(), {"SUBOBJECT", "SOURCE"});
  row.emplace_back("MESSAGE");
  if (columns.wide) row.insert(row.end(), {"FIRST SEEN", "COUNT", "NAME"});
  return row;
}

Row event_row(const api::Event& event, EventColumns columns, WallTime now) {
  Row row;
  if (columns.with_namespace) row.push_back(event.metadata.namespace_);
  row.push_back(columns.style == EventStyle::kGet ? age(last_seen(event), now)
                                                  : event_age(event, now));
  row.push_back(event.type);
  row.push_back(event.reason);
  row.push_back(object(event, columns.style));
  if (columns.wide) {
    row.push_back(event.involvedObject.fieldPath);
    row.push_back(source(event));
  }
  row.push_back(event_message(event));
  if (columns.wide) {
    row.push_back(age(first_seen(event), now));
    row.push_back(fmt::format("{}", std::max(event.count, 1)));
    row.push_back(event.metadata.name);
  }
  return row;
}

std::string event_message(const api::Event& event) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::string_view text = event.message;
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1));
}

bool EventFilter::takes(const api::Event& event) const {
  if (!types.empty() && std::ranges::find(types, event.type) == types.end()) return false;
  if (!names.empty() && std::ranges::find(names, event.metadata.name) == names.end()) return false;
  if (kind.empty()) return true;
  if (event.involvedObject.kind != kind) return false;
  return kind == "Pod" || name.empty() || event.involvedObject.name == name;
}

Result<EventFilter> event_filter(const std::string& for_object,
                                 const std::vector<std::string>& types) {
  EventFilter filter;
  for (const std::string& type : types) {
    const std::string word = lower(type);
    if (word != "normal" && word != "warning")
      return fail(ErrorCode::kInvalid, "valid --types are Normal or Warning");
    filter.types.emplace_back(word == "normal" ? "Normal" : "Warning");
  }
  if (for_object.empty()) return filter;
  const auto slash = for_object.find('/');
  const std::string kind = lower(for_object.substr(0, slash));
  if (slash == std::string::npos || slash + 1 == for_object.size())
    return fail(ErrorCode::kInvalid, "--for must be in resource/name form: pod/NAME or node/NAME");
  filter.name = for_object.substr(slash + 1);
  if (kind == "pod" || kind == "pods" || kind == "po") {
    filter.kind = "Pod";
  } else if (kind == "node" || kind == "nodes" || kind == "no") {
    filter.kind = "Node";
  } else {
    return fail(ErrorCode::kInvalid,
                fmt::format("--for takes pods and the node, not \"{}\"", for_object));
  }
  return filter;
}

}  // namespace berth::ctl
