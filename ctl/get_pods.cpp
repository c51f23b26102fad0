// SPDX-License-Identifier: Apache-2.0

// berthctl get pods [NAME...] [-w]
#include <fmt/format.h>

#include "control/pod_name.hpp"
#include "ctl/command.hpp"
#include "ctl/object_text.hpp"
#include "ctl/pod_query.hpp"
#include "ctl/pod_row.hpp"
#include "ctl/watching.hpp"

namespace berth::ctl {
namespace {

PodColumns columns_for(const Options& options) {
  return {.with_namespace = options.all_namespaces, .wide = options.output == Output::kWide};
}

bool is_table(Output output) {
  return output == Output::kTable || output == Output::kWide;
}

Outcome print_table(const Options& options, const std::vector<std::string>& pods) {
  std::vector<Row> rows;
  for (const auto& json : pods) {
    const auto pod = pod_from(json);
    if (!pod) return std::unexpected(pod.error());
    rows.push_back(pod_row(*pod, columns_for(options), now()));
  }
  print_rows(options, pod_header(columns_for(options)), rows);
  return 0;
}

Outcome print_names(const std::vector<std::string>& pods) {
  for (const auto& json : pods) {
    const auto pod = pod_from(json);
    if (!pod) return std::unexpected(pod.error());
    print(fmt::format("pod/{}\n", pod->metadata.name));
  }
  return 0;
}

Outcome print_documents(const Options& options, const std::vector<std::string>& pods, bool single) {
  const auto text =
      single ? object_text(pods.front(), options.output) : list_text(pods, options.output);
  if (!text) return std::unexpected(text.error());
  print(*text);
  return 0;
}

Outcome watch_pods(Connection& agent, const Options& options, const std::string& name) {
  // A named pod that does not exist is an error.
  if (!name.empty()) {
    const auto there = fetch_pod(agent, options, name);
    if (!there) return std::unexpected(there.error());
  }
  control::v1::WatchPodsRequest request;
  const auto typed = control::typed_pod_name(chosen_namespace(options), name);
  request.set_namespace_(typed.namespace_);
  request.set_all_namespaces(options.all_namespaces);
  request.set_name(typed.name);
  auto stream = agent.stream<control::v1::PodChange>(
      Patience::kFirstSign,
      [&](grpc::ClientContext* call) { return agent.stub().WatchPods(call, request); });
  const auto columns = columns_for(options);
  const auto shown = [&](const auto& change) -> Result<std::optional<WatchedObject>> {
    if (!change.notice().empty()) {
      complain(change.notice() + "\n");
      return std::nullopt;
    }
    const auto pod = pod_from(change.pod_json());
    if (!pod) return std::unexpected(pod.error());
    return WatchedObject{.json = change.pod_json(),
                         .name = "pod/" + pod->metadata.name,
                         .row = pod_row(*pod, columns, now())};
  };
  return print_changes(
      std::move(stream),
      WatchPrinter(options.output, options.no_headers ? Row{} : pod_header(columns)), shown);
}

Outcome print_pods(const Options& options, const std::vector<std::string>& pods, bool single) {
  if (options.output == Output::kName) return print_names(pods);
  if (!is_table(options.output)) return print_documents(options, pods, single);
  if (!pods.empty()) return print_table(options, pods);
  say_no_pods(options);
  return 0;
}

}  // namespace

Outcome get_pods(Connection& agent, const Options& options, const std::vector<std::string>& names,
                 bool watch) {
  if (watch) return watch_pods(agent, options, names.empty() ? "" : names.front());
  const auto found = fetch_pods(agent, options, names);
  if (!found) return std::unexpected(found.error());
  if (names.empty() || !found->pods.empty()) {
    auto printed = print_pods(options, found->pods, names.size() == 1);
    if (!printed) return printed;
  }
  return all_found(*found);
}

}  // namespace berth::ctl
