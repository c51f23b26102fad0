// SPDX-License-Identifier: Apache-2.0

// Median and 99th percentile of measurements. Pure.
#pragma once

#include <vector>

namespace berth::bench {

// For an even number, the mean of the two in the middle; 0 for none.
[[nodiscard]] double median(std::vector<double> samples);

// The smallest sample that at least 99 % of all do not exceed (with fewer than 100, the largest).
[[nodiscard]] double percentile_99(std::vector<double> samples);

}  // namespace berth::bench
