// SPDX-License-Identifier: Apache-2.0

// Which priority a new pod gets: the value of its class, or of the default class, or 0.
//
// Pure. A pod names a class; if it also states a number or a preemption policy, that must equal the
// class's. Classes must be defaulted (preemptionPolicy set).
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "api/priority_class.hpp"
#include "scheduling/admission_status.hpp"

namespace berth::scheduling {

// Pods of this priority and above are critical.
inline constexpr std::int32_t kSystemCriticalPriority = 2000000000;

// What admission writes into the pod.
struct ResolvedPriority {
  std::int32_t priority = 0;
  std::string class_name{};  // empty if the pod has no class
  std::string preemption_policy{};
  std::string why{};  // which rule applied, for people

  bool operator==(const ResolvedPriority&) const = default;
};

// Includes the field to be corrected, which the API's refusal does not name.
struct PriorityRefusal : AdmissionRefusal {
  std::string field{};
};

[[nodiscard]] std::expected<ResolvedPriority, PriorityRefusal> resolve_priority(
    const api::Pod& pod, const std::vector<api::PriorityClass>& classes);

void apply_priority(api::Pod& pod, const ResolvedPriority& resolved);

// The default class; the one of lowest value if there are several (there should be one). Null if
// there is none.
[[nodiscard]] const api::PriorityClass* default_priority_class(
    const std::vector<api::PriorityClass>& classes);

// system-node-critical and system-cluster-critical, which always exist.
[[nodiscard]] const std::vector<api::PriorityClass>& built_in_priority_classes();

// These classes and the two built-in ones (a class of the same name replaces the built-in one),
// defaulted.
[[nodiscard]] std::vector<api::PriorityClass> with_built_in(
    std::vector<api::PriorityClass> classes);

}  // namespace berth::scheduling
