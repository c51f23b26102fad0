// SPDX-License-Identifier: Apache-2.0

// Whether other thresholds may come into force: not if they would evict a pod at once and those in
// force would not. Pure.
#pragma once

#include <optional>
#include <string>

#include "eviction/explain.hpp"

namespace berth::agent {

// Why `then`, measured under the new thresholds, is refused beside `now`, measured under those in
// force: which pods would go, and how to have the thresholds all the same. Absent: they may come.
// What is under way already refuses nothing.
[[nodiscard]] std::optional<std::string> refused_thresholds(const eviction::Explanation& now,
                                                            const eviction::Explanation& then);

}  // namespace berth::agent
