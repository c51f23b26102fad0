// SPDX-License-Identifier: Apache-2.0

// When everything the runtime has is listed, in addition to what its event stream reports.
//
// The period is long while the stream is open, otherwise short enough to notice an exit. After the
// stream opens, at once and again a second later: an exit from just before the opening, which no
// event reports, may show that late. While the runtime does not answer: after 100 ms, doubling to 5
// s. Pure: the time is passed in.
#pragma once

#include <chrono>
#include <optional>

#include "base/clock_types.hpp"

namespace berth::lifecycle {

struct RelistPeriods {
  Nanoseconds with_stream = std::chrono::seconds(30);
  Nanoseconds without_stream = std::chrono::seconds(1);
};

struct RelistRound {
  SteadyTime begun{};
  // The stream was opened since the last round that succeeded: the runtime may be another one.
  bool resubscribed = false;
  // The round may find differences that no event has reported.
  bool differences_expected = false;
};

class RelistSchedule {
 public:
  explicit RelistSchedule(const RelistPeriods& periods) : periods_(periods) {}

  void note_resubscribed() { resubscribed_ = true; }

  [[nodiscard]] RelistRound begin(SteadyTime now);
  // When the next round is due, after one that succeeded. `connected`: the stream is open.
  [[nodiscard]] SteadyTime after_success(const RelistRound& round, SteadyTime now, bool connected);
  // The same after a round that the runtime did not answer.
  [[nodiscard]] SteadyTime after_failure(const RelistRound& round, SteadyTime now);

 private:
  const RelistPeriods periods_;
  Nanoseconds retry_ = kFirstRetry;
  bool resubscribed_ = false;
  std::optional<SteadyTime> once_more_{};  // a second after the stream was opened

  static constexpr Nanoseconds kFirstRetry = std::chrono::milliseconds(100);
  static constexpr Nanoseconds kSlowestRetry = std::chrono::seconds(5);
  static constexpr Nanoseconds kExitsShown = std::chrono::seconds(1);
};

}  // namespace berth::lifecycle
