// SPDX-License-Identifier: Apache-2.0

// Whether a pod that is wished is not begun, and what is shown of it then.
//
// This version may not run what it asks for, it may be another node's, two berthds may have died at
// it, or the runtime could not keep its control group. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

struct HoldQuestion {
  RefOrValue<api::Pod> pod{};
  std::string node_name{};     // of this node
  bool deadly = false;         // the last two berthds have died with it in hand
  bool judged = false;         // it has a verdict: nothing of it is begun any more
  std::string no_sandboxes{};  // why the runtime is asked for none; empty: it is asked
};

enum class HoldCause : std::uint8_t { kNone, kBerthdDied, kUnsupported, kOtherNode, kNoSandboxes };

struct HoldDecision {
  HoldCause cause = HoldCause::kNone;
  std::string message{};  // why, for people

  bool operator==(const HoldDecision&) const = default;
};

[[nodiscard]] HoldDecision decide_hold(const HoldQuestion& question);

// status.reason; of a cause.
[[nodiscard]] std::string_view hold_word(HoldCause cause);

// Of the pod what decide_hold looks at, and what is asked for beside it.
[[nodiscard]] api::Pod hold_part(const api::Pod& pod);

}  // namespace berth::lifecycle
