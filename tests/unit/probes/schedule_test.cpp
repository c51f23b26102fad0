// SPDX-License-Identifier: Apache-2.0

#include "probes/schedule.hpp"

#include <array>

#include <gtest/gtest.h>

#include "probes/short_period.hpp"

namespace berth::probes {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime at(Nanoseconds since) {
  return SteadyTime{since};
}

TEST(ScheduleTest, runs_keep_to_the_grid_and_missed_ones_collapse_into_one) {
  struct Case {
    Nanoseconds due, ended, next;
  };
  for (const auto& [due, ended, next] : {
           Case{100s, 100s, 110s},
           Case{100s, 109s, 110s},
           Case{100s, 110s, 110s},
           Case{100s, 112s, 110s},
           Case{100s, 147s, 140s},
       }) {
    EXPECT_EQ(next_run(at(due), at(ended), 10s), at(next)) << ended.count();
  }
}

TEST(ScheduleTest, probes_of_whole_seconds_run_in_step_and_are_put_off_once_at_most) {
  struct Case {
    Nanoseconds due, period, in_step;
  };
  for (const auto& [due, period, expected] : {
           Case{100s, 1s, 100s},
           Case{100s + 1ns, 1s, 100s + 62'500us},
           Case{100s + 62'500us, 10s, 100s + 62'500us},
           Case{100s + 937'501us, 10s, 101s},
           Case{100s + 1ns, 500ms, 100s + 1ns},
           Case{100s + 1ns, 1'500ms, 100s + 1ns},
           Case{100s + 1ns, 0s, 100s + 1ns},
       }) {
    EXPECT_EQ(in_step(at(due), period, 80), at(expected)) << due.count();
    EXPECT_EQ(in_step(at(expected), period, 80), at(expected)) << due.count();
  }
}

TEST(ScheduleTest, the_more_probes_the_finer_their_grid_and_it_keeps_the_points_of_the_coarser) {
  Nanoseconds before = 1s;
  for (const std::size_t probes : {1U, 300U, 600U, 1'200U, 2'500U, 5'000U, 10'000U, 1'000'000U}) {
    const Nanoseconds step = in_step(at(1ns), 1s, probes).time_since_epoch();
    EXPECT_LE(step, before) << probes;
    EXPECT_EQ(before % step, 0ns) << probes;
    if (probes <= 10'000) {
      EXPECT_LE(probes * step / 1s, 20) << "too many at a point";
    }
    EXPECT_EQ(in_step(at(before), 1s, probes), at(before)) << probes;
    before = step;
  }
  EXPECT_LE(before, 2ms);
}

TEST(ScheduleTest, a_container_that_starts_is_asked_at_once_and_one_that_was_found_in_its_phase) {
  EXPECT_EQ(first_run({.now = at(100s), .phase = 3s}), at(100s));
  EXPECT_EQ(first_run({.now = at(100s), .delay_left = 5s, .phase = 3s}), at(105s));
  EXPECT_EQ(first_run({.now = at(100s), .found_at_start = true, .phase = 3s}), at(103s));
  EXPECT_EQ(first_run({.now = at(100s), .delay_left = 5s, .found_at_start = true, .phase = 3s}),
            at(105s));
}

TEST(ScheduleTest, failures_count_from_one_full_period_after_the_start_or_the_initial_delay) {
  struct Case {
    ProbeType type;
    int delay;
    std::optional<SteadyTime> startup_passed_at;
    Nanoseconds from;
  };
  for (const auto& [type, delay, passed, from] : {
           Case{ProbeType::kReadiness, 0, std::nullopt, 100s},
           Case{ProbeType::kReadiness, 7, std::nullopt, 107s},
           Case{ProbeType::kStartup, 0, std::nullopt, 110s},
           Case{ProbeType::kStartup, 7, std::nullopt, 117s},
           Case{ProbeType::kLiveness, 0, std::nullopt, 110s},
           Case{ProbeType::kLiveness, 10, std::nullopt, 120s},
           Case{ProbeType::kLiveness, 0, at(150s), 160s},
           Case{ProbeType::kLiveness, 60, at(150s), 170s},
       }) {
    const ProbeRules rules{.type = type, .initial_delay_seconds = delay};
    EXPECT_EQ(failures_count_from(rules, 10s, at(100s), passed), at(from))
        << to_string(type) << " " << delay;
  }
  EXPECT_EQ(weight_of(at(109'999ms), at(110s)), Weight::kMayHelp);
  EXPECT_EQ(weight_of(at(110s), at(110s)), Weight::kFull);
}

TEST(ScheduleTest, liveness_is_first_asked_when_its_failures_count) {
  for (const ProbeType type : {ProbeType::kReadiness, ProbeType::kStartup}) {
    EXPECT_EQ(first_run({.type = type, .now = at(100s), .failures_count_from = at(110s)}),
              at(100s));
  }
  FirstRun from{.type = ProbeType::kLiveness, .now = at(100s), .failures_count_from = at(110s)};
  EXPECT_EQ(first_run(from), at(110s));
  from.phase = 3s;
  from.found_at_start = true;
  EXPECT_EQ(first_run(from), at(110s)) << "it had only begun when berthd did";
  from.failures_count_from = at(50s);
  EXPECT_EQ(first_run(from), at(103s));
}

TEST(ScheduleTest, phases_spread_over_the_period) {
  std::array<int, 10> tenths{};
  for (int pod = 0; pod < 1'000; ++pod) {
    const auto phase =
        phase_in_period("uid-" + std::to_string(pod), "web", ProbeType::kLiveness, 10s);
    ASSERT_GE(phase, 0s);
    ASSERT_LT(phase, 10s);
    ++tenths.at(static_cast<std::size_t>(phase / 1s));
  }
  for (const int count : tenths) {
    EXPECT_GT(count, 60);
    EXPECT_LT(count, 150);
  }
  EXPECT_NE(phase_in_period("uid", "web", ProbeType::kLiveness, 10s),
            phase_in_period("uid", "web", ProbeType::kReadiness, 10s));
}

api::Pod annotated(std::string value) {
  api::Pod pod;
  pod.metadata.annotations[std::string(kShortPeriodAnnotation)] = std::move(value);
  pod.spec.containers = {
      {.name = "web",
       .livenessProbe = api::Probe{.exec = api::ExecAction{{"true"}}},
       .readinessProbe = api::Probe{.tcpSocket = api::TCPSocketAction{.port = 80}}}};
  return pod;
}

TEST(ShortPeriodTest, names_a_probe_and_its_milliseconds) {
  const auto periods = short_periods(annotated(" web/readiness=250 ,")).periods;
  ASSERT_EQ(periods.size(), 1U);
  EXPECT_EQ(periods.at({"web", ProbeType::kReadiness}), 250ms);
  EXPECT_TRUE(short_periods(api::Pod{}).periods.empty());
}

TEST(ShortPeriodTest, what_cannot_be_is_reported_and_does_not_count) {
  for (const std::string value :
       {"web/readiness", "web/readiness=", "web/readiness=99", "web/readiness=1000",
        "web/readiness=1s", "web/startup=250", "other/readiness=250", "web/liveness=250"}) {
    const auto read = short_periods(annotated(value));
    EXPECT_TRUE(read.periods.empty()) << value;
    ASSERT_EQ(read.problems.size(), 1U) << value;
    EXPECT_NE(read.problems.front().find(value), std::string::npos);
  }
}

}  // namespace
}  // namespace berth::probes
