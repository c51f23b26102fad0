// Why a node was rejected: a bit for each reason, in the order in which Kubernetes asks, so that
// the lowest bit is the reason that a cycle reports.
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
  kUnschedulableAndUnresolvable,  // it cannot
  kError,
  kSkip,
};
[[nodiscard]] std::string_view name_of(StatusCode code);

struct Status {
  StatusCode code = StatusCode::kSuccess;
  std::string plugin{};  // empty where none is to blame
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
  kAbsent,  // there is no node in this place
};

using Rejections = std::uint16_t;  // a set of Rejection

[[nodiscard]] constexpr Rejections bit_of(Rejection rejection) {
  return static_cast<Rejections>(1U << static_cast<unsigned>(rejection));
}
[[nodiscard]] constexpr Rejections bit_if(bool rejected, Rejection rejection) {
  return rejected ? bit_of(rejection) : Rejections{0};
}
// The one that is asked first. There must be one.
[[nodiscard]] constexpr Rejection first_of(Rejections rejections) {
  return static_cast<Rejection>(std::countr_zero(rejections));
}

struct RejectionRule {
  Plugin plugin = Plugin::kNodeUnschedulable;
  StatusCode code = StatusCode::kUnschedulable;
  std::string_view reason{};  // empty: the reason names what is short
};
[[nodiscard]] const RejectionRule& rule_of(Rejection rejection);

// The reasons that belong to plugins of this set, and that there is no node.
[[nodiscard]] Rejections rejections_by(PluginSet plugins);

}  // namespace berth::scheduling
