// SPDX-License-Identifier: Apache-2.0

// berthctl get node [NAME] [-w]
#include <string>

#include <fmt/format.h>

#include "ctl/command.hpp"
#include "ctl/node/node_query.hpp"
#include "ctl/node/node_row.hpp"
#include "ctl/object_text.hpp"
#include "ctl/watching.hpp"

namespace berth::ctl {
namespace {

Outcome watch_node(Connection& agent, const Options& options,
                   const std::vector<std::string>& names) {
  const bool wide = options.output == Output::kWide;
  auto stream = agent.stream<control::v1::NodeChange>(
      Patience::kFirstSign,
      [&](grpc::ClientContext* call) { return agent.stub().WatchNode(call, {}); });
  const auto shown = [&](const auto& change) -> Result<std::optional<WatchedObject>> {
    const auto node = meant_node(change.node_json(), names);
    if (!node) return std::unexpected(node.error());
    return WatchedObject{.json = change.node_json(),
                         .name = "node/" + node->metadata.name,
                         .row = node_row(*node, wide, now())};
  };
  return print_changes(std::move(stream),
                       WatchPrinter(options.output, options.no_headers ? Row{} : node_header(wide)),
                       shown);
}

}  // namespace

Outcome get_node(Connection& agent, const Options& options, const std::vector<std::string>& names,
                 bool watch) {
  if (watch) return watch_node(agent, options, names);
  const auto json = fetch_node(agent);
  if (!json) return std::unexpected(json.error());
  const auto node = meant_node(*json, names);
  if (!node) return std::unexpected(node.error());

  if (options.output == Output::kJson || options.output == Output::kYaml) {
    const auto text =
        names.empty() ? list_text({*json}, options.output) : object_text(*json, options.output);
    if (!text) return std::unexpected(text.error());
    print(*text);
    return 0;
  }
  if (options.output == Output::kName) {
    print(fmt::format("node/{}\n", node->metadata.name));
    return 0;
  }
  const bool wide = options.output == Output::kWide;
  print_rows(options, node_header(wide), {node_row(*node, wide, now())});
  return 0;
}

}  // namespace berth::ctl
