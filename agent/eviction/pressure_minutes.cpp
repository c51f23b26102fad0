// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/pressure_minutes.hpp"

#include <algorithm>
#include <utility>

namespace berth::agent {

std::optional<eviction::Sample> PressureMinutes::add(const eviction::Sample& sample) {
  if (minute_ && sample.at - began_ < kPressureRowEvery) {
    minute_ = eviction::merge_samples({std::move(*minute_), sample});
    return std::nullopt;
  }
  began_ = sample.at;
  return std::exchange(minute_, sample);
}

std::optional<eviction::Sample> PressureMinutes::rest() {
  return std::exchange(minute_, std::nullopt);
}

std::vector<eviction::Sample> rebased_samples(std::vector<eviction::Sample> kept, SteadyTime now,
                                              WallTime wall_now) {
  std::vector<eviction::Sample> out;
  WallTime before = wall_now;
  std::ranges::reverse(kept);
  for (eviction::Sample& sample : kept) {
    if (sample.shown_at >= before) continue;
    before = sample.shown_at;
    sample.at = now - (wall_now - sample.shown_at);
    out.push_back(std::move(sample));
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace berth::agent
