// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/samples.hpp"

#include <algorithm>
#include <cstddef>

namespace berth::bench {

double median(std::vector<double> samples) {
  if (samples.empty()) return 0;
  std::ranges::sort(samples);
  const std::size_t middle = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
}

double percentile_99(std::vector<double> samples) {
  if (samples.empty()) return 0;
  std::ranges::sort(samples);
  const std::size_t rank = (99 * samples.size() + 99) / 100;  // counted from 1, rounded up
  return samples[rank - 1];
}

}  // namespace berth::bench
