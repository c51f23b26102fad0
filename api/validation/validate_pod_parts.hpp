// SPDX-License-Identifier: Apache-2.0

// The parts of pod validation, each in a file named after it (validate_volumes.cpp, ...);
// validate_pod.cpp calls them in the order in which Kubernetes reports problems.
//
// Every check appends to `errors`; `path` is the path of the checked value. Pods are defaulted
// before they are checked. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/field_error.hpp"
#include "api/pod.hpp"

namespace berth::api {

// A pod's volumes that have no error of their own, by name: those that mounts can refer to.
using ValidVolumes = std::map<std::string, const Volume*, std::less<>>;

// What the rules for a container need to know about its pod.
struct ContainerScope {
  const PodSpec& spec;
  const ValidVolumes& volumes;
  std::set<std::string> claim_names{};
  bool privileged_allowed = true;
  std::int64_t grace_seconds = 30;  // the pod's terminationGracePeriodSeconds
  bool restart_rules = false;       // containers may have restart rules
};

// Where a field selector is used, which determines the fields that may be selected.
enum class SelectorPlace : std::uint8_t { kEnvironment, kVolume };

// validate_pod_annotations.cpp
void check_pod_annotations(FieldErrors& errors, const Pod& pod);
void check_profile_annotations_match(FieldErrors& errors, const Pod& pod);

// validate_volumes.cpp, validate_volume_sources.cpp, validate_network_volumes.cpp,
// validate_projected_volume.cpp
ValidVolumes check_volumes(FieldErrors& errors, const FieldPath& path, const Pod& pod);
void check_volume_source(FieldErrors& errors, const FieldPath& path, const Volume& volume);
// `path` is the volume's, `source` the name of the field that is set.
void check_network_volume(FieldErrors& errors, const FieldPath& path, std::string_view source,
                          const Volume& volume);
void check_projected_volume(FieldErrors& errors, const FieldPath& path,
                            const ProjectedVolumeSource& projected);
void check_keys_to_paths(FieldErrors& errors, const FieldPath& path,
                         const std::vector<KeyToPath>& items);
void check_downward_file(FieldErrors& errors, const FieldPath& path,
                         const DownwardAPIVolumeFile& file);

// validate_selectors.cpp
void check_field_ref(FieldErrors& errors, const FieldPath& path, const ObjectFieldSelector& ref,
                     SelectorPlace place);
void check_resource_field_ref(FieldErrors& errors, const FieldPath& path,
                              const ResourceFieldSelector& ref, SelectorPlace place);

// validate_resources.cpp
void check_container_resources(FieldErrors& errors, const FieldPath& path,
                               const ResourceRequirements& resources,
                               const std::set<std::string>& claim_names);
void check_pod_resources(FieldErrors& errors, const FieldPath& path, const PodSpec& spec);
void check_overhead(FieldErrors& errors, const FieldPath& path, const ResourceList& overhead);
void check_resize_policies(FieldErrors& errors, const FieldPath& path,
                           const std::vector<ContainerResizePolicy>& policies,
                           std::string_view pod_restart_policy);
std::set<std::string> check_resource_claims(FieldErrors& errors, const FieldPath& path,
                                            const std::vector<PodResourceClaim>& claims,
                                            bool is_mirror);

// validate_env.cpp
void check_env(FieldErrors& errors, const FieldPath& path, const std::vector<EnvVar>& variables);
void check_env_from(FieldErrors& errors, const FieldPath& path,
                    const std::vector<EnvFromSource>& sources);
void check_file_key_volumes(FieldErrors& errors, const FieldPath& path,
                            const std::vector<EnvVar>& variables, const ValidVolumes& volumes);

// validate_mounts.cpp
void check_mounts(FieldErrors& errors, const FieldPath& path, const Container& container,
                  const ValidVolumes& volumes);
void check_devices(FieldErrors& errors, const FieldPath& path, const Container& container,
                   const ValidVolumes& volumes);

// validate_ports.cpp
void check_ports(FieldErrors& errors, const FieldPath& path,
                 const std::vector<ContainerPort>& ports);
// `taken`: host ports used so far, as "<protocol>/<hostIP>/<port>".
void check_host_port_conflicts(FieldErrors& errors, const FieldPath& path,
                               const std::vector<ContainerPort>& ports,
                               std::set<std::string>& taken);
void check_host_network_ports(FieldErrors& errors, const FieldPath& path, const PodSpec& spec);

// validate_handlers.cpp
void check_probes(FieldErrors& errors, const FieldPath& path, const Container& container);
void check_lifecycle(FieldErrors& errors, const FieldPath& path, const Lifecycle& lifecycle,
                     const ContainerScope& scope);

// validate_security.cpp, validate_windows.cpp
void check_security_context(FieldErrors& errors, const FieldPath& path,
                            const SecurityContext& context, const ContainerScope& scope);
void check_pod_security_context(FieldErrors& errors, const FieldPath& path, const PodSpec& spec);
void check_windows_options(FieldErrors& errors, const FieldPath& path,
                           const WindowsSecurityContextOptions& options);
void check_windows_host_process(FieldErrors& errors, const FieldPath& path, const PodSpec& spec);

// validate_containers.cpp
void check_containers(FieldErrors& errors, const FieldPath& path, const ContainerScope& scope);
void check_init_containers(FieldErrors& errors, const FieldPath& path, const ContainerScope& scope);
void check_ephemeral_containers(FieldErrors& errors, const FieldPath& path,
                                const ContainerScope& scope);
void check_image_white_space(FieldErrors& errors, const FieldPath& path, const PodSpec& spec);
// Views an ephemeral container as an ordinary one.
[[nodiscard]] Container as_container(const EphemeralContainer& ephemeral);

// validate_affinity.cpp, validate_placement.cpp
void check_affinity(FieldErrors& errors, const FieldPath& path, const Affinity& affinity);
void check_tolerations(FieldErrors& errors, const FieldPath& path,
                       const std::vector<Toleration>& tolerations);
void check_spread_constraints(FieldErrors& errors, const FieldPath& path,
                              const std::vector<TopologySpreadConstraint>& constraints);
// Reports matchLabelKeys entries whose key the selector names as well.
void check_repeated_label_keys(FieldErrors& errors, const FieldPath& path,
                               const std::vector<std::string>& match_label_keys,
                               const LabelSelector& selector);

// validate_os.cpp
void check_host_users(FieldErrors& errors, const FieldPath& path, const PodSpec& spec);
void check_os(FieldErrors& errors, const FieldPath& path, const PodSpec& spec);

// validate_pod_fields.cpp: DNS, gates, names and the other small fields
void check_dns_config(FieldErrors& errors, const FieldPath& path, const PodSpec& spec);
void check_hostname_override(FieldErrors& errors, const FieldPath& path, const PodSpec& spec);
void check_gates(FieldErrors& errors, const FieldPath& path, const PodSpec& spec);
void check_identity_fields(FieldErrors& errors, const FieldPath& path, const PodSpec& spec);
void check_late_fields(FieldErrors& errors, const FieldPath& path, const PodSpec& spec);

}  // namespace berth::api
