#include "node/qos.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "api/pod_resources.hpp"

namespace berth::node {
namespace {

constexpr std::int64_t kGuaranteedAdjust = -997;  // killed only after everything else
constexpr std::int64_t kBestEffortAdjust = 1000;  // killed first
constexpr std::int32_t kSystemCriticalPriority = 2'000'000'000;
constexpr const char* kSourceAnnotation = "kubernetes.io/config.source";
constexpr const char* kMirrorAnnotation = "kubernetes.io/config.mirror";

using Amounts = std::map<std::string, api::Quantity>;

bool counts(const std::string& name) {
  return name == "cpu" || name == "memory";
}

void add_amounts(Amounts& sums, const api::ResourceList& list) {
  for (const auto& [name, amount] : list) {
    if (!counts(name) || amount.sign() <= 0) continue;
    sums[name] += amount;
  }
}

bool positive(const api::ResourceList& list, const char* name) {
  const auto found = list.find(name);
  return found != list.end() && found->second.sign() > 0;
}

bool has_both(const api::ResourceList& limits) {
  return positive(limits, "cpu") && positive(limits, "memory");
}

template <class Visit>
void for_each_main_container(const api::Pod& pod, Visit&& visit) {
  for (const auto& container : pod.spec.containers) visit(container);
  for (const auto& container : pod.spec.initContainers) visit(container);
}

bool pod_level_declared(const api::Pod& pod) {
  return pod.spec.resources &&
         (!pod.spec.resources->requests.empty() || !pod.spec.resources->limits.empty());
}

std::int64_t memory_request(const api::ResourceList& requests) {
  const auto found = requests.find("memory");
  return found == requests.end() ? 0 : found->second.value();
}

// The part of the pod-level request that no container asks for, split evenly; negative where they
// ask for more.
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
    return 1000 - 1000 * (request + extra) / capacity;
  };
  std::int64_t adjust = adjust_for(memory_request(container.resources.requests));
  if (is_sidecar_of(pod, container) && !pod.spec.containers.empty()) {
    std::int64_t least = memory_request(pod.spec.containers.front().resources.requests);
    for (const auto& regular : pod.spec.containers) {
      least = std::min(least, memory_request(regular.resources.requests));
    }
    adjust = std::min(adjust, adjust_for(least));
  }
  // Never as safe as a Guaranteed pod, never as exposed as a BestEffort one.
  if (adjust < 1000 + kGuaranteedAdjust) return 1000 + kGuaranteedAdjust;
  return adjust == kBestEffortAdjust ? adjust - 1 : adjust;
}

}  // namespace

std::string_view to_string(QosClass qos) {
  switch (qos) {
    case QosClass::kBestEffort:
      return "BestEffort";
    case QosClass::kBurstable:
      return "Burstable";
    case QosClass::kGuaranteed:
      return "Guaranteed";
  }
  return "";
}

QosClass compute_qos_class(const api::Pod& pod) {
  Amounts requests;
  Amounts limits;
  bool guaranteed = true;
  if (pod_level_declared(pod)) {
    add_amounts(requests, pod.spec.resources->requests);
    add_amounts(limits, pod.spec.resources->limits);
    guaranteed = has_both(pod.spec.resources->limits);
  } else {
    for_each_main_container(pod, [&](const api::Container& container) {
      add_amounts(requests, container.resources.requests);
      add_amounts(limits, container.resources.limits);
      guaranteed = guaranteed && has_both(container.resources.limits);
    });
  }
  if (requests.empty() && limits.empty()) return QosClass::kBestEffort;
  return guaranteed && requests == limits ? QosClass::kGuaranteed : QosClass::kBurstable;
}

QosClass qos_class(const api::Pod& pod) {
  const auto& stated = pod.status.qosClass;
  if (stated == "BestEffort") return QosClass::kBestEffort;
  if (stated == "Burstable") return QosClass::kBurstable;
  if (stated == "Guaranteed") return QosClass::kGuaranteed;
  return compute_qos_class(pod);
}

bool is_static_pod(const api::Pod& pod) {
  const auto source = pod.metadata.annotations.find(kSourceAnnotation);
  return source != pod.metadata.annotations.end() && source->second != "api";
}

bool is_critical_pod(const api::Pod& pod, bool static_pods_are_critical) {
  if (static_pods_are_critical &&
      (is_static_pod(pod) || pod.metadata.annotations.contains(kMirrorAnnotation))) {
    return true;
  }
  return pod.spec.priority && *pod.spec.priority >= kSystemCriticalPriority;
}

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
