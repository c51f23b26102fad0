// SPDX-License-Identifier: Apache-2.0

#include "scheduling/explain/stated_cluster.hpp"

#include "scheduling/priority_admission.hpp"

namespace berth::scheduling {
namespace {

bool has_ended(const api::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

PodInfo compiled(Cluster& cluster, const api::Pod& pod,
                 const std::vector<api::PriorityClass>& classes) {
  PodInfo info = cluster.compile(pod).info;
  if (pod.spec.priority) return info;
  if (const auto resolved = resolve_priority(pod, classes)) info.priority = resolved->priority;
  return info;
}

}  // namespace

void fill_cluster(Cluster& cluster, const StatedCluster& objects, const std::string& but) {
  for (const api::Namespace& object : objects.namespaces) cluster.set_namespace(object);
  for (const api::Node& node : objects.nodes) cluster.set_node(node);
  const auto classes = with_built_in(objects.priority_classes);
  for (const api::Pod& pod : objects.pods) {
    if (has_ended(pod) || full_name_of(pod) == but) continue;
    if (!pod.spec.nodeName.empty()) {
      cluster.add_pod(compiled(cluster, pod, classes), pod.spec.nodeName);
    } else if (!pod.status.nominatedNodeName.empty()) {
      cluster.nominate(compiled(cluster, pod, classes), pod.status.nominatedNodeName);
    }
  }
  SelectorSources& sources = cluster.selector_sources();
  for (const api::Service& service : objects.services) {
    sources.set_service(service.metadata.namespace_, service.metadata.name, service.spec.selector);
  }
  for (const Controller& controller : objects.controllers) sources.set_controller(controller);
}

}  // namespace berth::scheduling
