#include "base/real_clock.hpp"

#include <boost/system/system_error.hpp>

#include "loop_fixture.hpp"

namespace berth {
namespace {

using boost::asio::awaitable;
using Log = std::vector<std::string>;

awaitable<void> sleep_and_tell(Clock& clock, Nanoseconds duration, Log& log) {
  const SteadyTime deadline = clock.steady_now() + duration;
  try {
    co_await clock.sleep_until(deadline);
    log.push_back(clock.steady_now() >= deadline ? "slept" : "woke early");
  } catch (const boost::system::system_error&) {
    log.push_back("cancelled");
  }
}

struct RealClockTest : LoopFixture {
  RealClock real{};
};

TEST_F(RealClockTest, a_sleeper_does_not_wake_before_its_deadline) {
  spawn("sleeper", sleep_and_tell(real, 2ms, log));
  loop.run();
  EXPECT_EQ(log, Log{"slept"});
}

TEST_F(RealClockTest, a_deadline_that_has_passed_returns) {
  spawn("sleeper", sleep_and_tell(real, -1h, log));
  loop.run();
  EXPECT_EQ(log, Log{"slept"});
}

TEST_F(RealClockTest, a_sleeper_can_be_cancelled) {
  spawn_and_drain(sleep_and_tell(real, 24h, log));
  tasks.request_stop();
  loop.run();
  EXPECT_EQ(log, Log{"cancelled"});
}

TEST_F(RealClockTest, wall_time_is_of_this_century) {
  EXPECT_GT(real.wall_now(), WallTime{std::chrono::sys_days{std::chrono::year{2020} / 1 / 1}});
}

}  // namespace
}  // namespace berth
