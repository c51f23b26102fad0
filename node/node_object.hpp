// SPDX-License-Identifier: Apache-2.0

// The Node object of this machine.
//
// Pure over what is known about the node, what the runtime reports, and the Node as last shown (for
// the times of its conditions).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/node.hpp"
#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "cri/types.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// Whether the runtime has reported itself ready: never, of late, or not for so long that it counts
// as down.
enum class RuntimeHealth : std::uint8_t { kNeverReady, kReady, kDown };

struct NodeObservations {
  std::optional<cri::Version> version{};
  // As last reported; unset before the first answer.
  std::optional<cri::RuntimeStatus> runtime{};
  RuntimeHealth runtime_health = RuntimeHealth::kNeverReady;
  std::vector<cri::Image> images{};
  bool shutting_down = false;
  WallTime now{};
};

[[nodiscard]] api::Node node_object(const NodeView& node, const NodeObservations& observed,
                                    const api::Node* previous);

// What keeps the runtime from connecting pods to a network, in the kubelet's words; empty if
// nothing does, or its status is not known.
[[nodiscard]] std::string network_error(const std::optional<cri::RuntimeStatus>& runtime);

// Labels that every node has; those of the configuration override them.
[[nodiscard]] std::map<std::string, std::string> node_labels(const NodeConfig& config,
                                                             const NodeFacts& facts);

// Label keys that a node may not set itself (sorted): those in kubernetes.io and k8s.io that are
// not on the list of exceptions. A configuration with such keys is refused, and they are named.
[[nodiscard]] std::vector<std::string> forbidden_label_keys(
    const std::map<std::string, std::string>& labels);

// Every problem with the configuration's labels and taints, one sentence each, with its path.
[[nodiscard]] std::vector<std::string> node_label_problems(
    const std::map<std::string, std::string>& labels, const std::vector<api::Taint>& taints);

// The node's name, from --hostname-override or the machine's name: trimmed, lower case.
[[nodiscard]] std::string node_name(const std::string& name);

// Derives the view from configuration and facts.
[[nodiscard]] NodeView make_node_view(NodeConfig config, NodeFacts facts, cri::DnsConfig host_dns);

}  // namespace berth::node
