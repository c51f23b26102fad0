// SPDX-License-Identifier: Apache-2.0

#include "api/defaults.hpp"

#include "api/defaults_volumes.hpp"
#include "api/image_reference.hpp"
#include "api/pod_resources.hpp"

namespace berth::api {

namespace {

constexpr std::int64_t kGraceSeconds = 30;
constexpr std::int32_t kProbeTimeoutSeconds = 1;
constexpr std::int32_t kProbePeriodSeconds = 10;
constexpr std::int32_t kProbeSuccesses = 1;
constexpr std::int32_t kProbeFailures = 3;

void default_http_get(std::optional<HTTPGetAction>& get) {
  if (!get) return;
  fill(get->path, "/");
  fill(get->scheme, "HTTP");
}

void default_probe(std::optional<Probe>& probe) {
  if (!probe) return;
  fill(probe->timeoutSeconds, kProbeTimeoutSeconds);
  fill(probe->periodSeconds, kProbePeriodSeconds);
  fill(probe->successThreshold, kProbeSuccesses);
  fill(probe->failureThreshold, kProbeFailures);
  default_http_get(probe->httpGet);
  if (probe->grpc) fill(probe->grpc->service, "");
}

// An image whose name may refer to changing content is pulled each time.
std::string_view pull_policy_of(std::string_view image) {
  const auto reference = parse_image_reference(image);
  if (!reference) return "IfNotPresent";
  const bool unnamed = reference->tag.empty() && reference->digest.empty();
  return unnamed || reference->tag == "latest" ? "Always" : "IfNotPresent";
}

// Defaults shared by containers of all kinds.
template <class AnyContainer>
void default_container(AnyContainer& container) {
  fill(container.imagePullPolicy, pull_policy_of(container.image));
  fill(container.terminationMessagePath, "/dev/termination-log");
  fill(container.terminationMessagePolicy, "File");
  for (ContainerPort& port : container.ports) fill(port.protocol, "TCP");
  for (EnvVar& variable : container.env) {
    if (variable.valueFrom && variable.valueFrom->fieldRef) {
      apply_field_ref_defaults(*variable.valueFrom->fieldRef);
    }
  }
  round_up_to_milli(container.resources.limits);
  round_up_to_milli(container.resources.requests);
  default_probe(container.livenessProbe);
  default_probe(container.readinessProbe);
  default_probe(container.startupProbe);
  if (container.lifecycle) {
    if (container.lifecycle->postStart) default_http_get(container.lifecycle->postStart->httpGet);
    if (container.lifecycle->preStop) default_http_get(container.lifecycle->preStop->httpGet);
  }
}

void default_requests(ResourceRequirements& resources) {
  for (const auto& [name, limit] : resources.limits) resources.requests.emplace(name, limit);
}

// Pod-level values are completed from the containers, but only where the pod sets some itself.
void default_pod_resources(PodSpec& spec) {
  if (!spec.resources) return;
  ResourceRequirements& own = *spec.resources;
  round_up_to_milli(own.limits);
  round_up_to_milli(own.requests);
  if (!has_pod_level_resources(spec)) return;
  for (const auto& [name, limit] : container_limits(spec)) {
    if (name.starts_with("hugepages-")) own.limits.emplace(name, limit);
  }
  for (const auto& [name, request] : container_requests(spec)) {
    if (is_pod_level_resource(name)) own.requests.emplace(name, request);
  }
  for (const auto& [name, limit] : own.limits) {
    if (is_pod_level_resource(name)) own.requests.emplace(name, limit);
  }
}

void default_host_ports(std::vector<Container>& containers) {
  for (Container& container : containers) {
    for (ContainerPort& port : container.ports) fill(port.hostPort, port.containerPort);
  }
}

void default_containers(PodSpec& spec) {
  for (Container& container : spec.containers) {
    default_container(container);
    default_requests(container.resources);
  }
  for (Container& container : spec.initContainers) {
    default_container(container);
    default_requests(container.resources);
  }
  for (EphemeralContainer& container : spec.ephemeralContainers) default_container(container);
  default_pod_resources(spec);
  if (spec.hostNetwork) {
    default_host_ports(spec.containers);
    default_host_ports(spec.initContainers);
  }
}

// The single address of old clients and the list of new ones have the same meaning; if they differ,
// the single one takes precedence.
void default_pod_ips(PodStatus& status) {
  const bool differs =
      !status.podIP.empty() && (status.podIPs.empty() || status.podIPs.front().ip != status.podIP);
  if (differs) status.podIPs = {PodIP{.ip = status.podIP}};
  if (!status.podIPs.empty()) status.podIP = status.podIPs.front().ip;
}

}  // namespace

void apply_defaults(Pod& pod) {
  PodSpec& spec = pod.spec;
  fill(spec.restartPolicy, "Always");
  fill(spec.dnsPolicy, "ClusterFirst");
  fill(spec.schedulerName, "default-scheduler");
  fill(spec.securityContext, PodSecurityContext{});
  fill(spec.enableServiceLinks, true);
  fill(spec.terminationGracePeriodSeconds, kGraceSeconds);
  if (*spec.terminationGracePeriodSeconds < 0) spec.terminationGracePeriodSeconds = 1;
  // The old and the new name of one field.
  fill(spec.serviceAccountName, spec.serviceAccount);
  spec.serviceAccount = spec.serviceAccountName;
  round_up_to_milli(spec.overhead);
  for (Volume& volume : spec.volumes) {
    apply_volume_defaults(volume);
    if (volume.image) fill(volume.image->pullPolicy, pull_policy_of(volume.image->reference));
  }
  default_containers(spec);
  default_pod_ips(pod.status);
}

void apply_defaults(Secret& secret) {
  for (auto& [key, value] : secret.stringData) secret.data[key] = Bytes{.data = value};
  secret.stringData.clear();
  fill(secret.type, "Opaque");
}

void apply_defaults(PriorityClass& priority_class) {
  fill(priority_class.preemptionPolicy, "PreemptLowerPriority");
}

void apply_defaults(Namespace& object) {
  if (!object.metadata.name.empty()) {
    object.metadata.labels["kubernetes.io/metadata.name"] = object.metadata.name;
  }
}

void apply_defaults(Node& node) {
  round_up_to_milli(node.status.capacity);
  round_up_to_milli(node.status.allocatable);
  if (node.status.allocatable.empty()) node.status.allocatable = node.status.capacity;
}

}  // namespace berth::api
