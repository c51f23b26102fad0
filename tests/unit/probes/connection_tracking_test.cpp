// SPDX-License-Identifier: Apache-2.0

#include "probes/connection_tracking.hpp"

#include <chrono>

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/virtual_clock.hpp"
#include "probes/tracking_watch.hpp"
#include "shown_tracking.hpp"

namespace berth::probes {
namespace {

using namespace std::chrono_literals;

TrackingTable table(std::uint64_t entries, std::uint64_t limit = 262'144) {
  return {.entries = entries, .limit = limit, .kept_closed = 120s, .kept_reset = 10s};
}

TEST(ConnectionTrackingTest, resets_spare_targets_until_the_table_would_notice) {
  struct Case {
    const char* of;
    Closing before;
    TrackingTable table;
    double a_second;
    Closing now;
  };
  for (const auto& [of, before, table, a_second, now] : {
           Case{"110 pods, each asked thrice in 10 s", Closing::kPlain, table(60'000), 33,
                Closing::kPlain},
           Case{"the same, and others fill the table", Closing::kPlain, table(262'000), 33,
                Closing::kPlain},
           Case{"100 pods, six probes a second each", Closing::kPlain, table(60'000), 600,
                Closing::kReset},
           Case{"so many, and nothing is tracked", Closing::kPlain, table(0), 10'000,
                Closing::kPlain},
           Case{"nor known", Closing::kPlain, {}, 10'000, Closing::kPlain},
           Case{"so many, and it has only begun to fill", Closing::kPlain, table(30'000), 10'000,
                Closing::kPlain},
           Case{"and then", Closing::kPlain, table(33'000), 10'000, Closing::kReset},
           Case{"drained by resets: they go on", Closing::kReset, table(6'000), 600,
                Closing::kReset},
           Case{"half the rate is not yet less", Closing::kReset, table(3'000), 280,
                Closing::kReset},
           Case{"now it is", Closing::kReset, table(3'000), 270, Closing::kPlain},
           Case{"a small machine's table, and 33 a second", Closing::kPlain, table(2'000, 8'192),
                33, Closing::kReset},
       }) {
    EXPECT_EQ(closing(before, table, a_second), now) << of;
  }
}

TEST(ConnectionTrackingTest, a_connection_that_found_the_table_full_does_not_count) {
  const Attempt timed_out{.outcome = Outcome::kFailure,
                          .output = "dial tcp 10.0.0.5:80: i/o timeout",
                          .phase = Phase::kConnect,
                          .cause = Cause::kTimeout};
  EXPECT_EQ(without_full_table(timed_out, table(200'000)), timed_out);
  EXPECT_EQ(without_full_table(timed_out, {}), timed_out);
  const Attempt ours = without_full_table(timed_out, table(262'100));
  EXPECT_TRUE(ours.errored);
  EXPECT_EQ(ours.cause, Cause::kOurs);
  EXPECT_EQ(ours.output,
            "dial tcp 10.0.0.5:80: i/o timeout (not counted: the node's connection tracking table "
            "is full, 262100 of 262144 entries)");
  Attempt refused = timed_out;
  refused.cause = Cause::kRefused;
  EXPECT_EQ(without_full_table(refused, table(262'100)), refused) << "it was answered";
  Attempt slow = timed_out;
  slow.phase = Phase::kResponse;
  EXPECT_EQ(without_full_table(slow, table(262'100)), slow) << "it was connected";
}

TEST(ConnectionTrackingTest, status_says_when_probes_come_near_the_limit) {
  struct Case {
    Closing now;
    TrackingTable table;
    double a_second;
    bool warns;
    bool notes;
  };
  for (const auto& [now, table, a_second, warns, notes] : {
           Case{Closing::kPlain, table(60'000), 33, false, false},
           Case{Closing::kPlain, table(200'000), 33, true, false},
           Case{Closing::kPlain, table(200'000), 0, false, false},
           Case{Closing::kPlain, {}, 10'000, false, false},
           Case{Closing::kReset, table(100'000), 10'000, false, true},
           Case{Closing::kReset, table(150'000), 14'000, true, true},
       }) {
    const auto words = tracking_words(now, table, a_second);
    EXPECT_EQ(words.warning.has_value(), warns) << table.entries << " " << a_second;
    EXPECT_EQ(words.note.has_value(), notes) << table.entries << " " << a_second;
  }
  EXPECT_EQ(*tracking_words(Closing::kPlain, table(200'000), 33).warning,
            "connection tracking: 200000 of 262144 entries are taken, about 3960 of them by "
            "probes (33 connections a second); once it is full, new connections of the node "
            "and its pods are dropped (probes that time out because of that are not counted as "
            "failures): raise net.netfilter.nf_conntrack_max, or give probes longer periods");
  EXPECT_EQ(*tracking_words(Closing::kReset, table(100'000), 10'000).note,
            "10000 connections a second are closed by reset, so that connection tracking keeps "
            "100000 entries of them and not 1200000");
}

class TrackingWatchTest : public testing::Test {
 protected:
  void close_for(int seconds, int a_second) {
    for (int i = 0; i < seconds * a_second; ++i) {
      clock_.advance(Nanoseconds(1s) / a_second);
      last_ = watch_.close_one();
    }
  }

  ShownTracking shown_;
  boost::asio::io_context loop_{1};
  VirtualClock clock_{loop_, WallTime{1'000'000s}};
  TrackingWatch watch_{clock_, shown_.folder()};
  Closing last_ = Closing::kPlain;
};

TEST_F(TrackingWatchTest, it_begins_to_reset_as_the_table_fills_and_ends_when_probes_get_fewer) {
  shown_.show_table(70'000, 262'144);
  close_for(10, 30);
  EXPECT_EQ(last_, Closing::kPlain);
  EXPECT_NEAR(watch_.report().a_second, 30, 3);
  close_for(10, 1'000);
  EXPECT_EQ(last_, Closing::kReset);
  EXPECT_EQ(watch_.report().table, (TrackingTable{70'000, 262'144, 120s, 10s}));
  close_for(20, 30);
  EXPECT_EQ(last_, Closing::kPlain);
  clock_.advance(60s);
  EXPECT_LT(watch_.report().a_second, 20) << "nobody asks any more";
}

TEST_F(TrackingWatchTest, a_node_without_the_kernels_table_has_none) {
  shown_.remove();
  close_for(10, 1'000);
  EXPECT_EQ(last_, Closing::kPlain);
  EXPECT_EQ(watch_.report().table, TrackingTable{});
}

}  // namespace
}  // namespace berth::probes
