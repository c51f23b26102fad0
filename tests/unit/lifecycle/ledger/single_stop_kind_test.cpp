// SPDX-License-Identifier: Apache-2.0

// The record of a container's stop while its pod goes on: the decision retaken, and its text.
#include <gtest/gtest.h>

#include "lifecycle/ledger/fact.hpp"
#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/why.hpp"
#include "lifecycle/single_stop.hpp"
#include "tests/ledger/expect_removals_refused.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

using Lines = std::vector<std::string>;

constexpr const char* kMessage = "Container app failed liveness probe, will be restarted";

// The stop began at 22:13:20 with a grace period of 30 s.
struct SingleStop {
  explicit SingleStop(std::optional<double> hook_done_at) : hook(hook_done_at) {}

  [[nodiscard]] LedgerRecord at_second(double second) const {
    const SteadyTime begun{std::chrono::hours(1)};
    const auto after = [&](double seconds) { return begun + (at(seconds) - at(0)); };
    SingleStopQuestion question{.pod = spec,
                                .kill = {.id = cri::ContainerId("app-id"),
                                         .name = "app",
                                         .reason = KillReason::kLivenessProbe,
                                         .message = kMessage},
                                .stop = {.name = "app", .grace_seconds = 30, .begun_at = begun},
                                .now = after(second)};
    if (hook) question.stop.hook_done_at = after(*hook);
    return decision_record(question, decide_single_stop(question), at(second));
  }
  [[nodiscard]] Lines sentences(const std::vector<LedgerRecord>& records) const {
    Lines lines;
    for (const WhyLine& line : why({.records = records, .pod = &spec, .now = at(60)}).happened)
      lines.push_back(line.text);
    return lines;
  }

  api::Pod spec = pod({container("app")});
  std::optional<double> hook{};
};

TEST(SingleStopKind, is_decided_again_from_its_record_and_from_nothing_less) {
  for (const std::optional<double> hook : {std::optional<double>{}, std::optional<double>{5}})
    for (const double second : {5.0, 40.0}) {
      const LedgerRecord record = SingleStop(hook).at_second(second);
      EXPECT_EQ(record.kind, "singleStop");
      const auto retaken = retake_decision(record);
      ASSERT_TRUE(retaken.has_value()) << retaken.error().message;
      EXPECT_TRUE(*retaken);
      ledger_test::expect_removals_refused(record);
    }
}

TEST(SingleStopKind, states_the_call_with_its_period_and_why_and_the_fact_beside_it_nothing_more) {
  const SingleStop stop(5);
  const LedgerRecord sent =
      fact_record(stop.spec, at(5.1), "app", StopSent{.message = kMessage, .grace_seconds = 25});
  EXPECT_EQ(stop.sentences({stop.at_second(5), sent}),
            (Lines{"berthd stops container app, with 25 s to exit: Container app failed "
                   "liveness probe, will be restarted"}));
}

TEST(SingleStopKind, says_until_when_a_hook_runs_and_that_it_is_given_up) {
  const SingleStop stop({});
  EXPECT_EQ(stop.sentences({stop.at_second(0), stop.at_second(30)}),
            (Lines{"the preStop hook of container app runs, until 22:13:50 at the latest",
                   "berthd stops container app, with 2 s to exit, because its preStop hook "
                   "used up the grace period"}));
}

}  // namespace
}  // namespace berth::lifecycle::test
