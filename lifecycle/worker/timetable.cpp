// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/timetable.hpp"

namespace berth::lifecycle {

void Timetable::look_again_at(std::optional<SteadyTime> time) {
  if (time && (!next_look_ || *time < *next_look_)) next_look_ = time;
}

void Timetable::look_again_at_wall(std::optional<WallTime> time) {
  if (time) look_again_at(clock_.steady_now() + (*time - clock_.wall_now()));
}

bool Timetable::due(const std::string& key) {
  const SteadyTime now = clock_.steady_now();
  if (retries_.due(key, now)) return true;
  look_at_retries(now);
  return false;
}

void Timetable::failed(const std::string& key, const RetryPace& pace) {
  retries_.failed(key, clock_.steady_now(), pace);
}

}  // namespace berth::lifecycle
