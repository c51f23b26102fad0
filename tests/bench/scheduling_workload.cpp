// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/scheduling_workload.hpp"

#include <fmt/format.h>

namespace berth::bench {

namespace {

constexpr std::int64_t kMiB = 1024 * 1024;
constexpr std::int64_t kGiB = 1024 * kMiB;

api::ResourceList cpu_and_memory(std::int64_t milli_cpu, std::int64_t mebibytes) {
  return {{"cpu", api::Quantity::from_milli(milli_cpu)},
          {"memory", api::Quantity::from_int(mebibytes * kMiB, api::Quantity::Format::kBinarySI)}};
}

api::Pod pod_of(std::string name, std::map<std::string, std::string> labels,
                api::ResourceList requests) {
  api::Pod pod;
  pod.metadata.uid = name;
  pod.metadata.name = std::move(name);
  pod.metadata.namespace_ = "default";
  pod.metadata.labels = std::move(labels);
  pod.spec.priority = 0;
  pod.spec.containers.push_back({.name = "c", .image = "img"});
  pod.spec.containers.front().resources.requests = std::move(requests);
  return pod;
}

void add_spread(api::Pod& pod, const api::LabelSelector& own) {
  pod.spec.topologySpreadConstraints = {{.maxSkew = 1,
                                         .topologyKey = "topology.kubernetes.io/zone",
                                         .whenUnsatisfiable = "DoNotSchedule",
                                         .labelSelector = own},
                                        {.maxSkew = 1,
                                         .topologyKey = "kubernetes.io/hostname",
                                         .whenUnsatisfiable = "ScheduleAnyway",
                                         .labelSelector = own}};
}

void add_anti_affinity(api::Pod& pod, const api::LabelSelector& own) {
  api::PodAntiAffinity anti;
  anti.requiredDuringSchedulingIgnoredDuringExecution.push_back(
      {.labelSelector = own, .topologyKey = "kubernetes.io/hostname"});
  pod.spec.affinity = api::Affinity{.podAntiAffinity = std::move(anti)};
}

}  // namespace

std::string_view name_of(PodKind kind) {
  switch (kind) {
    case PodKind::kPlain:
      return "plain";
    case PodKind::kSpread:
      return "spread";
    case PodKind::kAnti:
      return "anti";
  }
  return "";
}

api::Namespace workload_namespace() {
  api::Namespace object;
  object.metadata.name = "default";
  object.metadata.labels = {{"kubernetes.io/metadata.name", "default"}};
  return object;
}

api::Node workload_node(std::int64_t index) {
  constexpr std::int64_t kCores[] = {16, 32, 64};
  const std::int64_t cores = kCores[(index / 3) % 3];
  api::Node node;
  node.metadata.name = fmt::format("node-{:05}", index);
  node.metadata.labels = {{"kubernetes.io/hostname", node.metadata.name},
                          {"topology.kubernetes.io/zone", fmt::format("zone-{}", index % 3)}};
  node.status.allocatable = {{"cpu", api::Quantity::from_int(cores)},
                             {"memory", api::Quantity::from_int(4 * cores * kGiB)},
                             {"pods", api::Quantity::from_int(110)}};
  if (index % 20 == 7) {
    node.spec.taints.push_back({.key = "dedicated", .value = "infra", .effect = "NoSchedule"});
  }
  return node;
}

api::Pod existing_pod(std::int64_t node, std::int64_t k) {
  constexpr std::int64_t kMilliCpu[] = {100, 200, 250, 500};
  constexpr std::int64_t kMebibytes[] = {128, 256, 512, 1024};
  const std::int64_t index = kPodsOnNode * node + k;
  api::Pod pod = pod_of(
      fmt::format("e-{:06}", index),
      {{"app", fmt::format("app-{}", index % 50)}, {"tier", fmt::format("t{}", index / 50 % 4)}},
      cpu_and_memory(kMilliCpu[(node + k) % 4], kMebibytes[(3 * node + k) % 4]));
  pod.spec.nodeName = fmt::format("node-{:05}", node);
  return pod;
}

api::Pod pending_pod(std::int64_t index, PodKind kind) {
  constexpr std::int64_t kMilliCpu[] = {100, 250, 500, 1000};
  constexpr std::int64_t kMebibytes[] = {128, 256, 512, 1024};
  const std::string app = fmt::format("new-{}", index % 20);
  api::Pod pod = pod_of(fmt::format("p-{:06}", index), {{"app", app}},
                        cpu_and_memory(kMilliCpu[index % 4], kMebibytes[index / 4 % 4]));
  const api::LabelSelector own{.matchLabels = {{"app", app}}};
  if (kind == PodKind::kSpread) add_spread(pod, own);
  if (kind == PodKind::kAnti) add_anti_affinity(pod, own);
  return pod;
}

void add_nodes(scheduling::Cluster& cluster, std::int64_t nodes) {
  cluster.set_namespace(workload_namespace());
  for (std::int64_t i = 0; i < nodes; ++i) cluster.set_node(workload_node(i));
}

void add_existing_pods(scheduling::Cluster& cluster, std::int64_t nodes) {
  for (std::int64_t node = 0; node < nodes; ++node) {
    for (std::int64_t k = 0; k < kPodsOnNode; ++k) {
      const api::Pod pod = existing_pod(node, k);
      cluster.add_pod(cluster.compile(pod).info, pod.spec.nodeName);
    }
  }
}

}  // namespace berth::bench
