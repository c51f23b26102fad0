// SPDX-License-Identifier: Apache-2.0

// Whether other thresholds may come into force: not if they would evict a pod at once that those in
// force would not evict. Pure.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "eviction/explain.hpp"

namespace berth::agent {

// Why `then`, measured under the new thresholds, is refused beside `now`, measured under those in
// force: which pods would go, and how to have the thresholds all the same. Absent: they may come.
// What is under way already is no reason: a signal for which the node acts now, as far as the same
// pods would go, or a limit of local storage that is exceeded now. kUnavailable: nobody can tell,
// since nothing is evicted before the runtime has said where images are kept.
[[nodiscard]] Result<std::optional<std::string>> refused_thresholds(
    const eviction::Explanation& now, const eviction::Explanation& then);

}  // namespace berth::agent
