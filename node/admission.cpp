// SPDX-License-Identifier: Apache-2.0

#include "node/admission.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "node/confinement.hpp"
#include "node/qos.hpp"
#include "node/resource_fit.hpp"
#include "scheduling/predicates/host_ports.hpp"
#include "scheduling/predicates/node_affinity.hpp"
#include "scheduling/predicates/taints.hpp"

namespace berth::node {
namespace {

struct Failure {
  std::string reason{};
  std::string message{};
  bool is_resource = false;
};

Failure resource_failure(const scheduling::Shortage& shortage) {
  return {.reason = "OutOf" + shortage.resource,
          .message = fmt::format(
              "Node didn't have enough resource: {}, requested: {}, used: {}, capacity: {}",
              shortage.resource, shortage.requested, shortage.used, shortage.capacity),
          .is_resource = true};
}

Failure predicate_failure(const char* name, const char* description) {
  return {.reason = name, .message = fmt::format("Predicate {} failed: {}", name, description)};
}

// Checks that do not involve other pods.
std::optional<Failure> unfit_for_any(const NodeConfig& config, const api::Node& node,
                                     const api::Pod& pod) {
  if (auto text = forbidden_sysctl(config, node, pod); !text.empty()) {
    return Failure{.reason = "SysctlForbidden", .message = std::move(text)};
  }
  const auto os = pod.metadata.labels.find("kubernetes.io/os");
  if (os != pod.metadata.labels.end() && os->second != "linux") {
    return Failure{
        .reason = "PodOSSelectorNodeLabelDoesNotMatch",
        .message = "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label"};
  }
  if (pod.spec.os && pod.spec.os->name != "linux") {
    return Failure{.reason = "PodOSNotSupported",
                   .message = "Failed to admit pod as the OS field doesn't match node OS"};
  }
  const bool strict =
      pod.spec.securityContext && pod.spec.securityContext->supplementalGroupsPolicy == "Strict";
  const bool supported =
      node.status.features && node.status.features->supplementalGroupsPolicy.value_or(false);
  if (strict && !supported) {
    return Failure{.reason = "SupplementalGroupsPolicyNotSupported",
                   .message = "SupplementalGroupsPolicy=Strict is not supported in this node"};
  }
  return std::nullopt;
}

bool host_ports_conflict(const api::Pod& pod, const std::vector<const api::Pod*>& active) {
  const auto wanted = scheduling::host_ports(pod);
  if (wanted.empty()) return false;
  for (const api::Pod* other : active) {
    if (scheduling::first_conflict(wanted, scheduling::host_ports(*other)) != nullptr) return true;
  }
  return false;
}

// All failures, in the kubelet's order.
std::vector<Failure> unmet_predicates(const NodeConfig& config, const api::Node& node,
                                      const std::vector<const api::Pod*>& active,
                                      const api::Pod& pod) {
  std::vector<Failure> failures;
  for (const auto& shortage : shortages(node, active, pod)) {
    failures.push_back(resource_failure(shortage));
  }
  if (!scheduling::RequiredNodeAffinity(pod.spec).matches(scheduling::identity_of(node))) {
    failures.push_back(
        predicate_failure("NodeAffinity", "node(s) didn't match Pod's node affinity/selector"));
  }
  if (!pod.spec.nodeName.empty() && pod.spec.nodeName != node.metadata.name) {
    failures.push_back(
        predicate_failure("NodeName", "node(s) didn't match the requested node name"));
  }
  if (host_ports_conflict(pod, active)) {
    failures.push_back(predicate_failure(
        "NodePorts", "node(s) didn't have free ports for the requested pod ports"));
  }
  // A kubelet runs static pods regardless of the node's taints; berth does so only if the kubelet's
  // rules are configured.
  const bool exempt = config.static_pods_are_critical && is_static_pod(pod);
  const auto* taint =
      scheduling::first_untolerated(node.spec.taints, pod.spec.tolerations, {"NoExecute"});
  if (!exempt && taint != nullptr) {
    failures.push_back(
        predicate_failure("TaintToleration", "node(s) had taints that the pod didn't tolerate"));
  }
  return failures;
}

// For a critical pod, lack of resources is the lesser problem: other failures are reported first.
const Failure& deciding_failure(const std::vector<Failure>& failures, bool critical) {
  if (critical) {
    for (const auto& failure : failures) {
      if (!failure.is_resource) return failure;
    }
  }
  return failures.front();
}

Admission refused(const Failure& failure) {
  return {.admitted = false,
          .reason = failure.reason,
          .message = failure.message,
          .failures = {failure.message}};
}

}  // namespace

Admission admit_pod(const NodeConfig& config, const HostConfinement& host, const api::Node& node,
                    const std::vector<const api::Pod*>& active, const api::Pod& pod) {
  if (const auto failure = unfit_for_any(config, node, pod)) return refused(*failure);
  const auto failures = unmet_predicates(config, node, active, pod);
  if (failures.empty()) {
    const std::string text = apparmor_refusal(host, pod);
    if (text.empty()) return {};
    return refused({.reason = "AppArmor", .message = "Cannot enforce AppArmor: " + text});
  }
  const bool critical = is_critical_pod(pod, config.static_pods_are_critical);
  Admission admission = refused(deciding_failure(failures, critical));
  admission.failures.clear();
  for (const auto& failure : failures) admission.failures.push_back(failure.message);
  return admission;
}

std::vector<scheduling::Shortage> shortages_to_preempt_for(
    const NodeConfig& config, const api::Node& node, const std::vector<const api::Pod*>& active,
    const api::Pod& pod) {
  if (!is_critical_pod(pod, config.static_pods_are_critical)) return {};
  if (unfit_for_any(config, node, pod)) return {};
  const auto failures = unmet_predicates(config, node, active, pod);
  if (!std::ranges::all_of(failures, &Failure::is_resource)) return {};
  return shortages(node, active, pod);
}

}  // namespace berth::node
