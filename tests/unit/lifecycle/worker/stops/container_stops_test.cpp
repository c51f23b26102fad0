// SPDX-License-Identifier: Apache-2.0

// The records of a pod's stops, after each step of a stop.
#include "lifecycle/worker/stops/container_stops.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;

// `seconds` after both clocks began, with the wall clock a day ahead.
Instant instant(double seconds) {
  const auto passed =
      std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(seconds));
  return {.steady = SteadyTime{passed}, .wall = WallTime{passed + 24h}};
}

ContainerKill kill_of(const char* id, const char* name, std::string message = {}) {
  return {.id = cri::ContainerId(id),
          .name = name,
          .reason = KillReason::kLivenessProbe,
          .message = std::move(message)};
}

class ContainerStopsTest : public ::testing::Test {
 protected:
  // StopContainer is called at second `now`, with that timeout.
  void call(const char* id, double now, double timeout) {
    stops.call(id, instant(now).steady, instant(now + timeout).steady);
  }
  StopReport answer(const char* id, double kill_at, std::optional<Error> error = {}) {
    return {.id = id, .kill_at = instant(kill_at).steady, .error = std::move(error)};
  }
  [[nodiscard]] std::optional<StopStage> stage(const char* id) const {
    const ContainerStop* stop = stops.find(id);
    if (stop == nullptr) return std::nullopt;
    return stop->stage();
  }

  ContainerStops stops{};
};

TEST_F(ContainerStopsTest, a_stop_goes_from_stage_to_stage_until_nothing_is_left_of_it) {
  EXPECT_EQ(stage("a"), std::nullopt);
  stops.ask(kill_of("a", "main"));
  EXPECT_EQ(stage("a"), StopStage::kAsked);
  EXPECT_EQ(stops.begin("a", "main", 30, instant(0)).ends_at(), instant(30).steady);
  EXPECT_EQ(stage("a"), StopStage::kWaiting);
  stops.pre_stop_begun("a");
  EXPECT_EQ(stage("a"), StopStage::kPreStop);
  stops.pre_stop_done("a", instant(5).steady);
  EXPECT_EQ(stage("a"), StopStage::kWaiting);
  call("a", 5, 25);
  EXPECT_EQ(stage("a"), StopStage::kSignalled);
  stops.ended("a");
  EXPECT_EQ(stage("a"), StopStage::kSignalled) << "its call has not been answered";
  EXPECT_EQ(stops.call_over(answer("a", 30)), "main");
  EXPECT_EQ(stage("a"), StopStage::kAsked);
  stops.single_over("a");
  EXPECT_EQ(stage("a"), std::nullopt);
}

TEST_F(ContainerStopsTest, a_period_that_has_begun_is_not_begun_again) {
  stops.begin("a", "main", 30, instant(0));
  const StopPeriod again = stops.begin("a", "main", 60, instant(10));
  EXPECT_EQ(again.begun_at, instant(0).steady);
  EXPECT_EQ(again.seconds, 30);
}

TEST_F(ContainerStopsTest, what_the_store_has_gives_the_same_period_after_a_restart) {
  stops.begin("a", "main", 30, instant(0));
  EXPECT_EQ(stops.reach({"a", "unknown"}), Names{"a"});
  EXPECT_EQ(stops.reach({"a"}), Names{}) << "it has been reached already";
  const auto stored = stops.stored();
  ASSERT_TRUE(stored.contains("a"));
  EXPECT_EQ(stored.at("a").begun_at, instant(0).wall);
  EXPECT_EQ(stored.at("a").kill_at, instant(30).wall);
  EXPECT_TRUE(stored.at("a").pre_stop);

  ContainerStops next;
  // Another steady clock, which shows 100 s at second 12 of the first.
  next.recall(stored, stored, {.steady = SteadyTime{100s}, .wall = instant(12).wall});
  EXPECT_EQ(next.find("a")->in_force->period.ends_at(), SteadyTime{118s});
  EXPECT_EQ(next.stored(), stored);
  stops.unreach({"a"});
  EXPECT_FALSE(stops.stored().at("a").pre_stop);
}

TEST_F(ContainerStopsTest, what_an_earlier_berthd_stopped_stays_stored_until_the_container_ends) {
  static_cast<void>(stops.begin("a", "main", 30, instant(0)));
  static_cast<void>(stops.reach({"a"}));
  const auto stored = stops.stored();
  ContainerStops next;
  next.recall(stored, {}, instant(12));
  EXPECT_EQ(next.find("a"), nullptr) << "it begins again when it is asked for";
  EXPECT_EQ(next.unasked(), Names{"a"});
  EXPECT_EQ(next.stored(), stored);
  next.ask(kill_of("a", "main"));
  EXPECT_EQ(next.unasked(), Names{});
  static_cast<void>(next.begin("a", "main", 30, instant(14)));
  EXPECT_EQ(next.stored().at("a").kill_at, instant(44).wall) << "the whole grace period";
  next.ended("a");
  next.single_over("a");
  EXPECT_TRUE(next.stored().empty());
  EXPECT_TRUE(next.ids().empty());
}

TEST_F(ContainerStopsTest, an_order_lengthens_only_what_nothing_has_reached) {
  struct Case {
    const char* what;
    bool overtakes;
    bool reached;
    std::int64_t seconds;
    double ends_at;
  };
  // The stop began at second 0 with 10 s; the order comes at second 4.
  const std::vector<Case> cases = {
      {"overtaken: longer", true, false, 60, 64},
      {"overtaken: shorter", true, false, 3, 7},
      {"reached: not longer", true, true, 60, 10},
      {"reached: shorter", true, true, 3, 7},
      {"the pod ended already: not longer", false, false, 60, 10},
      {"the pod ended already: shorter", false, false, 3, 7},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    ContainerStops one_stop;
    one_stop.begin("a", "main", 10, instant(0));
    if (one.reached) static_cast<void>(one_stop.reach({"a"}));
    one_stop.order(
        {.ordered_at = instant(4).steady, .seconds = one.seconds, .overtakes = one.overtakes},
        instant(4));
    EXPECT_EQ(one_stop.find("a")->in_force->period.ends_at(), instant(one.ends_at).steady);
    EXPECT_EQ(one_stop.stored().at("a").kill_at, instant(one.ends_at).wall);
    EXPECT_EQ(one_stop.stored().at("a").pre_stop, one.reached);
  }
}

TEST_F(ContainerStopsTest, what_was_asked_first_of_a_single_container_stands) {
  stops.ask(kill_of("a", "main", "its probe failed"));
  stops.ask(kill_of("a", "main", "its image changed"));
  stops.ask(kill_of("b", "side"));
  EXPECT_EQ(stops.singles(), (Names{"a", "b"}));
  EXPECT_EQ(stops.find("a")->single->message, "its probe failed");
  stops.begin("b", "side", 30, instant(0));
  stops.singles_over();
  EXPECT_EQ(stops.singles(), Names{});
  EXPECT_EQ(stops.find("a"), nullptr);
  EXPECT_NE(stops.find("b"), nullptr) << "its period goes on";
}

TEST_F(ContainerStopsTest, killing_is_reported_once_for_a_stop) {
  stops.begin("a", "main", 30, instant(0));
  EXPECT_TRUE(stops.report_killing("a"));
  EXPECT_FALSE(stops.report_killing("a"));
  stops.begin_again("a");
  stops.begin("a", "main", 30, instant(1));
  EXPECT_FALSE(stops.report_killing("a")) << "a stop that begins again is the same";
  stops.ended("a");
  EXPECT_EQ(stops.find("a"), nullptr);
}

TEST_F(ContainerStopsTest, a_hook_that_was_not_begun_comes_too_late_once_the_signal_is_sent) {
  stops.begin("a", "main", 30, instant(0));
  call("a", 2, 28);
  EXPECT_EQ(stops.find("a")->pre_stop, (PreStop{.done_at = instant(2).steady}));
  stops.begin("b", "side", 30, instant(0));
  stops.pre_stop_begun("b");
  call("b", 2, 28);
  EXPECT_EQ(stops.find("b")->pre_stop, PreStop{}) << "it still runs";
  stops.pre_stop_done("b", instant(3).steady);
  stops.pre_stop_done("b", instant(4).steady);
  EXPECT_EQ(stops.find("b")->pre_stop, (PreStop{.done_at = instant(3).steady}));
}

TEST_F(ContainerStopsTest, a_shortened_period_adds_a_call_to_those_that_would_be_killed_later) {
  stops.begin("a", "main", 30, instant(0));
  stops.begin("b", "side", 5, instant(0));
  call("a", 0, 30);
  call("b", 0, 5);
  EXPECT_EQ(stops.ids_under_way(), (Names{"a", "b"}));
  EXPECT_EQ(stops.names_under_way(), (Names{"main", "side"}));
  EXPECT_TRUE(stops.shorten("a", instant(10).steady));
  EXPECT_FALSE(stops.shorten("b", instant(10).steady)) << "it is killed sooner";
  EXPECT_FALSE(stops.shorten("a", instant(10).steady)) << "not for the same period";
  EXPECT_FALSE(stops.shorten("c", instant(1).steady)) << "nobody stops it";
}

TEST_F(ContainerStopsTest, a_stop_is_over_when_all_its_calls_have_been_answered) {
  stops.begin("a", "main", 30, instant(0));
  call("a", 0, 30);
  ASSERT_TRUE(stops.shorten("a", instant(10).steady));
  EXPECT_EQ(stops.call_over(answer("a", 10)), "main");
  EXPECT_TRUE(stops.under_way("a"));
  EXPECT_EQ(stops.call_over(answer("a", 30)), "main");
  EXPECT_FALSE(stops.any_under_way());
  EXPECT_EQ(stops.call_over(answer("a", 30)), std::nullopt);
}

TEST_F(ContainerStopsTest, a_shortening_that_failed_can_be_asked_for_again) {
  stops.begin("a", "main", 30, instant(0));
  call("a", 0, 30);
  ASSERT_TRUE(stops.shorten("a", instant(10).steady));
  EXPECT_FALSE(stops.find("a")->calls.one_failed);
  stops.call_over(answer("a", 10, Error{.message = "no"}));
  EXPECT_TRUE(stops.find("a")->calls.one_failed);
  EXPECT_TRUE(stops.shorten("a", instant(12).steady));
  EXPECT_FALSE(stops.find("a")->calls.one_failed) << "it has been asked for again";
}

TEST_F(ContainerStopsTest, when_a_call_was_last_made_is_known_beyond_its_answer) {
  stops.begin("a", "main", 30, instant(0));
  call("a", 1, 30);
  stops.call_over(answer("a", 31, Error{.message = "no"}));
  EXPECT_EQ(stops.find("a")->calls.last_sent, instant(1).steady);
  EXPECT_FALSE(stops.find("a")->calls.one_failed) << "none goes on";
  stops.begin_again("a");
  EXPECT_EQ(stops.find("a"), nullptr);
}

TEST_F(ContainerStopsTest, answers_are_taken_in_once_in_their_order) {
  stops.answered(answer("a", 1));
  stops.answered(answer("b", 2, Error{.message = "no"}));
  const auto reports = stops.reports();
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].id, "a");
  EXPECT_TRUE(reports[1].error);
  EXPECT_TRUE(stops.reports().empty());
}

TEST(ContainerStop, an_end_before_the_stop_is_distinguished_from_one_by_it) {
  const StopPeriod period{.begun_at = instant(10.5).steady, .seconds = 30};
  const StopInForce stop{.period = period, .stored = stored_as(period, false, instant(10.5))};
  const auto ended = [&](double at, const Instant& now) {
    cri::ContainerStatus status;
    status.finished_at = cri::unix_nanoseconds(instant(at).wall);
    return ended_before(status, stop, now);
  };
  EXPECT_TRUE(ended(10.2, instant(12)));
  EXPECT_FALSE(ended(10.7, instant(12)));
  EXPECT_FALSE(ended(10, instant(12))) << "only the second is known";
  Instant set_back = instant(12);
  set_back.wall -= 5s;
  EXPECT_FALSE(ended(7.5, set_back)) << "it ended by a clock that was set back by 5 s";
  EXPECT_TRUE(ended(5.2, set_back));
  EXPECT_FALSE(ended_before({}, stop, instant(12))) << "it has not ended";
}

}  // namespace
}  // namespace berth::lifecycle
