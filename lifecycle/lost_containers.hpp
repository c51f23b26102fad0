// SPDX-License-Identifier: Apache-2.0

// What becomes of a pod that had containers which the runtime no longer knows (the machine was
// rebooted and the runtime's state was not kept, or somebody wiped it).
//
// If the restart policy allows, the pod begins again. Under Never it must not: containers that
// still ran are shown as terminated in an unknown way, and the pod is Failed, as in Kubernetes
// after a reboot. Pure.
#pragma once

#include "base/clock_types.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/pod_memory.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

// For a pod that the runtime no longer has.
struct LossQuestion {
  RefOrValue<api::Pod> pod{};
  bool had_containers = false;
  bool judged = false;  // it already has a verdict, which stands
  bool ending = false;  // it is to end anyway; only explains, and decides nothing
};

struct LossDecision {
  bool failed = false;

  bool operator==(const LossDecision&) const = default;
};

[[nodiscard]] LossQuestion loss_question(const PodMemory& memory);
[[nodiscard]] LossDecision decide_loss(const LossQuestion& question);

// Whether anything was lost at all.
[[nodiscard]] bool has_lost(const LossQuestion& question);
// Why, as a clause, for a pod that has lost something.
[[nodiscard]] Reason loss_reason(const LossQuestion& question, const LossDecision& decision);

// The part of the pod that decide_loss reads.
[[nodiscard]] api::Pod loss_part(const api::Pod& pod);

// The memory from which a pod that begins again continues: containers that had ended run once more,
// whatever their policy, so that none counts as ended for good.
[[nodiscard]] PodMemory begun_again(PodMemory memory);
// The memory from which a pod that has failed by the loss continues. If an order was ending it, it
// has failed for that order's reason.
[[nodiscard]] PodMemory failed_by_loss(PodMemory memory, WallTime now);

}  // namespace berth::lifecycle
