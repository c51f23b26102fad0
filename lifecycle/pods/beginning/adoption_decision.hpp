// SPDX-License-Identifier: Apache-2.0

// Which order ends a pod that the runtime or the store has, and that is not desired.
//
// A pod in the store was desired once, and its manifest has been removed: it ends with its own
// grace period. A pod that only the runtime has is unknown, and so is its grace period; it stays
// unknown even if berthd is killed before the pod has ended. Pure.
#pragma once

#include <optional>

#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

struct AdoptionQuestion {
  RefOrValue<api::Pod> pod{};         // the pod in question; decides nothing
  bool stored = false;                // the store has it
  std::optional<EndCause> ordered{};  // why an earlier berthd was ending it; unset if it was not
};

struct AdoptionDecision {
  EndCause cause = EndCause::kUnknownPod;

  bool operator==(const AdoptionDecision&) const = default;
};

[[nodiscard]] AdoptionDecision decide_adoption(const AdoptionQuestion& question);

// Why, as a clause.
[[nodiscard]] Reason adoption_reason(const AdoptionQuestion& question,
                                     const AdoptionDecision& decision);

}  // namespace berth::lifecycle
