// SPDX-License-Identifier: Apache-2.0

// Which order ends a pod that the runtime or the store has, and that is not desired.
//
// What the store has was desired once: its manifest is gone, and the pod ends with its own grace
// period. What only the runtime has is an unknown pod, of which no grace period is known; it
// remains one if berthd is killed before it has ended. Pure.
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
