// SPDX-License-Identifier: Apache-2.0

// The grace period of a pod that somebody deletes, and whether the deletion changes anything: the
// rules of the API server's delete (registry/core/pod's CheckGracefulDelete, registry/rest's
// BeforeDelete).
//
// Whole seconds. grace_period.hpp decides how the worker applies the period. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

struct DeletionSituation {
  std::optional<std::int64_t> requested{};  // --grace-period; 0 forces
  std::optional<std::int64_t> own{};        // spec.terminationGracePeriodSeconds
  bool placed = true;                       // some node runs it, or has run it
  std::string phase{};
  std::optional<std::int64_t> in_force{};  // metadata.deletionGracePeriodSeconds; set once it ends
};

struct DeletionPeriod {
  std::int64_t seconds = 0;  // 0: the pod is hidden from now on
  // False if the pod already ends, and this deletion would not end it sooner.
  bool takes_effect = true;

  bool operator==(const DeletionPeriod&) const = default;
};

[[nodiscard]] DeletionPeriod deletion_period(const DeletionSituation& situation);

// The situation together with its pod.
struct DeletionQuestion {
  RefOrValue<api::Pod> pod{};
  DeletionSituation situation{};
};

// The rule that applies when a deletion changes nothing.
inline constexpr std::string_view kDeletionNoSooner = "DeletionNoSooner";

// Why, as a clause.
[[nodiscard]] Reason deletion_reason(const DeletionQuestion& question,
                                     const DeletionPeriod& period);

}  // namespace berth::lifecycle
