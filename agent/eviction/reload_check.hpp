// SPDX-License-Identifier: Apache-2.0

// Whether other thresholds may take effect: not if they would evict a pod at once that those in
// force would not evict. Pure.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "eviction/explain.hpp"

namespace berth::agent {

// Compares the node under the new thresholds (`then`) with the node under those in force (`now`):
// why the new ones are refused, which pods they would evict, and how to apply them all the same.
// Absent if they may take effect. Evictions that the thresholds in force cause anyway do not count:
// of the same pods for the same signal, or of pods that exceed a limit of local storage now.
// kUnavailable if that cannot be decided, because nothing is evicted before the runtime has
// reported where images are kept.
[[nodiscard]] Result<std::optional<std::string>> refused_thresholds(
    const eviction::Explanation& now, const eviction::Explanation& then);

}  // namespace berth::agent
