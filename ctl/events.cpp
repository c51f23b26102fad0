// berthctl events [--for pod/NAME] [-w]
#include <array>
#include <cstdio>

#include "ctl/command.hpp"
#include "ctl/event_row.hpp"
#include "ctl/objects.hpp"

namespace berth::ctl {
namespace {

control::v1::ListEventsRequest request_for(const Options& options, const std::string& pod) {
  control::v1::ListEventsRequest request;
  request.set_namespace_(chosen_namespace(options));
  request.set_all_namespaces(options.all_namespaces);
  request.set_pod_name(pod);
  return request;
}

Outcome print_events(const Options& options, const std::vector<std::string>& events) {
  if (options.output == Output::kJson || options.output == Output::kYaml) {
    const auto text = print_list(events, options.output);
    if (!text) return std::unexpected(text.error());
    std::fputs(text->c_str(), stdout);
    return 0;
  }
  if (events.empty()) {
    std::fputs("No events found.\n", stderr);
    return 0;
  }
  std::vector<Row> rows;
  for (const auto& json : events) {
    const auto event = event_from(json);
    if (!event) return std::unexpected(event.error());
    rows.push_back(event_row(*event, options.all_namespaces, now()));
  }
  print_rows(options, event_header(options.all_namespaces), rows);
  return 0;
}

// Lines of a stream cannot be aligned with what is yet to come; these widths suit most.
constexpr std::array<std::size_t, 4> kStreamWidths = {10, 7, 16, 28};

Outcome watch_events(Connection& agent, const Options& options, const std::string& pod) {
  const auto context = Connection::endless_context();
  const auto stream = agent.stub().WatchEvents(context.get(), request_for(options, pod));
  std::vector<std::size_t> widths(kStreamWidths.begin(), kStreamWidths.end());
  if (options.all_namespaces) widths.insert(widths.begin(), 10);
  if (options.output == Output::kTable && !options.no_headers) {
    std::fputs(format_row(event_header(options.all_namespaces), widths).c_str(), stdout);
  }
  control::v1::EventChange change;
  while (stream->Read(&change)) {
    if (change.type() == control::v1::SYNCED) continue;
    if (options.output == Output::kJson) {
      std::fputs((change.event_json() + "\n").c_str(), stdout);
    } else {
      const auto event = event_from(change.event_json());
      if (!event) return std::unexpected(event.error());
      std::fputs(format_row(event_row(*event, options.all_namespaces, now()), widths).c_str(),
                 stdout);
    }
    std::fflush(stdout);
  }
  const grpc::Status status = stream->Finish();
  if (!status.ok()) return fail(agent.explain(status));
  return 0;
}

}  // namespace

Outcome show_events(Connection& agent, const Options& options, const std::string& pod, bool watch) {
  if (watch) return watch_events(agent, options, pod);
  control::v1::ListEventsReply reply;
  const auto context = agent.context();
  const grpc::Status status =
      agent.stub().ListEvents(context.get(), request_for(options, pod), &reply);
  if (!status.ok()) return fail(agent.explain(status));
  return print_events(options, {reply.events_json().begin(), reply.events_json().end()});
}

}  // namespace berth::ctl
