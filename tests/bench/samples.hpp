// Median and 99th percentile of what was measured. Pure.
#pragma once

#include <vector>

namespace berth::bench {

// Of an even number, the mean of the two in the middle; 0 of none.
[[nodiscard]] double median(std::vector<double> samples);

// The smallest sample that at least 99 % of all do not exceed (with fewer than 100, the largest).
[[nodiscard]] double percentile_99(std::vector<double> samples);

}  // namespace berth::bench
