// SPDX-License-Identifier: Apache-2.0

// What a pod is doing now and what comes next: the first and the last part of its story. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/ledger/story.hpp"
#include "lifecycle/obstacles.hpp"

namespace berth::lifecycle {

// One sentence. `pod` is null if it no longer exists; `last` is the newest record, if there is one.
[[nodiscard]] std::string present_sentence(const api::Pod* pod, const LedgerRecord* last,
                                           WallTime now);

// What comes next for a pod that is as it should be.
inline constexpr std::string_view kNothingDue =
    "Nothing is due; berthd acts as soon as something happens.";

// "Since 03:12:17 it waits: the runtime refuses to remove …", and what an operator can do about
// it.
[[nodiscard]] std::string held_sentence(const HeldPod& held, const RuntimeSocket& socket,
                                        WallTime now);

// Whether the pod was evicted, or refused because the node was short of some resource, so that only
// a successor can follow.
[[nodiscard]] bool stays_evicted(const api::Pod& pod);
[[nodiscard]] std::string evicted_sentence(const api::Pod& pod);
// For a pod that returns after a shutdown of the node.
[[nodiscard]] std::string shut_down_sentence(const api::Pod& pod);

// Soonest first; at least one sentence. `plan`: the newest plan of this incarnation.
[[nodiscard]] std::vector<std::string> coming_sentences(const api::Pod* pod,
                                                        const RecordedPlan* plan, WallTime now);

}  // namespace berth::lifecycle
