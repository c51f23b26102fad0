// SPDX-License-Identifier: Apache-2.0

#include "tests/integration/processes/processor_wait.hpp"

#include <sched.h>

#include <gtest/gtest.h>

#include "base/real_clock.hpp"
#include "tests/integration/process.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;

WaitSample sample(Nanoseconds at, Nanoseconds waited) {
  return {.at = SteadyTime(at), .waited = waited};
}

TEST(ProcessorWait, is_the_most_of_any_span_also_of_one_between_the_samples) {
  EXPECT_EQ(most_waited({}, 1s), 0s);
  EXPECT_EQ(most_waited({sample(0s, 5s)}, 1s), 0s) << "what was waited before is not of a span";
  const std::vector<WaitSample> samples = {sample(0s, 0ms),     sample(1s, 10ms),
                                           sample(2s, 500ms),   sample(3s, 510ms),
                                           sample(10s, 4000ms), sample(11s, 4000ms)};
  EXPECT_EQ(most_waited(samples, 0s), 3490ms) << "between 3 s and 10 s";
  EXPECT_EQ(most_waited(samples, 1s), 3500ms) << "from before 3 s to 10 s";
  EXPECT_EQ(most_waited(samples, 3s), 4000ms) << "from before 1 s to 10 s";
  EXPECT_EQ(most_waited(samples, 1h), 4000ms);
}

// Two share one processor, and each waits while the other runs.
TEST(ProcessorWait, is_long_where_another_runs_and_short_where_none_does) {
  Background busy({"sh", "-c", "while :; do :; done"}, "", false);
  Background other({"sh", "-c", "while :; do :; done"}, "", false);
  Background idle({"sleep", "1000"}, "", false);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  for (const pid_t pid : {busy.pid(), other.pid()})
    ASSERT_EQ(::sched_setaffinity(pid, sizeof one, &one), 0);
  const ProcessorWait of_busy(busy.pid());
  const ProcessorWait of_idle(idle.pid());
  const auto deadline = RealClock{}.steady_now() + 30s;
  while (of_busy.most_within(1s) < 200ms && RealClock{}.steady_now() < deadline) ::sched_yield();
  EXPECT_GE(of_busy.most_within(1s), 200ms);
  EXPECT_LT(of_idle.most_within(1s), 200ms);
}

}  // namespace
}  // namespace berth::integration
