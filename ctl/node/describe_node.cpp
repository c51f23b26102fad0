// SPDX-License-Identifier: Apache-2.0

#include "ctl/node/describe_node.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "api/pod_resources.hpp"
#include "ctl/age.hpp"
#include "ctl/describe/describe_sections.hpp"
#include "ctl/describe/describe_text.hpp"
#include "ctl/node/node_row.hpp"

namespace berth::ctl {
namespace {

// A header as kubectl prints one: underlined, each word by itself.
std::vector<Row> underlined(Row header) {
  Row line;
  for (const auto& word : header) line.emplace_back(word.size(), '-');
  return {std::move(header), std::move(line)};
}

void describe_table(DescribeText& out, std::string_view key, const std::vector<Row>& rows) {
  out.enter(key);
  out.rows(rows);
  out.leave();
}

void describe_identity(DescribeText& out, const api::Node& node) {
  out.field("Name", node.metadata.name);
  out.field("Roles", node_roles(node));
  out.list("Labels", key_values(node.metadata.labels, "="));
  out.list("Annotations", key_values(node.metadata.annotations, ": "));
  out.field("CreationTimestamp", describe_time(node.metadata.creationTimestamp));
  std::vector<std::string> taints;
  for (const auto& taint : node.spec.taints) {
    const std::string value = taint.value.empty() ? "" : "=" + taint.value;
    taints.push_back(fmt::format("{}{}:{}", taint.key, value, taint.effect));
  }
  out.list("Taints", taints);
  out.field("Unschedulable", node.spec.unschedulable ? "true" : "false");
}

void describe_conditions(DescribeText& out, const api::NodeStatus& status) {
  std::vector<Row> rows = underlined(
      {"Type", "Status", "LastHeartbeatTime", "LastTransitionTime", "Reason", "Message"});
  for (const auto& condition : status.conditions) {
    rows.push_back({condition.type, condition.status, describe_time(condition.lastHeartbeatTime),
                    describe_time(condition.lastTransitionTime), condition.reason,
                    condition.message});
  }
  describe_table(out, "Conditions", rows);
}

void describe_addresses(DescribeText& out, const api::NodeStatus& status) {
  if (status.addresses.empty()) return;
  out.enter("Addresses");
  for (const auto& address : status.addresses) out.field(address.type, address.address);
  out.leave();
}

void describe_system(DescribeText& out, const api::NodeSystemInfo& info) {
  out.enter("System Info");
  out.field("Machine ID", info.machineID);
  out.field("System UUID", info.systemUUID);
  out.field("Boot ID", info.bootID);
  out.field("Kernel Version", info.kernelVersion);
  out.field("OS Image", info.osImage);
  out.field("Operating System", info.operatingSystem);
  out.field("Architecture", info.architecture);
  out.field("Container Runtime Version", info.containerRuntimeVersion);
  out.field("Kubelet Version", info.kubeletVersion);
  if (!info.kubeProxyVersion.empty()) out.field("Kube-Proxy Version", info.kubeProxyVersion);
  out.leave();
}

// Shares of what the node offers to pods; a kubelet that reports no allocatable offers its whole
// capacity.
class Shares {
 public:
  explicit Shares(const api::NodeStatus& status)
      : whole_(status.allocatable.empty() ? status.capacity : status.allocatable) {}

  // "100m (1%)", whole percents, rounded down as kubectl does.
  [[nodiscard]] std::string text(const api::ResourceList& amounts, const std::string& name) const {
    const api::Quantity amount = of(amounts, name);
    const double whole = counted(of(whole_, name), name);
    const double share = whole > 0 ? counted(amount, name) / whole * 100 : 0;
    return fmt::format("{} ({}%)", amount.to_string(), static_cast<std::int64_t>(share));
  }

  [[nodiscard]] std::vector<std::string> resources() const {
    std::vector<std::string> names = {"cpu", "memory", "ephemeral-storage"};
    for (const auto& [name, amount] : whole_)
      if (name != "pods" && std::ranges::find(names, name) == names.end()) names.push_back(name);
    return names;
  }

 private:
  static api::Quantity of(const api::ResourceList& amounts, const std::string& name) {
    const auto found = amounts.find(name);
    return found == amounts.end() ? api::Quantity() : found->second;
  }
  static double counted(const api::Quantity& amount, std::string_view name) {
    return static_cast<double>(name == "cpu" ? amount.milli_value() : amount.value());
  }

  api::ResourceList whole_;
};

void add(api::ResourceList& sum, const api::ResourceList& amounts) {
  for (const auto& [name, amount] : amounts) sum[name] += amount;
}

std::vector<const api::Pod*> not_ended(const std::vector<api::Pod>& pods) {
  std::vector<const api::Pod*> list;
  for (const auto& pod : pods)
    if (pod.status.phase != "Succeeded" && pod.status.phase != "Failed") list.push_back(&pod);
  std::ranges::sort(list, {}, [](const api::Pod* pod) {
    return std::tie(pod->metadata.namespace_, pod->metadata.name);
  });
  return list;
}

void describe_pods(DescribeText& out, const Shares& shares,
                   const std::vector<const api::Pod*>& pods, WallTime now) {
  std::vector<Row> rows = underlined({"Namespace", "Name", "CPU Requests", "CPU Limits",
                                      "Memory Requests", "Memory Limits", "Age"});
  for (const api::Pod* pod : pods) {
    const api::ResourceList requests = api::pod_requests(*pod);
    const api::ResourceList limits = api::pod_limits(*pod);
    rows.push_back({pod->metadata.namespace_, pod->metadata.name, shares.text(requests, "cpu"),
                    shares.text(limits, "cpu"), shares.text(requests, "memory"),
                    shares.text(limits, "memory"), age(pod->metadata.creationTimestamp, now)});
  }
  out.enter("Non-terminated Pods", fmt::format("({} in total)", pods.size()));
  out.rows(rows);
  out.leave();
}

void describe_allocated(DescribeText& out, const Shares& shares,
                        const std::vector<const api::Pod*>& pods) {
  api::ResourceList requests;
  api::ResourceList limits;
  for (const api::Pod* pod : pods) {
    add(requests, api::pod_requests(*pod));
    add(limits, api::pod_limits(*pod));
  }
  std::vector<Row> rows = underlined({"Resource", "Requests", "Limits"});
  for (const auto& name : shares.resources())
    rows.push_back({name, shares.text(requests, name), shares.text(limits, name)});
  out.enter("Allocated resources");
  out.line("(Total limits may be over 100 percent, i.e., overcommitted.)");
  out.rows(rows);
  out.leave();
}

void describe_pressure(DescribeText& out, const NodeStory& story) {
  if (!story.pressure_unknown.empty())
    out.field("Pressure", "<unknown>: " + story.pressure_unknown);
  else if (story.pressure.empty())
    out.field("Pressure", "<none>");
  else
    describe_table(out, "Pressure", story.pressure);
}

}  // namespace

// The section that kubectl does not have comes last.
std::string describe_node(const NodeStory& story, WallTime now) {
  const api::Node& node = story.node;
  const Shares shares(node.status);
  const auto pods = not_ended(story.pods);
  DescribeText out;
  describe_identity(out, node);
  describe_conditions(out, node.status);
  describe_addresses(out, node.status);
  describe_amounts(out, "Capacity", node.status.capacity);
  describe_amounts(out, "Allocatable", node.status.allocatable);
  describe_system(out, node.status.nodeInfo);
  if (!node.spec.podCIDR.empty()) out.field("PodCIDR", node.spec.podCIDR);
  describe_pods(out, shares, pods, now);
  describe_allocated(out, shares, pods);
  describe_events(out, story.events, now);
  describe_pressure(out, story);
  return out.text();
}

}  // namespace berth::ctl
