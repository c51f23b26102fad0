// SPDX-License-Identifier: Apache-2.0

// The whole of pod validation, in the order in which Kubernetes reports problems.
#include "api/validation/validate.hpp"
#include "api/validation/validate_metadata.hpp"
#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

// Token volumes need a service account.
void check_token_accounts(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  if (!spec.serviceAccountName.empty()) return;
  for (std::size_t i = 0; i < spec.volumes.size(); ++i) {
    if (!spec.volumes[i].projected) continue;
    const std::vector<VolumeProjection>& sources = spec.volumes[i].projected->sources;
    for (std::size_t k = 0; k < sources.size(); ++k) {
      if (!sources[k].serviceAccountToken) continue;
      errors.push_back(forbidden(path / i / "projected" / "sources" / k / "serviceAccountToken",
                                 "must not be specified when serviceAccountName is not set"));
    }
  }
}

void check_file_keys(FieldErrors& errors, const FieldPath& path, const PodSpec& spec,
                     const ValidVolumes& volumes) {
  for (std::size_t i = 0; i < spec.containers.size(); ++i) {
    check_file_key_volumes(errors, path / "containers" / i / "env", spec.containers[i].env,
                           volumes);
  }
  for (std::size_t i = 0; i < spec.initContainers.size(); ++i) {
    check_file_key_volumes(errors, path / "initContainers" / i / "env", spec.initContainers[i].env,
                           volumes);
  }
}

// What the pod runs, and on what: volumes, claims, containers, resources, ports.
ValidVolumes check_workload(FieldErrors& errors, const FieldPath& path, const Pod& pod,
                            const PodRules& rules) {
  const PodSpec& spec = pod.spec;
  ValidVolumes volumes = check_volumes(errors, path / "volumes", pod);
  const bool mirror = pod.metadata.annotations.contains("kubernetes.io/config.mirror");
  const ContainerScope scope{.spec = spec,
                             .volumes = volumes,
                             .claim_names = check_resource_claims(errors, path / "resourceClaims",
                                                                  spec.resourceClaims, mirror),
                             .privileged_allowed = rules.allow_privileged,
                             .grace_seconds = spec.terminationGracePeriodSeconds.value_or(30),
                             .restart_rules = rules.container_restart_rules};
  check_containers(errors, path / "containers", scope);
  check_init_containers(errors, path / "initContainers", scope);
  check_ephemeral_containers(errors, path / "ephemeralContainers", scope);
  if (rules.check_pod_resources) check_pod_resources(errors, path / "resources", spec);
  check_host_network_ports(errors, path / "containers", spec);
  return volumes;
}

void check_policies(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  const auto enumeration = [&](std::string_view name, const std::string& value,
                               std::initializer_list<std::string_view> supported) {
    if (value.empty()) {
      errors.push_back(required(path / name));
    } else {
      check_one_of(errors, path / name, value, supported);
    }
  };
  enumeration("restartPolicy", spec.restartPolicy, {"Always", "OnFailure", "Never"});
  enumeration("dnsPolicy", spec.dnsPolicy,
              {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"});
}

void check_where_it_may_run(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  check_labels(errors, path / "nodeSelector", spec.nodeSelector);
  check_pod_security_context(errors, path / "securityContext", spec);
  if (spec.affinity) check_affinity(errors, path / "affinity", *spec.affinity);
  check_dns_config(errors, path / "dnsConfig", spec);
  check_gates(errors, path, spec);
  check_spread_constraints(errors, path / "topologySpreadConstraints",
                           spec.topologySpreadConstraints);
  check_windows_host_process(errors, path, spec);
  check_host_users(errors, path, spec);
}

}  // namespace

FieldErrors validate_pod(const Pod& pod, const PodRules& rules) {
  FieldErrors errors;
  const FieldPath path("spec");
  const PodSpec& spec = pod.spec;
  check_metadata(errors, FieldPath("metadata"), pod.metadata, Scope::kNamespaced,
                 grammar::dns1123_subdomain);
  check_pod_annotations(errors, pod);
  if (!spec.terminationGracePeriodSeconds) {
    errors.push_back(required(path / "terminationGracePeriodSeconds"));
  }
  const ValidVolumes volumes = check_workload(errors, path, pod, rules);
  check_policies(errors, path, spec);
  check_where_it_may_run(errors, path, spec);
  check_hostname_override(errors, path / "hostnameOverride", spec);
  check_identity_fields(errors, path, spec);
  check_tolerations(errors, path / "tolerations", spec.tolerations);
  check_late_fields(errors, path, spec);
  check_os(errors, path, spec);
  check_file_keys(errors, path, spec, volumes);
  check_token_accounts(errors, path / "volumes", spec);
  check_image_white_space(errors, path, spec);
  if (!spec.ephemeralContainers.empty()) {
    errors.push_back(forbidden(path / "ephemeralContainers", "cannot be set on create"));
  }
  if (!spec.nodeName.empty() && !spec.schedulingGates.empty()) {
    errors.push_back(
        forbidden(path / "nodeName", "cannot be set until all schedulingGates have been cleared"));
  }
  check_profile_annotations_match(errors, pod);
  return errors;
}

}  // namespace berth::api
