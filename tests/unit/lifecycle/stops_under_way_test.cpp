// The stops that a worker waits for.
#include "lifecycle/stops_under_way.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

TEST(StopsUnderWay, a_shortened_period_asks_again_for_those_that_would_be_killed_later) {
  StopsUnderWay stops;
  stops.begin("a", "main", SteadyTime{0s}, SteadyTime{30s});
  stops.begin("b", "side", SteadyTime{0s}, SteadyTime{5s});
  const auto again = stops.shorten(SteadyTime{10s});
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].id, "a");
  EXPECT_EQ(again[0].name, "main");
  EXPECT_EQ(stops.names(), (std::vector<std::string>{"main", "side"}));
  EXPECT_TRUE(stops.shorten(SteadyTime{10s}).empty()) << "not for the same period";
}

TEST(StopsUnderWay, a_stop_is_over_when_all_its_calls_have_been_answered) {
  StopsUnderWay stops;
  stops.begin("a", "main", SteadyTime{0s}, SteadyTime{30s});
  ASSERT_EQ(stops.shorten(SteadyTime{10s}).size(), 1U);
  EXPECT_EQ(stops.end({.id = "a", .kill_at = SteadyTime{10s}}), "main");
  EXPECT_TRUE(stops.contains("a"));
  EXPECT_EQ(stops.end({.id = "a", .kill_at = SteadyTime{30s}}), "main");
  EXPECT_TRUE(stops.empty());
  EXPECT_EQ(stops.end({.id = "a", .kill_at = SteadyTime{30s}}), std::nullopt);
}

TEST(StopsUnderWay, a_shortening_that_failed_can_be_asked_for_again) {
  StopsUnderWay stops;
  stops.begin("a", "main", SteadyTime{0s}, SteadyTime{30s});
  EXPECT_TRUE(stops.shorten("a", SteadyTime{10s}));
  EXPECT_FALSE(stops.shorten("a", SteadyTime{12s})) << "while the call is under way";
  EXPECT_FALSE(stops.partly_failed("a"));
  stops.end({.id = "a", .kill_at = SteadyTime{10s}, .error = Error{.message = "no"}});
  EXPECT_TRUE(stops.partly_failed("a"));
  EXPECT_TRUE(stops.shorten("a", SteadyTime{12s}));
  EXPECT_FALSE(stops.partly_failed("a")) << "it has been asked for again";
  EXPECT_FALSE(stops.shorten("b", SteadyTime{1s})) << "nobody stops it";
}

TEST(StopsUnderWay, when_one_was_last_told_is_known_beyond_its_calls) {
  StopsUnderWay stops;
  EXPECT_FALSE(stops.last_told("a"));
  stops.begin("a", "main", SteadyTime{1s}, SteadyTime{31s});
  stops.end({.id = "a", .kill_at = SteadyTime{31s}});
  stops.begin("a", "main", SteadyTime{2s}, SteadyTime{31s});
  EXPECT_EQ(stops.ids(), std::vector<std::string>{"a"});
  stops.end({.id = "a", .kill_at = SteadyTime{31s}});
  EXPECT_EQ(stops.last_told("a"), SteadyTime{2s});
  stops.forget("a");
  EXPECT_FALSE(stops.last_told("a"));
}

TEST(StopsUnderWay, reports_are_taken_once_in_their_order) {
  StopsUnderWay stops;
  stops.answered({.id = "a"});
  stops.answered({.id = "b", .error = Error{.message = "no"}});
  const auto reports = stops.take_reports();
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].id, "a");
  EXPECT_TRUE(reports[1].error);
  EXPECT_TRUE(stops.take_reports().empty());
}

}  // namespace
}  // namespace berth::lifecycle
