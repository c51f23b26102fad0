// SPDX-License-Identifier: Apache-2.0

#include "ctl/node/node_row.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "ctl/age.hpp"

namespace berth::ctl {
namespace {

std::string readiness(const api::Node& node) {
  const auto ready = std::ranges::find(node.status.conditions, "Ready", &api::NodeCondition::type);
  std::string text = "Unknown";
  if (ready != node.status.conditions.end()) text = ready->status == "True" ? "Ready" : "NotReady";
  return node.spec.unschedulable ? text + ",SchedulingDisabled" : text;
}

std::string address(const api::Node& node, const std::string& type) {
  const auto found = std::ranges::find(node.status.addresses, type, &api::NodeAddress::type);
  return found == node.status.addresses.end() ? "<none>" : found->address;
}

std::string or_unknown(const std::string& text) {
  return text.empty() ? "<unknown>" : text;
}

}  // namespace

std::string node_roles(const api::Node& node) {
  constexpr std::string_view kPrefix = "node-role.kubernetes.io/";
  std::set<std::string> roles;
  for (const auto& [key, value] : node.metadata.labels) {
    if (key.starts_with(kPrefix) && key.size() > kPrefix.size())
      roles.insert(key.substr(kPrefix.size()));
    if (key == "kubernetes.io/role" && !value.empty()) roles.insert(value);
  }
  return roles.empty() ? "<none>" : fmt::format("{}", fmt::join(roles, ","));
}

std::string node_pressure(const api::Node& node) {
  std::string text;
  for (const auto& condition : node.status.conditions) {
    if (condition.status != "True" || !condition.type.ends_with("Pressure")) continue;
    text += (text.empty() ? "" : ",") + condition.type;
  }
  return text.empty() ? "None" : text;
}

Row node_header(bool wide) {
  Row row = {"NAME", "STATUS", "ROLES", "AGE", "VERSION"};
  if (wide)
    row.insert(row.end(),
               {"INTERNAL-IP", "EXTERNAL-IP", "OS-IMAGE", "KERNEL-VERSION", "CONTAINER-RUNTIME"});
  row.emplace_back("PRESSURE");
  return row;
}

Row node_row(const api::Node& node, bool wide, WallTime now) {
  const auto& info = node.status.nodeInfo;
  Row row = {node.metadata.name, readiness(node), node_roles(node),
             age(node.metadata.creationTimestamp, now), info.kubeletVersion};
  if (wide)
    row.insert(row.end(),
               {address(node, "InternalIP"), address(node, "ExternalIP"), or_unknown(info.osImage),
                or_unknown(info.kernelVersion), or_unknown(info.containerRuntimeVersion)});
  row.push_back(node_pressure(node));
  return row;
}

}  // namespace berth::ctl
