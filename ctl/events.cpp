// SPDX-License-Identifier: Apache-2.0

// berthctl events [--for pod/NAME] [--types=Warning] [-w], and get events [NAME...]
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "control/pod_name.hpp"
#include "ctl/command.hpp"
#include "ctl/event_row.hpp"
#include "ctl/object_text.hpp"
#include "ctl/watching.hpp"

namespace berth::ctl {
namespace {

struct Asked {
  const Options& options;
  EventColumns columns;
  EventFilter filter;

  [[nodiscard]] Row header() const { return options.no_headers ? Row{} : event_header(columns); }
  [[nodiscard]] WatchedObject object(const std::string& json, const api::Event& event) const {
    return {.json = json,
            .name = "event/" + event.metadata.name,
            .row = event_row(event, columns, now())};
  }
};

control::v1::ListEventsRequest request_for(const Asked& asked) {
  const bool of_node = asked.filter.kind == "Node";
  const auto pod = control::typed_pod_name(chosen_namespace(asked.options), asked.filter.name);
  control::v1::ListEventsRequest request;
  request.set_namespace_(pod.namespace_);
  // A node's events are in namespace "default", whatever namespace is selected.
  request.set_all_namespaces(asked.options.all_namespaces || of_node);
  if (!of_node) request.set_pod_name(pod.name);
  return request;
}

void say_none(const Asked& asked) {
  const char* what = asked.columns.style == EventStyle::kGet ? "resources" : "events";
  const std::string where =
      asked.options.all_namespaces
          ? fmt::format("No {} found\n", what)
          : fmt::format("No {} found in {} namespace.\n", what, chosen_namespace(asked.options));
  complain(where);
}

// Reports the first missing one of events requested by name.
Result<bool> expect_named(const Asked& asked, const std::vector<WatchedObject>& found) {
  for (const auto& name : asked.filter.names) {
    if (std::ranges::find(found, "event/" + name, &WatchedObject::name) != found.end()) continue;
    return fail(
        ErrorCode::kNotFound,
        fmt::format("event \"{0}\" not found in namespace \"{1}\"; for the events of a pod: "
                    "berthctl events --for pod/{0}",
                    name, chosen_namespace(asked.options)));
  }
  return true;
}

Result<std::string> documents(const Asked& asked, const std::vector<WatchedObject>& events) {
  if (asked.filter.names.size() == 1 && events.size() == 1)
    return object_text(events.front().json, asked.options.output);
  std::vector<std::string> list;
  for (const auto& event : events) list.push_back(event.json);
  return list_text(list, asked.options.output);
}

Outcome print_events(const Asked& asked, const std::vector<std::string>& events) {
  std::vector<WatchedObject> wanted;
  for (const auto& json : events) {
    const auto event = event_from(json);
    if (!event) return std::unexpected(event.error());
    if (asked.filter.takes(*event)) wanted.push_back(asked.object(json, *event));
  }
  const auto named = expect_named(asked, wanted);
  if (!named) return std::unexpected(named.error());
  const Output output = asked.options.output;
  if (output == Output::kJson || output == Output::kYaml) {
    const auto text = documents(asked, wanted);
    if (!text) return std::unexpected(text.error());
    print(*text);
    return 0;
  }
  if (wanted.empty()) say_none(asked);
  std::vector<Row> rows;
  for (const auto& event : wanted) {
    if (output == Output::kName) print(event.name + "\n");
    rows.push_back(event.row);
  }
  if (output != Output::kName && !rows.empty())
    print_rows(asked.options, event_header(asked.columns), rows);
  return 0;
}

// The widths of future rows are unknown; these suit most.
std::vector<std::size_t> likely_widths(bool with_namespace) {
  std::vector<std::size_t> widths = {10, 7, 16, 28};
  if (with_namespace) widths.insert(widths.begin(), 10);
  return widths;
}

Outcome watch_events(Connection& agent, const Asked& asked) {
  auto stream =
      agent.stream<control::v1::EventChange>(Patience::kFirstSign, [&](grpc::ClientContext* call) {
        return agent.stub().WatchEvents(call, request_for(asked));
      });
  WatchPrinter printer(asked.options.output, asked.header(),
                       likely_widths(asked.columns.with_namespace));
  const auto shown = [&](const auto& change) -> Result<std::optional<WatchedObject>> {
    const auto event = event_from(change.event_json());
    if (!event) return std::unexpected(event.error());
    if (!asked.filter.takes(*event)) return std::nullopt;
    return asked.object(change.event_json(), *event);
  };
  return print_changes(std::move(stream), std::move(printer), shown);
}

}  // namespace

Outcome show_events(Connection& agent, const Options& options, const EventsOptions& events) {
  auto filter = event_filter(events.for_object, events.types);
  if (!filter) return fail(filter.error());
  filter->names = events.names;
  const Asked asked{.options = options,
                    .columns = {.style = events.style,
                                .with_namespace = options.all_namespaces,
                                .wide = options.output == Output::kWide},
                    .filter = std::move(*filter)};
  if (events.watch) return watch_events(agent, asked);
  control::v1::ListEventsReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().ListEvents(context.get(), request_for(asked), &reply);
  if (!status.ok()) return fail(agent.explain(status));
  return print_events(asked, {reply.events_json().begin(), reply.events_json().end()});
}

}  // namespace berth::ctl
