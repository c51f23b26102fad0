// SPDX-License-Identifier: Apache-2.0

#include "ctl/node/node_query.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "ctl/object_text.hpp"

namespace berth::ctl {

Result<std::string> fetch_node(Connection& agent) {
  control::v1::GetNodeReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().GetNode(context.get(), {}, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  return reply.node_json();
}

Result<api::Node> meant_node(const std::string& json, const std::vector<std::string>& names) {
  auto node = node_from(json);
  if (!node) return node;
  const auto other =
      std::ranges::find_if(names, [&](const auto& name) { return name != node->metadata.name; });
  if (other == names.end()) return node;
  return fail(ErrorCode::kNotFound, fmt::format("node \"{}\" not found; this one is \"{}\"", *other,
                                                node->metadata.name));
}

}  // namespace berth::ctl
