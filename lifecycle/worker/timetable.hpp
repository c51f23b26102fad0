// SPDX-License-Identifier: Apache-2.0

// When the worker looks again, and what that has failed is tried again when.
//
// Each thing that can fail (the sandbox, one container, the clean-up) has a key and is tried again
// on its own (retry_table.hpp). Whatever is found not to be due yet is looked at again when it is.
// Loop thread only; the clock outlives this.
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

  // A turn begins: it will say itself when to look again.
  void begin_turn() { next_look_.reset(); }
  // The earliest of those named since the turn began; unset: only when the bell rings.
  [[nodiscard]] const std::optional<SteadyTime>& next_look() const { return next_look_; }
  // Unset: nothing is to be looked at.
  void look_again_at(std::optional<SteadyTime> time);
  void look_again_at_wall(std::optional<WallTime> time);
  // When the first thing is tried again that was not due at `then`.
  void look_at_retries(SteadyTime then) { look_again_at(retries_.next(then)); }

  // Whether that may be tried now; otherwise it is looked at again.
  [[nodiscard]] bool due(const std::string& key);
  void failed(const std::string& key, const RetryPace& pace = kHiccup);
  void succeeded(const std::string& key) { retries_.succeeded(key); }
  [[nodiscard]] bool failing(const std::string& key) const { return retries_.failing(key); }
  // Everything may be tried at once.
  void retry_all() { retries_.clear(); }
  // The same for keys that begin with this.
  void retry(const std::string& prefix) { retries_.clear(prefix); }

 private:
  Clock& clock_;
  RetryTable retries_{};
  std::optional<SteadyTime> next_look_{};
};

}  // namespace berth::lifecycle
