// SPDX-License-Identifier: Apache-2.0

// Whether a desired pod is held back, and what is shown of it then.
//
// A pod is held if this version does not support it, if it is another node's, if two berthds died
// while handling it, or if the runtime could not maintain its cgroup or has no network for it. The
// last holds for a pod that runs as well: what runs of it goes on. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

struct HoldQuestion {
  RefOrValue<api::Pod> pod{};
  std::string node_name{};      // of this node
  bool deadly = false;          // the last two berthds died with it in hand
  bool judged = false;          // it has a verdict: nothing of it begins any more
  std::string no_sandboxes{};   // why the runtime is asked for no sandbox now; empty if it is asked
  std::string network_error{};  // why the runtime has no network; empty if it has one
};

enum class HoldCause : std::uint8_t {
  kNone,
  kBerthdDied,
  kUnsupported,
  kOtherNode,
  kNoSandboxes,
  kNoNetwork
};

struct HoldDecision {
  HoldCause cause = HoldCause::kNone;
  std::string message{};  // the reason, for people

  bool operator==(const HoldDecision&) const = default;
};

[[nodiscard]] HoldDecision decide_hold(const HoldQuestion& question);

// The status.reason for `cause`.
[[nodiscard]] std::string_view hold_word(HoldCause cause);

// The part of the pod that decide_hold reads, and what else the pod requests.
[[nodiscard]] api::Pod hold_part(const api::Pod& pod);

}  // namespace berth::lifecycle
