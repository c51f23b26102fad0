// SPDX-License-Identifier: Apache-2.0

// The eviction of a pod, remembered as long as its manifest exists, whatever became of the pod.
//
// Pure.
#pragma once

#include <optional>

#include "lifecycle/ending.hpp"

namespace berth::lifecycle {

// The eviction that ended a pod, whatever was ordered for its remains since. Unset if it was not
// evicted, or had finished by itself before.
[[nodiscard]] std::optional<Ending> eviction_in(const Ending& ending);

}  // namespace berth::lifecycle
