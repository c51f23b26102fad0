// SPDX-License-Identifier: Apache-2.0

// The kubelet's own admission: whether this pod may run on this node now.
//
// Pure over the node, its active pods, and the pod. Reasons and messages are Kubernetes'. Each pod
// is admitted once; running pods are never checked again. Eviction decides about pressure, not this
// file.
#pragma once

#include <string>
#include <vector>

#include "api/node.hpp"
#include "api/pod.hpp"
#include "node/node_config.hpp"
#include "scheduling/predicates/resource_fit.hpp"

namespace berth::node {

struct Admission {
  bool admitted = true;
  std::string reason{};  // OutOfcpu, NodeAffinity, SysctlForbidden, …
  std::string message{};
  // Every unmet requirement, for `describe` and the log; the first one decided.
  std::vector<std::string> failures{};

  bool operator==(const Admission&) const = default;
};

// `active` does not contain the pod itself.
[[nodiscard]] Admission admit_pod(const NodeConfig& config, const HostConfinement& host,
                                  const api::Node& node, const std::vector<const api::Pod*>& active,
                                  const api::Pod& pod);

// The resources that a critical pod lacks and that may be taken from other pods
// (critical_preemption.hpp). Empty if the pod is not critical, lacks nothing, or is refused for
// another reason as well.
[[nodiscard]] std::vector<scheduling::Shortage> shortages_to_preempt_for(
    const NodeConfig& config, const api::Node& node, const std::vector<const api::Pod*>& active,
    const api::Pod& pod);

// The message that refuses the first forbidden sysctl; empty if there is none. Which ones are safe
// depends on the node's kernel.
[[nodiscard]] std::string forbidden_sysctl(const NodeConfig& config, const api::Node& node,
                                           const api::Pod& pod);

// Why the pattern is not a valid entry of allowedUnsafeSysctls; empty if it is valid: a namespaced
// sysctl, or a prefix of some with '*'.
[[nodiscard]] std::string sysctl_pattern_problem(const std::string& pattern);

}  // namespace berth::node
