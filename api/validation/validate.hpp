// SPDX-License-Identifier: Apache-2.0

// Validation of objects that are being created: reports every problem at once, in the order and
// with the texts of Kubernetes. Objects are defaulted first (defaults.hpp).
//
// Pure. An empty list means that the object is accepted.
#pragma once

#include "api/config_map.hpp"
#include "api/field_error.hpp"
#include "api/namespace.hpp"
#include "api/node.hpp"
#include "api/pod.hpp"
#include "api/pod_disruption_budget.hpp"
#include "api/priority_class.hpp"
#include "api/secret.hpp"

namespace berth::api {

struct PodRules {
  bool allow_privileged = true;
  // The API server checks spec.resources; a kubelet that reads a manifest does not.
  bool check_pod_resources = true;
  // Containers may have a restartPolicy and restartPolicyRules of their own (ContainerRestartRules,
  // off by default in Kubernetes 1.34); otherwise only init containers may, and only Always.
  bool container_restart_rules = false;
};

[[nodiscard]] FieldErrors validate_pod(const Pod& pod, const PodRules& rules = {});

[[nodiscard]] FieldErrors validate_config_map(const ConfigMap& config_map);
[[nodiscard]] FieldErrors validate_secret(const Secret& secret);
[[nodiscard]] FieldErrors validate_namespace(const Namespace& object);
[[nodiscard]] FieldErrors validate_node(const Node& node);
[[nodiscard]] FieldErrors validate_priority_class(const PriorityClass& object);
[[nodiscard]] FieldErrors validate_priority_class_update(const PriorityClass& now,
                                                         const PriorityClass& before);
[[nodiscard]] FieldErrors validate_pod_disruption_budget(const PodDisruptionBudget& budget);
[[nodiscard]] FieldErrors validate_config_map_update(const ConfigMap& now, const ConfigMap& before);
[[nodiscard]] FieldErrors validate_secret_update(const Secret& now, const Secret& before);

// For labels and taints of a node's own configuration (paths below `path`).
void check_taints(FieldErrors& errors, const FieldPath& path, const std::vector<Taint>& taints);
// Labels in Kubernetes' own domains that a node may not set on itself, sorted.
[[nodiscard]] std::vector<std::string> labels_not_allowed_on_own_node(
    const std::map<std::string, std::string>& labels);

}  // namespace berth::api
