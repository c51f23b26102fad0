// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/runtime/relist_schedule.hpp"

#include <algorithm>
#include <utility>

namespace berth::lifecycle {

RelistRound RelistSchedule::begin(SteadyTime now) {
  const bool resubscribed = std::exchange(resubscribed_, false);
  return {.begun = now,
          .resubscribed = resubscribed,
          .differences_expected = resubscribed || once_more_.has_value()};
}

SteadyTime RelistSchedule::after_success(const RelistRound& round, SteadyTime now, bool connected) {
  retry_ = kFirstRetry;
  if (round.resubscribed)
    once_more_ = round.begun + kExitsShown;
  else if (once_more_ && round.begun >= *once_more_)
    once_more_.reset();
  if (once_more_) return *once_more_;
  return now + (connected ? periods_.with_stream : periods_.without_stream);
}

SteadyTime RelistSchedule::after_failure(const RelistRound& round, SteadyTime now) {
  const SteadyTime next = now + retry_;
  retry_ = std::min(retry_ * 2, kSlowestRetry);
  resubscribed_ = resubscribed_ || round.resubscribed;
  return next;
}

}  // namespace berth::lifecycle
