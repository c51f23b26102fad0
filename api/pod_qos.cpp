// SPDX-License-Identifier: Apache-2.0

#include "api/pod_qos.hpp"

#include <map>
#include <string>

namespace berth::api {
namespace {

constexpr std::int32_t kSystemCriticalPriority = 2'000'000'000;
constexpr const char* kSourceAnnotation = "kubernetes.io/config.source";
constexpr const char* kMirrorAnnotation = "kubernetes.io/config.mirror";

using Sums = std::map<std::string, Quantity>;

bool counts(const std::string& name) {
  return name == "cpu" || name == "memory";
}

void add_amounts(Sums& sums, const ResourceList& list) {
  for (const auto& [name, amount] : list) {
    if (!counts(name) || amount.sign() <= 0) continue;
    sums[name] += amount;
  }
}

bool positive(const ResourceList& list, const char* name) {
  const auto found = list.find(name);
  return found != list.end() && found->second.sign() > 0;
}

bool has_both(const ResourceList& limits) {
  return positive(limits, "cpu") && positive(limits, "memory");
}

template <class Visit>
void for_each_main_container(const Pod& pod, Visit&& visit) {
  for (const auto& container : pod.spec.containers) visit(container);
  for (const auto& container : pod.spec.initContainers) visit(container);
}

bool pod_level_declared(const Pod& pod) {
  return pod.spec.resources &&
         (!pod.spec.resources->requests.empty() || !pod.spec.resources->limits.empty());
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

QosClass compute_qos_class(const Pod& pod) {
  Sums requests;
  Sums limits;
  bool guaranteed = true;
  if (pod_level_declared(pod)) {
    add_amounts(requests, pod.spec.resources->requests);
    add_amounts(limits, pod.spec.resources->limits);
    guaranteed = has_both(pod.spec.resources->limits);
  } else {
    for_each_main_container(pod, [&](const Container& container) {
      add_amounts(requests, container.resources.requests);
      add_amounts(limits, container.resources.limits);
      guaranteed = guaranteed && has_both(container.resources.limits);
    });
  }
  if (requests.empty() && limits.empty()) return QosClass::kBestEffort;
  return guaranteed && requests == limits ? QosClass::kGuaranteed : QosClass::kBurstable;
}

QosClass qos_class(const Pod& pod) {
  const auto& stated = pod.status.qosClass;
  if (stated == "BestEffort") return QosClass::kBestEffort;
  if (stated == "Burstable") return QosClass::kBurstable;
  if (stated == "Guaranteed") return QosClass::kGuaranteed;
  return compute_qos_class(pod);
}

bool is_static_pod(const Pod& pod) {
  const auto source = pod.metadata.annotations.find(kSourceAnnotation);
  return source != pod.metadata.annotations.end() && source->second != "api";
}

std::optional<Criticality> criticality(const Pod& pod, bool static_pods_are_critical) {
  if (static_pods_are_critical) {
    if (is_static_pod(pod)) return Criticality::kStaticPod;
    if (pod.metadata.annotations.contains(kMirrorAnnotation)) return Criticality::kMirrorPod;
  }
  if (pod.spec.priority && *pod.spec.priority >= kSystemCriticalPriority) {
    return Criticality::kSystemPriority;
  }
  return std::nullopt;
}

bool is_critical_pod(const Pod& pod, bool static_pods_are_critical) {
  return criticality(pod, static_pods_are_critical).has_value();
}

}  // namespace berth::api
