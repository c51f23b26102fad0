// SPDX-License-Identifier: Apache-2.0

// Why a node was rejected: one bit per reason, in the order in which Kubernetes checks them, so
// that the lowest bit is the reason that a cycle reports.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scheduling/cycle/profile.hpp"

namespace berth::scheduling {

enum class StatusCode : std::uint8_t {
  kSuccess,
  kUnschedulable,                 // preemption may help
  kUnschedulableAndUnresolvable,  // preemption cannot help
  kError,
  kSkip,
};
[[nodiscard]] std::string_view name_of(StatusCode code);

struct Status {
  StatusCode code = StatusCode::kSuccess;
  std::string plugin{};  // empty if no plugin is responsible
  std::vector<std::string> reasons{};

  bool operator==(const Status&) const = default;
};

enum class Rejection : std::uint8_t {
  kUnschedulable,
  kNodeName,
  kTaint,
  kAddedAffinity,
  kAffinity,
  kPorts,
  kResources,
  kResourcesUnresolvable,
  kSpreadKeyMissing,
  kSpreadSkew,
  kPodAffinity,
  kPodAntiAffinity,
  kExistingAntiAffinity,
  kAbsent,  // there is no node at this index
};

using Rejections = std::uint16_t;  // a set of Rejection

[[nodiscard]] constexpr Rejections bit_of(Rejection rejection) {
  return static_cast<Rejections>(1U << static_cast<unsigned>(rejection));
}
[[nodiscard]] constexpr Rejections bit_if(bool rejected, Rejection rejection) {
  return rejected ? bit_of(rejection) : Rejections{0};
}
// The reason that is checked first. `rejections` must not be empty.
[[nodiscard]] constexpr Rejection first_of(Rejections rejections) {
  return static_cast<Rejection>(std::countr_zero(rejections));
}

struct RejectionRule {
  Plugin plugin = Plugin::kNodeUnschedulable;
  StatusCode code = StatusCode::kUnschedulable;
  std::string_view reason{};  // empty if the reason names the short resource
};
[[nodiscard]] const RejectionRule& rule_of(Rejection rejection);

// The reasons that belong to the plugins in this set, and kAbsent.
[[nodiscard]] Rejections rejections_by(PluginSet plugins);

}  // namespace berth::scheduling
