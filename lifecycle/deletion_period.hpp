// SPDX-License-Identifier: Apache-2.0

// How long a pod that somebody deletes has to end, and whether that changes anything: the rules of
// the API server's delete (registry/core/pod's CheckGracefulDelete, registry/rest's BeforeDelete).
//
// Whole seconds. What the worker makes of the period is grace_period.hpp. Pure.
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
  std::optional<std::int64_t> in_force{};  // metadata.deletionGracePeriodSeconds: it ends already
};

struct DeletionPeriod {
  std::int64_t seconds = 0;  // 0: nobody is shown the pod from now on
  // False: it ends already, and this would not be sooner.
  bool takes_effect = true;

  bool operator==(const DeletionPeriod&) const = default;
};

[[nodiscard]] DeletionPeriod deletion_period(const DeletionSituation& situation);

// The same with whose it is.
struct DeletionQuestion {
  RefOrValue<api::Pod> pod{};
  DeletionSituation situation{};
};

// The rule by which a deletion changes nothing.
inline constexpr std::string_view kDeletionNoSooner = "DeletionNoSooner";

// Why, as a clause.
[[nodiscard]] Reason deletion_reason(const DeletionQuestion& question,
                                     const DeletionPeriod& period);

}  // namespace berth::lifecycle
