// SPDX-License-Identifier: Apache-2.0

// When the worker looks again, and when failed actions are retried.
//
// Each action that can fail (the sandbox, one container, the clean-up) has a key and is retried on
// its own (retry_table.hpp). An action that is not due yet is considered again when it is. Loop
// thread only; the clock outlives this object.
#pragma once

#include <optional>
#include <string>

#include "base/clock.hpp"
#include "lifecycle/worker/retry_table.hpp"

namespace berth::lifecycle {

class Timetable {
 public:
  explicit Timetable(Clock& clock) : clock_(clock) {}
  Timetable(const Timetable&) = delete;
  Timetable& operator=(const Timetable&) = delete;
  ~Timetable() = default;

  // A turn begins; it sets anew when to look again.
  void begin_turn() { next_look_.reset(); }
  // The earliest time given since the turn began; unset if the worker only waits for the bell.
  [[nodiscard]] const std::optional<SteadyTime>& next_look() const { return next_look_; }
  // No effect if unset.
  void look_again_at(std::optional<SteadyTime> time);
  void look_again_at_wall(std::optional<WallTime> time);
  // Looks again when the first action that was not due at `then` is retried.
  void look_at_retries(SteadyTime then) { look_again_at(retries_.next(then)); }

  // Whether the action may be tried now; if not, the worker looks again when it is due.
  [[nodiscard]] bool due(const std::string& key);
  void failed(const std::string& key, const RetryPace& pace = kHiccup);
  void succeeded(const std::string& key) { retries_.succeeded(key); }
  [[nodiscard]] bool failing(const std::string& key) const { return retries_.failing(key); }
  // Everything may be retried at once.
  void retry_all() { retries_.clear(); }
  // The same for keys that begin with `prefix`.
  void retry(const std::string& prefix) { retries_.clear(prefix); }

 private:
  Clock& clock_;
  RetryTable retries_{};
  std::optional<SteadyTime> next_look_{};
};

}  // namespace berth::lifecycle
