// SPDX-License-Identifier: Apache-2.0

#include "systemd/watchdog.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>

#include "base/real_clock.hpp"
#include "systemd/notify.hpp"
#include "tests/unit/systemd/notify_socket.hpp"

namespace berth::systemd {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime kStart{1h};

// Records what the watchdog does, for another thread; the test sets the clock, and each reading of
// it is a round.
class Seen {
 public:
  Watchdog::Ports ports() {
    return {.now = [this] { return now_.load(); },
            .feed = [this] { add("fed"); },
            .note = [this](const std::string& late) { add("note: " + late); },
            .say = [this](const Heartbeats::News& news) { add(news.text); }};
  }
  void set_now(SteadyTime now) { now_ = now; }
  bool wait_for(const std::string& part) {
    std::unique_lock lock(mutex_);
    return bell_.wait_for(lock, 10s, [&] { return seen_.find(part) != std::string::npos; });
  }
  std::string take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(seen_, {});
  }

 private:
  void add(const std::string& what) {
    const std::lock_guard lock(mutex_);
    seen_ += what + "\n";
    bell_.notify_all();
  }

  std::atomic<SteadyTime> now_{kStart};
  std::mutex mutex_{};
  std::condition_variable bell_{};
  std::string seen_{};
};

TEST(WatchdogTest, a_part_that_hangs_is_named_and_the_watchdog_not_fed_until_it_goes_on) {
  Seen seen;
  Watchdog watchdog(Heartbeats({{.name = "the loop", .limit = 30s}}, 60s, kStart), 20ms,
                    seen.ports());
  ASSERT_TRUE(seen.wait_for("fed"));
  seen.set_now(kStart + 31s);
  ASSERT_TRUE(
      seen.wait_for("note: the loop has made no progress for 31 s\n"
                    "watchdog: the loop has made no progress for 31 s, "))
      << "first for the berthd that comes after";
  seen.take();
  watchdog.beat("the loop", kStart + 31s);
  ASSERT_TRUE(seen.wait_for("fed\nnote: \nwatchdog: the loop makes progress again\n"));
}

// This happens when nobody reads what stderr is connected to.
TEST(WatchdogTest, a_journal_that_hangs_holds_up_neither_the_food_nor_the_note) {
  NotifySocket socket;
  Seen seen;
  std::promise<void> journal;
  auto ports = seen.ports();
  ports.feed = notify_alive;
  ports.say = [flows = journal.get_future().share(),
               said = ports.say](const Heartbeats::News& news) {
    if (!news.late) flows.wait();
    said(news);
  };
  seen.set_now(kStart + 31s);
  Watchdog watchdog(Heartbeats({{.name = "the loop", .limit = 30s}}, 60s, kStart), 20ms,
                    std::move(ports));
  EXPECT_TRUE(seen.wait_for("watchdog: the loop has made no progress"));
  seen.take();
  watchdog.beat("the loop", kStart + 31s);
  EXPECT_TRUE(seen.wait_for("note: \n"));
  EXPECT_EQ(socket.next(), "WATCHDOG=1");
  EXPECT_EQ(seen.take(), "note: \n") << "the journal hangs";
  journal.set_value();
  EXPECT_TRUE(seen.wait_for("the loop makes progress again"));
}

TEST(WatchdogTest, it_ends_at_once_however_long_its_interval_is) {
  Seen seen;
  const auto begin = RealClock{}.steady_now();
  { const Watchdog watchdog(Heartbeats({}, 1h, kStart), 1h, seen.ports()); }
  EXPECT_LT(RealClock{}.steady_now() - begin, 10s);
}

TEST(WatchdogTest, the_service_manager_is_fed_through_its_socket) {
  NotifySocket socket;
  Seen seen;
  auto ports = seen.ports();
  ports.feed = notify_alive;
  const Watchdog watchdog(Heartbeats({}, 60s, kStart), 20ms, std::move(ports));
  EXPECT_EQ(socket.next(), "WATCHDOG=1");
  EXPECT_EQ(socket.next(), "WATCHDOG=1");
}

}  // namespace
}  // namespace berth::systemd
