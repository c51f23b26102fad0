// SPDX-License-Identifier: Apache-2.0

// Compiles a pod's object into the scheduler's form.
#include <algorithm>

#include "api/pod_resources.hpp"
#include "scheduling/cluster/cluster.hpp"

namespace berth::scheduling {
namespace {

// While a resize is pending, the status may count instead of the spec: then a request in the spec
// does not prove that no request is missing.
bool is_resized(const api::Pod& pod) {
  return std::any_of(pod.status.conditions.begin(), pod.status.conditions.end(),
                     [](const api::PodCondition& one) { return one.type == "PodResizePending"; });
}

bool states_cpu_and_memory(const api::Container& container) {
  const auto& requests = container.resources.requests;
  return requests.contains("cpu") && requests.contains("memory");
}

// For a pod with pod-level requests, only resources without a total count as missing.
api::ResourceList missing_requests(const api::Pod& pod, const api::ResourceList& requests) {
  api::ResourceList missing = default_container_requests();
  const bool of_pod =
      pod.spec.resources &&
      std::any_of(pod.spec.resources->requests.begin(), pod.spec.resources->requests.end(),
                  [](const auto& request) { return api::is_pod_level_resource(request.first); });
  if (of_pod) std::erase_if(missing, [&](const auto& one) { return requests.contains(one.first); });
  return missing;
}

PodEnding ending_of(const api::Pod& pod) {
  if (!pod.metadata.deletionTimestamp) return PodEnding::kNone;
  const auto& conditions = pod.status.conditions;
  const bool preempted =
      std::any_of(conditions.begin(), conditions.end(), [](const api::PodCondition& condition) {
        return condition.type == "DisruptionTarget" && condition.status == "True" &&
               condition.reason == "PreemptionByScheduler";
      });
  return preempted ? PodEnding::kPreempted : PodEnding::kTerminating;
}

}  // namespace

CompiledPod Cluster::compile(const api::Pod& pod) {
  CompiledPod compiled;
  PodInfo& info = compiled.info;
  info = {.key = pod_key(pod),
          .name = pod.metadata.name,
          .namespace_ = vocabulary_.name(pod.metadata.namespace_),
          .labels = vocabulary_.label_set(pod.metadata.labels),
          .ending = ending_of(pod),
          .priority = priority_of(pod),
          .ports = host_ports(pod),
          .start_time = pod.status.startTime};
  if (pod.spec.affinity) {
    CompiledAffinity affinity = compile_affinity(pod, vocabulary_);
    info.terms =
        affinity_terms_.intern(affinity.terms.to_key(), [&] { return std::move(affinity.terms); });
    compiled.affinity_problem = std::move(affinity.problem);
  }
  api::PodResourceOptions options{.use_status = true};
  const api::ResourceList requests = api::pod_requests(pod, options);
  info.requests = amounts_of(requests);
  info.nonzero_milli_cpu = info.requests.milli_cpu;
  info.nonzero_memory = info.requests.memory;
  const auto& spec = pod.spec;
  if (is_resized(pod) ||
      !std::all_of(spec.containers.begin(), spec.containers.end(), states_cpu_and_memory) ||
      !std::all_of(spec.initContainers.begin(), spec.initContainers.end(), states_cpu_and_memory)) {
    options.missing_requests = missing_requests(pod, requests);
    const ResourceAmounts nonzero = amounts_of(api::pod_requests(pod, options));
    info.nonzero_milli_cpu = nonzero.milli_cpu;
    info.nonzero_memory = nonzero.memory;
  }
  return compiled;
}

}  // namespace berth::scheduling
