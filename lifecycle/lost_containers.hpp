// SPDX-License-Identifier: Apache-2.0

// What becomes of a pod that had containers, of which the runtime knows nothing any more (the
// machine was rebooted and the runtime's state was not kept, or somebody wiped it).
//
// Where the restart policy allows, it begins again. Under Never it must not: what still ran is
// shown as ended in an unknown way, and the pod is Failed, as in Kubernetes after a reboot. Pure.
#pragma once

#include "base/ref_or_value.hpp"
#include "lifecycle/pod_memory.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

// Of a pod of which the runtime has nothing.
struct LossQuestion {
  RefOrValue<api::Pod> pod{};
  bool had_containers = false;
  bool judged = false;  // it has a verdict already, which stands
  bool ending = false;  // it is to end anyway: says what becomes of it, and decides nothing
};

struct LossDecision {
  bool failed = false;

  bool operator==(const LossDecision&) const = default;
};

[[nodiscard]] LossQuestion loss_question(const PodMemory& memory);
[[nodiscard]] LossDecision decide_loss(const LossQuestion& question);

// Whether anything was lost at all.
[[nodiscard]] bool has_lost(const LossQuestion& question);
// Why, as a clause; of one that has lost something.
[[nodiscard]] Reason loss_reason(const LossQuestion& question, const LossDecision& decision);

// Of the pod what decide_loss looks at.
[[nodiscard]] api::Pod loss_part(const api::Pod& pod);

// The memory to go on from, of one that begins again: what had ended runs once more, whatever its
// policy says, so that nothing of it stands as ended for good.
[[nodiscard]] PodMemory begun_again(PodMemory memory);
// The memory to go on from, of one that has failed by it.
[[nodiscard]] PodMemory failed_by_loss(PodMemory memory);

}  // namespace berth::lifecycle
