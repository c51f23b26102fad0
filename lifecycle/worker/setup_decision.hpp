// SPDX-License-Identifier: Apache-2.0

// What becomes of a pod whose directories, cgroup or volumes could not be created.
//
// Without them the pod gets no sandbox: it waits, and they are retried. If only the volumes of a
// pod that already has them could not be written again, its containers keep the previous content.
// Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

// Directories and cgroup are created together; a success names kDirectories.
enum class SetupPart : std::uint8_t { kDirectories, kControlGroup, kVolumes };

struct SetupQuestion {
  RefOrValue<api::Pod> pod{};  // the pod in question; decides nothing
  SetupPart part = SetupPart::kDirectories;
  std::vector<std::string> failures{};  // the messages of their events; empty on success
  bool written_again = false;           // the pod has a sandbox, with the previous content
};

enum class SetupStanding : std::uint8_t { kReady, kWaits, kGoesOn };

struct SetupDecision {
  SetupStanding standing = SetupStanding::kReady;

  bool operator==(const SetupDecision&) const = default;
};

[[nodiscard]] SetupDecision decide_setup(const SetupQuestion& question);

// For each failure, its event: the reason's rule is the event's reason, its text the event's
// message. For a success, a clause.
[[nodiscard]] Reasons setup_reasons(const SetupQuestion& question);

}  // namespace berth::lifecycle
