// SPDX-License-Identifier: Apache-2.0

#include "scheduling/priority_admission.hpp"

#include <algorithm>
#include <utility>

#include "api/defaults.hpp"

namespace berth::scheduling {

namespace {

constexpr std::string_view kPreemptLower = "PreemptLowerPriority";

using api::PriorityClass;

const PriorityClass* find_class(const std::vector<PriorityClass>& classes,
                                const std::string& name) {
  const auto found = std::find_if(classes.begin(), classes.end(), [&](const PriorityClass& one) {
    return one.metadata.name == name;
  });
  return found == classes.end() ? nullptr : &*found;
}

ResolvedPriority from_class(const PriorityClass& from, std::string why) {
  return ResolvedPriority{
      .priority = from.value,
      .class_name = from.metadata.name,
      .preemption_policy = from.preemptionPolicy.value_or(std::string(kPreemptLower)),
      .why = std::move(why)};
}

}  // namespace

const PriorityClass* default_priority_class(const std::vector<PriorityClass>& classes) {
  const PriorityClass* lowest = nullptr;
  for (const PriorityClass& one : classes) {
    if (one.globalDefault && (lowest == nullptr || one.value < lowest->value)) lowest = &one;
  }
  return lowest;
}

std::expected<ResolvedPriority, PriorityRefusal> resolve_priority(
    const api::Pod& pod, const std::vector<PriorityClass>& classes) {
  const api::PodSpec& spec = pod.spec;
  const auto refuse = [&](const char* field, const std::string& why) {
    return std::unexpected(
        PriorityRefusal{forbidden_object("pods", pod.metadata.name, why), field});
  };
  ResolvedPriority resolved{.preemption_policy = std::string(kPreemptLower),
                            .why = "no class is named and none is the default"};
  if (!spec.priorityClassName.empty()) {
    const PriorityClass* named = find_class(classes, spec.priorityClassName);
    if (named == nullptr) {
      return refuse("spec.priorityClassName",
                    "no PriorityClass with name " + spec.priorityClassName + " was found");
    }
    resolved = from_class(*named, "the pod names class " + spec.priorityClassName);
  } else if (const PriorityClass* usual = default_priority_class(classes)) {
    resolved = from_class(*usual, "class " + usual->metadata.name + " is the default");
  }
  if (spec.priority && *spec.priority != resolved.priority) {
    return refuse(
        "spec.priority",
        "the integer value of priority (" + std::to_string(*spec.priority) +
            ") must not be provided in pod spec; priority admission controller computed " +
            std::to_string(resolved.priority) + " from the given PriorityClass name");
  }
  if (spec.preemptionPolicy && *spec.preemptionPolicy != resolved.preemption_policy) {
    return refuse(
        "spec.preemptionPolicy",
        "the string value of PreemptionPolicy (" + *spec.preemptionPolicy +
            ") must not be provided in pod spec; priority admission controller computed " +
            resolved.preemption_policy + " from the given PriorityClass name");
  }
  return resolved;
}

void apply_priority(api::Pod& pod, const ResolvedPriority& resolved) {
  pod.spec.priority = resolved.priority;
  pod.spec.priorityClassName = resolved.class_name;
  pod.spec.preemptionPolicy = resolved.preemption_policy;
}

const std::vector<PriorityClass>& built_in_priority_classes() {
  const auto make = [](const char* name, std::int32_t value, const char* description) {
    PriorityClass made{.kind = "PriorityClass",
                       .apiVersion = "scheduling.k8s.io/v1",
                       .value = value,
                       .description = description,
                       .preemptionPolicy = std::string(kPreemptLower)};
    made.metadata.name = name;
    return made;
  };
  static const std::vector<PriorityClass> kClasses = {
      make("system-node-critical", kSystemCriticalPriority + 1000,
           "Used for system critical pods that must not be moved from their current node."),
      make("system-cluster-critical", kSystemCriticalPriority,
           "Used for system critical pods that must run in the cluster, but can be moved to "
           "another node if necessary.")};
  return kClasses;
}

std::vector<PriorityClass> with_built_in(std::vector<PriorityClass> classes) {
  for (PriorityClass& one : classes) api::apply_defaults(one);
  for (const PriorityClass& built_in : built_in_priority_classes()) {
    if (find_class(classes, built_in.metadata.name) == nullptr) classes.push_back(built_in);
  }
  return classes;
}

}  // namespace berth::scheduling
