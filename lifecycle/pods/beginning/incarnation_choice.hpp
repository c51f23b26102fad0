// SPDX-License-Identifier: Apache-2.0

// Which incarnation of its manifest a pod is.
//
// A manifest that berthd reads for the first time continues the pod that already runs from it,
// under the same uid, or begins the incarnation after the one that has ended. A pod that a kubelet
// left running is adopted: it keeps the kubelet's uid, which berth cannot compute. Later on each
// incarnation follows the one before. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

// A pod of the manifest that the runtime or the store had when berthd started.
struct FoundIncarnation {
  std::string uid{};
  std::uint32_t incarnation = 1;
  bool over = false;          // it ended, or was ordered to
  bool from_kubelet = false;  // recognised by its name and by what its containers were started from

  bool operator==(const FoundIncarnation&) const = default;
};

enum class IncarnationCause : std::uint8_t {
  kFirstRead,  // berthd has read the manifest for the first time since its start
  kReturned,   // the manifest was removed and has been added again
  kEnded,      // the pod has ended, and the manifest remains
};

struct IncarnationQuestion {
  RefOrValue<api::Pod> pod{};  // the pod in question; decides nothing
  IncarnationCause cause = IncarnationCause::kFirstRead;
  std::uint32_t before = 0;               // the last incarnation; 0 at the first reading
  std::vector<FoundIncarnation> found{};  // empty after the first reading
};

struct IncarnationChoice {
  std::uint32_t incarnation = 1;
  std::string continues{};  // the uid of the found pod that continues; empty if a new one begins
  bool adopted = false;     // that one was left by a kubelet

  bool operator==(const IncarnationChoice&) const = default;
};

// The newest one found; null if there is none.
[[nodiscard]] const FoundIncarnation* newest_of(const std::vector<FoundIncarnation>& found);

[[nodiscard]] IncarnationChoice choose_incarnation(const IncarnationQuestion& question);

// Why, as a clause.
[[nodiscard]] Reason incarnation_reason(const IncarnationQuestion& question,
                                        const IncarnationChoice& choice);

}  // namespace berth::lifecycle
