// SPDX-License-Identifier: Apache-2.0

// Whether other thresholds may take effect: not if they would evict a pod at once that those in
// force would not evict. Pure.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "eviction/explain.hpp"

namespace berth::agent {

// Why `then`, measured under the new thresholds, is refused in comparison with `now`, measured
// under those in force: which pods would be evicted, and how to apply the thresholds all the same.
// Absent if they may take effect. What is under way already is no reason: a signal on which the
// node acts now, as far as the same pods would be evicted, or a limit of local storage that is
// exceeded now. kUnavailable if that cannot be decided, since nothing is evicted before the runtime
// has reported where images are kept.
[[nodiscard]] Result<std::optional<std::string>> refused_thresholds(
    const eviction::Explanation& now, const eviction::Explanation& then);

}  // namespace berth::agent
