// SPDX-License-Identifier: Apache-2.0

#include "eviction/must_go.hpp"

#include <algorithm>

namespace berth::eviction {

std::optional<double> missing(const JudgedThreshold& judged) {
  const bool is_amount = traits(judged.threshold.signal).comparison == Comparison::kLessThan;
  if (!is_amount || !judged.observation || !judged.limit) return std::nullopt;
  double wanted = judged.limit->as_double();
  if (judged.threshold.min_reclaim)
    wanted += amount_of(*judged.threshold.min_reclaim, judged.observation->capacity).as_double();
  return wanted - judged.observation->value.as_double();
}

std::vector<PodReference> must_go(const std::vector<JudgedThreshold>& due,
                                  const std::vector<RankedPod>& ranking) {
  std::optional<double> most = 0;
  for (const JudgedThreshold& judged : due) {
    const auto one = missing(judged);
    most = one && most ? std::optional(std::max(*most, *one)) : std::nullopt;
  }
  std::vector<PodReference> out;
  double freed = 0;
  for (const RankedPod& ranked : ranking) {
    if (ranked.exempt) continue;
    out.push_back(ranked.pod);
    if (ranked.use.has_reading) freed += ranked.use.usage.as_double();
    if (most && freed >= *most) break;
  }
  return out;
}

}  // namespace berth::eviction
