// SPDX-License-Identifier: Apache-2.0

// What the world did to berthd that excuses it: calls and events that fail or come late, a wall
// clock that jumps, a state file that is lost.
//
// The world reports it here; the checks ask. Loop thread only.
#pragma once

#include <optional>
#include <vector>

#include "base/clock.hpp"

namespace berth::simulation {

class Disturbances {
 public:
  explicit Disturbances(const Clock& clock) : clock_(clock) {}

  // Whether the runtime and the machine do everything correctly and at once; once false, it stays
  // so.
  void set_quiet(bool quiet) { quiet_ = quiet_ && quiet; }
  // From now on both do so.
  void faults_stop() { faults_stopped_ = clock_.steady_now(); }
  void trouble() { last_trouble_ = clock_.steady_now(); }
  void wall_clock_jumps() { jumps_.push_back(clock_.steady_now()); }
  // An exit from before a berthd subscribed is shown only after it has listed: no event reports it.
  void exit_unreported() { unreported_exit_ = true; }
  // Nothing is known but what the runtime and the manifests contain.
  void lose_state() { lost_at_ = clock_.steady_now(); }

  [[nodiscard]] bool quiet() const { return quiet_; }
  [[nodiscard]] bool never() const { return quiet_ && !last_trouble_; }
  // Whether berthd must have received an event of everything that happened.
  [[nodiscard]] bool every_event_arrives() const { return never() && !unreported_exit_; }
  // Whether no disturbance of calls or events has been active since then.
  [[nodiscard]] bool none_since(SteadyTime time) const;
  [[nodiscard]] bool wall_jumped() const { return !jumps_.empty(); }
  // Whether wall-clock times reported for that span of time are wrong.
  [[nodiscard]] bool wall_jumped_within(SteadyTime from, SteadyTime until) const;
  [[nodiscard]] bool wall_jumped_since(SteadyTime from) const {
    return wall_jumped_within(from, SteadyTime::max());
  }
  // When the state file was lost last.
  [[nodiscard]] const std::optional<SteadyTime>& lost_at() const { return lost_at_; }
  [[nodiscard]] bool lost_state() const { return lost_at_.has_value(); }

 private:
  const Clock& clock_;
  bool quiet_ = true;
  bool unreported_exit_ = false;
  std::vector<SteadyTime> jumps_{};  // of the wall clock
  std::optional<SteadyTime> last_trouble_{};
  std::optional<SteadyTime> lost_at_{};
  std::optional<SteadyTime> faults_stopped_{};
};

// Faults last less than this, including their after-effects.
inline constexpr std::chrono::seconds kTroubleLasts{150};

}  // namespace berth::simulation
