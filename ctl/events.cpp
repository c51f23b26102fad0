// berthctl events [--for pod/NAME] [--types=Warning] [-w], and get events
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "ctl/command.hpp"
#include "ctl/event_row.hpp"
#include "ctl/objects.hpp"

namespace berth::ctl {
namespace {

struct Asked {
  const Options& options;
  EventStyle style;
  EventFilter filter;

  [[nodiscard]] Row header() const { return event_header(options.all_namespaces); }
  [[nodiscard]] Row row(const api::Event& event) const {
    return event_row(event, style, options.all_namespaces, now());
  }
};

control::v1::ListEventsRequest request_for(const Asked& asked) {
  const bool of_node = asked.filter.kind == "Node";
  control::v1::ListEventsRequest request;
  request.set_namespace_(chosen_namespace(asked.options));
  // A node's events lie in the namespace "default", wherever one looks from.
  request.set_all_namespaces(asked.options.all_namespaces || of_node);
  if (!of_node) request.set_pod_name(asked.filter.name);
  return request;
}

void say_none(const Asked& asked) {
  const std::string where =
      asked.options.all_namespaces
          ? "No events found.\n"
          : fmt::format("No events found in {} namespace.\n", chosen_namespace(asked.options));
  std::fputs(where.c_str(), stderr);
}

Outcome print_events(const Asked& asked, const std::vector<std::string>& events) {
  std::vector<std::string> wanted;
  std::vector<Row> rows;
  for (const auto& json : events) {
    const auto event = event_from(json);
    if (!event) return std::unexpected(event.error());
    if (!asked.filter.takes(*event)) continue;
    wanted.push_back(json);
    rows.push_back(asked.row(*event));
  }
  const Output output = asked.options.output;
  if (output == Output::kJson || output == Output::kYaml) {
    const auto text = print_list(wanted, output);
    if (!text) return std::unexpected(text.error());
    std::fputs(text->c_str(), stdout);
    return 0;
  }
  if (rows.empty()) {
    say_none(asked);
    return 0;
  }
  print_rows(asked.options, asked.header(), rows);
  return 0;
}

// Widths for what is yet to come, which nobody knows; these suit most.
std::vector<std::size_t> stream_widths(const std::vector<Row>& rows, bool with_namespace) {
  std::vector<std::size_t> widths = {10, 7, 16, 28};
  if (with_namespace) widths.insert(widths.begin(), 10);
  const auto needed = column_widths(rows);
  for (std::size_t i = 0; i < widths.size() && i < needed.size(); ++i)
    widths[i] = std::max(widths[i], needed[i]);
  return widths;
}

// What was there at the beginning is held back until all of it is known, so that it is aligned.
class EventPrinter {
 public:
  explicit EventPrinter(const Asked& asked) : asked_(asked) {}

  Outcome take(const control::v1::EventChange& change) {
    if (change.type() == control::v1::SYNCED) {
      print_held();
      return 0;
    }
    const auto event = event_from(change.event_json());
    if (!event) return std::unexpected(event.error());
    if (!asked_.filter.takes(*event)) return 0;
    if (asked_.options.output == Output::kJson) {
      print(change.event_json() + "\n");
    } else if (widths_.empty()) {
      held_.push_back(asked_.row(*event));
    } else {
      print(format_row(asked_.row(*event), widths_));
    }
    return 0;
  }

 private:
  static void print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }

  void print_held() {
    if (asked_.options.output == Output::kJson) return;
    if (!asked_.options.no_headers) held_.insert(held_.begin(), asked_.header());
    widths_ = stream_widths(held_, asked_.options.all_namespaces);
    std::string text;
    for (const Row& row : held_) text += format_row(row, widths_);
    held_.clear();
    print(text);
  }

  const Asked& asked_;
  std::vector<Row> held_{};
  std::vector<std::size_t> widths_{};
};

Outcome watch_events(Connection& agent, const Asked& asked) {
  const auto context = Connection::endless_context();
  const auto stream = agent.stub().WatchEvents(context.get(), request_for(asked));
  EventPrinter printer(asked);
  control::v1::EventChange change;
  while (stream->Read(&change)) {
    if (auto printed = printer.take(change); !printed) return printed;
  }
  const grpc::Status status = stream->Finish();
  if (!status.ok()) return fail(agent.explain(status));
  return 0;
}

}  // namespace

Outcome show_events(Connection& agent, const Options& options, const EventsOptions& events) {
  auto filter = event_filter(events.for_object, events.types);
  if (!filter) return fail(filter.error());
  const Asked asked{.options = options,
                    .style = events.as_get ? EventStyle::kGet : EventStyle::kEvents,
                    .filter = std::move(*filter)};
  if (events.watch) return watch_events(agent, asked);
  control::v1::ListEventsReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().ListEvents(context.get(), request_for(asked), &reply);
  if (!status.ok()) return fail(agent.explain(status));
  return print_events(asked, {reply.events_json().begin(), reply.events_json().end()});
}

}  // namespace berth::ctl
