// The kubelet's own admission: may this pod run on this node now?
//
// Pure over the node, the pods that are active on it, and the pod. Reasons and messages are
// Kubernetes'. Asked once for a pod; what runs is never asked again. Pressure is eviction's
// question, not answered here.
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
  // Every requirement that is not met, for `describe` and the log; the first decided.
  std::vector<std::string> failures{};

  bool operator==(const Admission&) const = default;
};

// `active` does not hold the pod itself.
[[nodiscard]] Admission admit_pod(const NodeConfig& config, const HostConfinement& host,
                                  const api::Node& node, const std::vector<const api::Pod*>& active,
                                  const api::Pod& pod);

// What a critical pod lacks that other pods have, and that may be taken from them
// (critical_preemption.hpp). Empty: the pod is not critical, lacks nothing, or is refused for
// something else as well.
[[nodiscard]] std::vector<scheduling::Shortage> shortages_to_preempt_for(
    const NodeConfig& config, const api::Node& node, const std::vector<const api::Pod*>& active,
    const api::Pod& pod);

// Empty, or the text that refuses the first forbidden sysctl. Which ones are safe depends on the
// node's kernel.
[[nodiscard]] std::string forbidden_sysctl(const NodeConfig& config, const api::Node& node,
                                           const api::Pod& pod);

// Empty, or why this is no entry of allowedUnsafeSysctls: a name, or a beginning with '*', of what
// each pod has its own.
[[nodiscard]] std::string sysctl_pattern_problem(const std::string& pattern);

}  // namespace berth::node
