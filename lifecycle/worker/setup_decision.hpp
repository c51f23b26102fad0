// SPDX-License-Identifier: Apache-2.0

// What becomes of a pod whose directories, control group or volumes could not be made.
//
// Without them it gets no sandbox: it waits, and they are tried again. Where volumes that it has
// already could not be written again, its containers go on with what they have. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

// Directories and control group are made in one go: of a success it names the first.
enum class SetupPart : std::uint8_t { kDirectories, kControlGroup, kVolumes };

struct SetupQuestion {
  RefOrValue<api::Pod> pod{};  // whose it is; decides nothing
  SetupPart part = SetupPart::kDirectories;
  std::vector<std::string> failures{};  // in the words of their events; empty: it is there
  bool written_again = false;           // the pod has a sandbox, with what was there before
};

enum class SetupStanding : std::uint8_t { kReady, kWaits, kGoesOn };

struct SetupDecision {
  SetupStanding standing = SetupStanding::kReady;

  bool operator==(const SetupDecision&) const = default;
};

[[nodiscard]] SetupDecision decide_setup(const SetupQuestion& question);

// Of each failure, its event: the reason's rule is that of the event, its text the message. Of a
// success, a clause.
[[nodiscard]] Reasons setup_reasons(const SetupQuestion& question);

}  // namespace berth::lifecycle
