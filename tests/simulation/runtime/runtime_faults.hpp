// SPDX-License-Identifier: Apache-2.0

// How well or badly the fake world behaves: latencies, and chances (per mille) of faults.
//
// A default-constructed value is quiet: fixed small latencies, nothing fails, events arrive at once
// and what they report is shown at once. A simulation draws one per seed.
#pragma once

#include "base/clock_types.hpp"

namespace berth::simulation {

struct Span {
  Nanoseconds low{};
  Nanoseconds high{};
};

struct RuntimeFaults {
  // A call that fails before anything was done, one that fails although it was done, one whose
  // answer is lost, and one that takes longer than its caller waits.
  int refused = 0;
  int failed_before = 0;
  int failed_after = 0;
  int answer_lost = 0;
  int stalled = 0;

  int start_error = 0;  // StartContainer fails for good: EXITED, 128, StartError
  int pull_failed = 0;

  int event_lost = 0;
  int event_doubled = 0;
  int event_late = 0;

  // A list comes in any order, and a missing thing may be an error or success on stop and remove.
  bool shuffled_lists = false;
  bool missing_is_error = true;
  // StopContainer whose caller went away: sends KILL all the same (CRI-O), or not (containerd).
  bool stop_goes_on_alone = true;
};

// Nothing fails, and events arrive as they should.
[[nodiscard]] constexpr bool is_quiet(const RuntimeFaults& faults) {
  return faults.refused + faults.failed_before + faults.failed_after + faults.answer_lost +
             faults.stalled + faults.start_error + faults.pull_failed + faults.event_lost +
             faults.event_doubled + faults.event_late ==
         0;
}

struct RuntimeLatencies {
  Span transport{std::chrono::microseconds(100), std::chrono::microseconds(100)};
  Span query{std::chrono::milliseconds(1), std::chrono::milliseconds(1)};
  Span run_sandbox{std::chrono::milliseconds(80), std::chrono::milliseconds(80)};
  Span create{std::chrono::milliseconds(10), std::chrono::milliseconds(10)};
  Span start{std::chrono::milliseconds(20), std::chrono::milliseconds(20)};
  Span stop_sandbox{std::chrono::milliseconds(20), std::chrono::milliseconds(20)};
  Span remove{std::chrono::milliseconds(10), std::chrono::milliseconds(10)};
  Span pull{std::chrono::milliseconds(500), std::chrono::milliseconds(500)};
  Span slow_pull{std::chrono::seconds(8), std::chrono::seconds(8)};
  Span dying{std::chrono::milliseconds(1), std::chrono::milliseconds(1)};  // from signal to exit
  Span event{};
  Span late_event{std::chrono::seconds(1), std::chrono::seconds(20)};
  Span exit_shown{};  // from the exit to the status that shows it
  Nanoseconds request_timeout = std::chrono::minutes(2);  // runtimeRequestTimeout's default
};

}  // namespace berth::simulation
