// berthctl get node
#include <algorithm>
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "ctl/age.hpp"
#include "ctl/command.hpp"
#include "ctl/objects.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {
namespace {

std::string readiness(const api::Node& node) {
  const auto ready = std::ranges::find(node.status.conditions, "Ready", &api::NodeCondition::type);
  if (ready == node.status.conditions.end()) return "Unknown";
  return ready->status == "True" ? "Ready" : "NotReady";
}

std::string address(const api::Node& node, const std::string& type) {
  const auto found = std::ranges::find(node.status.addresses, type, &api::NodeAddress::type);
  return found == node.status.addresses.end() ? "<none>" : found->address;
}

std::string roles(const api::Node& node) {
  constexpr std::string_view kPrefix = "node-role.kubernetes.io/";
  std::string text;
  for (const auto& [key, value] : node.metadata.labels) {
    if (key.starts_with(kPrefix)) text += (text.empty() ? "" : ",") + key.substr(kPrefix.size());
  }
  return text.empty() ? "<none>" : text;
}

}  // namespace

Outcome get_node(Connection& agent, const Options& options) {
  control::v1::GetNodeReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().GetNode(context.get(), {}, &reply);
  if (!status.ok()) return fail(agent.explain(status));

  if (options.output == Output::kJson || options.output == Output::kYaml) {
    const auto text = print_object(reply.node_json(), options.output);
    if (!text) return std::unexpected(text.error());
    std::fputs(text->c_str(), stdout);
    return 0;
  }
  const auto node = node_from(reply.node_json());
  if (!node) return std::unexpected(node.error());
  if (options.output == Output::kName) {
    std::fputs(fmt::format("node/{}\n", node->metadata.name).c_str(), stdout);
    return 0;
  }
  Row header = {"NAME", "STATUS", "ROLES", "AGE", "VERSION"};
  const auto& info = node->status.nodeInfo;
  Row row = {node->metadata.name, readiness(*node), roles(*node),
             age(node->metadata.creationTimestamp, now()), info.kubeletVersion};
  if (options.output == Output::kWide) {
    header.insert(header.end(), {"INTERNAL-IP", "OS-IMAGE", "KERNEL-VERSION", "CONTAINER-RUNTIME"});
    row.insert(row.end(), {address(*node, "InternalIP"), info.osImage, info.kernelVersion,
                           info.containerRuntimeVersion});
  }
  print_rows(options, header, {row});
  return 0;
}

}  // namespace berth::ctl
