// SPDX-License-Identifier: Apache-2.0

#include "node/node_object.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cri/runtime_conditions.hpp"
#include "node/allocatable.hpp"

namespace berth::node {
namespace {

constexpr std::size_t kMaxNamesPerImage = 5;  // Kubernetes'; keeps the status bounded

api::Time api_time(WallTime at) {
  return api::Time{at};
}

std::string condition_error(const cri::RuntimeCondition& condition) {
  const char* what = condition.type == cri::kNetworkReady ? "container runtime network not ready"
                                                          : "container runtime not ready";
  return fmt::format("{}: {}=false reason:{} message:{}", what, condition.type, condition.reason,
                     condition.message);
}

// Errors that keep the node from being ready, in the words of the Ready condition.
std::vector<std::string> readiness_errors(const NodeObservations& observed) {
  std::vector<std::string> errors;
  if (observed.runtime_health == RuntimeHealth::kNeverReady)
    errors.emplace_back("container runtime status check may not have completed yet");
  if (observed.runtime_health == RuntimeHealth::kDown)
    errors.emplace_back("container runtime is down");
  if (observed.runtime) {
    for (const auto& condition : cri::unmet(*observed.runtime))
      errors.push_back(condition_error(condition));
  }
  if (observed.shutting_down) errors.emplace_back("node is shutting down");
  return errors;
}

api::NodeCondition ready_condition(const NodeObservations& observed) {
  const auto errors = readiness_errors(observed);
  if (errors.empty()) {
    return {.type = "Ready",
            .status = "True",
            .reason = "KubeletReady",
            .message = "kubelet is posting ready status"};
  }
  std::string message = errors.front();
  if (errors.size() > 1) message = fmt::format("[{}]", fmt::join(errors, ", "));
  return {.type = "Ready", .status = "False", .reason = "KubeletNotReady", .message = message};
}

std::vector<api::NodeCondition> node_conditions(const NodeObservations& observed,
                                                const api::Node* previous) {
  std::vector<api::NodeCondition> conditions;
  conditions.push_back(ready_condition(observed));
  for (auto& condition : conditions) {
    condition.lastHeartbeatTime = api_time(observed.now);
    condition.lastTransitionTime = api_time(observed.now);
    if (previous == nullptr) continue;
    for (const auto& before : previous->status.conditions) {
      if (before.type != condition.type || before.status != condition.status) continue;
      condition.lastTransitionTime = before.lastTransitionTime;
    }
  }
  return conditions;
}

std::vector<api::ContainerImage> node_images(std::vector<cri::Image> images, std::int32_t limit) {
  std::stable_sort(images.begin(), images.end(),
                   [](const cri::Image& a, const cri::Image& b) { return a.size > b.size; });
  if (limit >= 0 && images.size() > static_cast<std::size_t>(limit)) {
    images.resize(static_cast<std::size_t>(limit));
  }
  std::vector<api::ContainerImage> list;
  for (const auto& image : images) {
    api::ContainerImage entry{.sizeBytes = static_cast<std::int64_t>(image.size)};
    entry.names = image.repo_digests;
    entry.names.insert(entry.names.end(), image.repo_tags.begin(), image.repo_tags.end());
    if (entry.names.size() > kMaxNamesPerImage) entry.names.resize(kMaxNamesPerImage);
    list.push_back(std::move(entry));
  }
  return list;
}

std::vector<api::NodeAddress> node_addresses(const NodeView& node) {
  std::vector<api::NodeAddress> addresses;
  for (const auto& ip : node.host_ips) addresses.push_back({.type = "InternalIP", .address = ip});
  addresses.push_back({.type = "Hostname", .address = node.config.node_name});
  return addresses;
}

api::NodeSystemInfo system_info(const NodeView& node, const NodeObservations& observed) {
  const auto& facts = node.facts;
  api::NodeSystemInfo info{.machineID = facts.machine_id,
                           .systemUUID = facts.system_uuid,
                           .bootID = facts.boot_id,
                           .kernelVersion = facts.kernel_version,
                           .osImage = facts.os_image,
                           .containerRuntimeVersion = "Unknown",
                           .kubeletVersion = node.config.version,
                           .operatingSystem = "linux",
                           .architecture = facts.architecture};
  if (observed.version) {
    info.containerRuntimeVersion =
        observed.version->runtime_name + "://" + observed.version->runtime_version;
  }
  if (facts.swap > 0) info.swap = api::NodeSwapStatus{.capacity = facts.swap};
  return info;
}

void add_runtime_features(api::NodeStatus& status, const cri::RuntimeStatus& runtime) {
  for (const auto& handler : runtime.handlers) {
    api::NodeRuntimeHandlerFeatures features{
        .recursiveReadOnlyMounts = handler.recursive_read_only_mounts,
        .userNamespaces = handler.user_namespaces};
    status.runtimeHandlers.push_back({.name = handler.name, .features = features});
  }
  if (runtime.supplemental_groups_policy) {
    status.features = api::NodeFeatures{.supplementalGroupsPolicy = true};
  }
}

}  // namespace

std::string network_error(const std::optional<cri::RuntimeStatus>& runtime) {
  if (!runtime) return {};
  for (const cri::RuntimeCondition& condition : cri::unmet(*runtime))
    if (condition.type == cri::kNetworkReady) return condition_error(condition);
  return {};
}

api::Node node_object(const NodeView& node, const NodeObservations& observed,
                      const api::Node* previous) {
  api::Node object;
  object.kind = "Node";
  object.apiVersion = "v1";
  object.metadata.name = node.config.node_name;
  object.metadata.labels = node_labels(node.config, node.facts);
  object.metadata.creationTimestamp =
      previous != nullptr ? previous->metadata.creationTimestamp : api_time(observed.now);
  object.spec.taints = node.config.node_taints;
  object.spec.providerID = node.config.provider_id;
  auto& status = object.status;
  status.capacity = node_capacity(node.config, node.facts);
  status.allocatable = node.allocatable;
  status.conditions = node_conditions(observed, previous);
  status.addresses = node_addresses(node);
  status.daemonEndpoints.kubeletEndpoint.Port = node.config.kubelet_port;
  status.nodeInfo = system_info(node, observed);
  status.images = node_images(observed.images, node.config.max_images_reported);
  if (observed.runtime) add_runtime_features(status, *observed.runtime);
  return object;
}

NodeView make_node_view(NodeConfig config, NodeFacts facts, cri::DnsConfig host_dns) {
  NodeView view{
      .config = std::move(config), .facts = std::move(facts), .host_dns = std::move(host_dns)};
  view.allocatable = node_allocatable(view.config, view.facts);
  view.host_ips = view.config.node_ips;
  if (view.host_ips.empty() && !view.facts.addresses.empty()) {
    view.host_ips.push_back(view.facts.addresses.front());
  }
  return view;
}

}  // namespace berth::node
