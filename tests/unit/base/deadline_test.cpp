// SPDX-License-Identifier: Apache-2.0

#include "base/deadline.hpp"

#include <boost/system/system_error.hpp>

#include "loop_fixture.hpp"

namespace berth {
namespace {

using boost::asio::awaitable;
using Log = std::vector<std::string>;

awaitable<Result<int>> answer_after(Clock& clock, Nanoseconds delay, Result<int> answer) {
  co_await clock.sleep_for(delay);
  co_return answer;
}

awaitable<Result<int>> answer_when_cancelled(Clock& clock) {
  try {
    co_await clock.sleep_for(24h);
  } catch (const boost::system::system_error&) {
  }
  co_return fail(ErrorCode::kCancelled, "asked to stop");
}

awaitable<void> race(Clock& clock, awaitable<Result<int>> operation, Log& log) {
  const SteadyTime deadline = clock.steady_now() + 10s;
  std::string what = "asking";
  auto raced = with_deadline(clock, deadline, std::move(what), std::move(operation));
  try {
    const auto result = co_await std::move(raced);
    log.push_back(result ? std::to_string(*result) : result.error().message);
  } catch (const boost::system::system_error&) {
    log.push_back("cancelled");
  }
}

struct DeadlineTest : LoopFixture {};

TEST_F(DeadlineTest, an_answer_in_time_is_the_result) {
  spawn_and_drain(race(clock, answer_after(clock, 9s, 42), log));
  clock.advance(9s);
  EXPECT_EQ(log, Log{"42"});
  EXPECT_EQ(clock.next_deadline(), std::nullopt) << "the deadline's sleeper was not cancelled";
}

TEST_F(DeadlineTest, no_answer_in_time_is_a_timeout_that_says_what) {
  spawn_and_drain(race(clock, answer_after(clock, 11s, 42), log));
  clock.advance(10s);
  EXPECT_EQ(log, Log{"asking: no answer in time"});
  EXPECT_EQ(clock.next_deadline(), std::nullopt) << "the operation was not cancelled";
}

TEST_F(DeadlineTest, a_failure_in_time_is_the_operations_own_not_a_timeout) {
  const Result<int> refused = fail(ErrorCode::kPermission, "refused");
  spawn_and_drain(race(clock, answer_after(clock, 1s, refused), log));
  clock.advance(1s);
  EXPECT_EQ(log, Log{"refused"});
}

TEST_F(DeadlineTest, an_operation_that_reports_its_cancellation_still_counts_as_late) {
  spawn_and_drain(race(clock, answer_when_cancelled(clock), log));
  clock.advance(10s);
  EXPECT_EQ(log, Log{"asking: no answer in time"});
}

TEST_F(DeadlineTest, a_deadline_that_has_passed_is_a_timeout) {
  clock.advance(1h);
  spawn_and_drain(race(clock, answer_after(clock, 10s, 1), log));
  clock.advance(10s);
  EXPECT_EQ(log, Log{"1"}) << "equal deadlines: the operation was first";
}

TEST_F(DeadlineTest, cancelling_the_caller_cancels_both) {
  spawn_and_drain(race(clock, answer_after(clock, 1h, 42), log));
  tasks.request_stop();
  drain();
  EXPECT_EQ(log, Log{"cancelled"});
  EXPECT_EQ(clock.next_deadline(), std::nullopt);
}

}  // namespace
}  // namespace berth
