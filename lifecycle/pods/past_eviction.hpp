// SPDX-License-Identifier: Apache-2.0

// What of an eviction is known as long as its pod's manifest stands, whatever became of the pod.
//
// Pure.
#pragma once

#include <optional>

#include "lifecycle/ending.hpp"

namespace berth::lifecycle {

// The eviction that ended a pod, whatever was ordered of what was left of it since. None: nobody
// evicted it, or it had finished by itself before.
[[nodiscard]] std::optional<Ending> eviction_in(const Ending& ending);

}  // namespace berth::lifecycle
