// SPDX-License-Identifier: Apache-2.0

#include "node/qos.hpp"

#include <algorithm>

#include "api/pod_resources.hpp"
#include "base/wrapping.hpp"

namespace berth::node {
namespace {

constexpr std::int64_t kGuaranteedAdjust = -997;  // killed only after everything else
constexpr std::int64_t kBestEffortAdjust = 1000;  // killed first

std::int64_t memory_request(const api::ResourceList& requests) {
  const auto found = requests.find("memory");
  return found == requests.end() ? 0 : found->second.value();
}

// The part of the pod-level request that no container requests, split evenly; negative if they
// request more.
std::int64_t unassigned_memory_per_container(const api::Pod& pod) {
  const auto whole = pod.spec.resources ? memory_request(pod.spec.resources->requests) : 0;
  if (whole == 0) return 0;
  const auto containers =
      static_cast<std::int64_t>(pod.spec.containers.size() + pod.spec.initContainers.size());
  const auto assigned = memory_request(api::container_requests(pod.spec));
  return (whole - assigned) / std::max<std::int64_t>(containers, 1);
}

bool is_sidecar_of(const api::Pod& pod, const api::Container& container) {
  return std::any_of(pod.spec.initContainers.begin(), pod.spec.initContainers.end(),
                     [&](const api::Container& init) {
                       return init.name == container.name && api::is_sidecar(init);
                     });
}

std::int64_t burstable_adjust(const api::Pod& pod, const api::Container& container,
                              std::int64_t capacity) {
  const std::int64_t extra = unassigned_memory_per_container(pod);
  const auto adjust_for = [&](std::int64_t request) {
    return 1000 - wrapping_product(1000, wrapping_sum(request, extra)) / capacity;
  };
  std::int64_t adjust = adjust_for(memory_request(container.resources.requests));
  if (is_sidecar_of(pod, container) && !pod.spec.containers.empty()) {
    std::int64_t least = memory_request(pod.spec.containers.front().resources.requests);
    for (const auto& regular : pod.spec.containers) {
      least = std::min(least, memory_request(regular.resources.requests));
    }
    adjust = std::min(adjust, adjust_for(least));
  }
  // Never as protected as a Guaranteed pod, never as exposed as a BestEffort one.
  if (adjust < 1000 + kGuaranteedAdjust) return 1000 + kGuaranteedAdjust;
  return adjust == kBestEffortAdjust ? adjust - 1 : adjust;
}

}  // namespace

std::int64_t oom_score_adjust(const api::Pod& pod, const api::Container& container,
                              std::int64_t memory_capacity, bool static_pods_are_critical) {
  if (pod.spec.priorityClassName == "system-node-critical" &&
      is_critical_pod(pod, static_pods_are_critical)) {
    return kGuaranteedAdjust;
  }
  switch (qos_class(pod)) {
    case QosClass::kGuaranteed:
      return kGuaranteedAdjust;
    case QosClass::kBestEffort:
      return kBestEffortAdjust;
    case QosClass::kBurstable:
      break;
  }
  return memory_capacity > 0 ? burstable_adjust(pod, container, memory_capacity)
                             : kBestEffortAdjust - 1;
}

}  // namespace berth::node
