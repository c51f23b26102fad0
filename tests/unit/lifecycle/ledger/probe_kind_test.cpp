// SPDX-License-Identifier: Apache-2.0

// The record of how an answer changes a probe's result: the decision retaken, its text, and that
// the recorded answer holds no container output.
#include <gtest/gtest.h>

#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/worker/probes/probe_question.hpp"
#include "tests/ledger/retaking_ledger.hpp"
#include "tests/unit/lifecycle/ledger/kind_checks.hpp"

namespace berth::lifecycle::test {
namespace {

using probes::ProbeResult;
using probes::ProbeType;

constexpr const char* kOutput = "password=of-the-container";

probes::Attempt refused() {
  return {.outcome = probes::Outcome::kFailure,
          .output = kOutput,
          .body = kOutput,
          .phase = probes::Phase::kConnect,
          .cause = probes::Cause::kRefused,
          .took = std::chrono::milliseconds(1)};
}

// The third failure after two, with a threshold of three.
ProbeQuestion third_failure(const api::Pod& of, ProbeType type) {
  return {.pod = of,
          .container = "app",
          .rules = {.type = type, .failure_threshold = 3},
          .state = {.container = cri::ContainerId("app-id"),
                    .held = ProbeResult::kSuccess,
                    .last = ProbeResult::kFailure,
                    .run = 2},
          .answer = refused(),
          .runs = "failed 3 of 3, connect refused after 1 ms"};
}

probes::Judgement judged(const ProbeQuestion& question) {
  return probes::judge(question.rules, question.state, question.answer, question.weight);
}

LedgerRecord record_of(const ProbeQuestion& question, double second = 1) {
  return decision_record(question, judged(question), at(second));
}

TEST(ProbeKind, is_decided_again_from_its_record_and_from_nothing_less) {
  const api::Pod of = pod({container("app")});
  for (const ProbeType type : {ProbeType::kStartup, ProbeType::kReadiness, ProbeType::kLiveness}) {
    const LedgerRecord record = record_of(third_failure(of, type));
    EXPECT_EQ(record.kind, "probe");
    expect_decided_again(record);
  }
}

TEST(ProbeKind, another_threshold_would_have_decided_otherwise) {
  const api::Pod of = pod({container("app")});
  LedgerRecord record = record_of(third_failure(of, ProbeType::kLiveness));
  const auto changed = record_of([&] {
    ProbeQuestion question = third_failure(of, ProbeType::kLiveness);
    question.rules.failure_threshold = 4;
    return question;
  }());
  record.input = changed.input;
  EXPECT_FALSE(retake_decision(record)) << "its output is that of the threshold 3";
}

// Its words may have the first line, as the event has.
TEST(ProbeKind, the_answer_is_recorded_without_what_the_container_put_out) {
  const api::Pod of = pod({container("app")});
  const LedgerRecord record = record_of(third_failure(of, ProbeType::kReadiness));
  EXPECT_EQ((record.input + record.output).find(kOutput), std::string::npos);
  EXPECT_EQ(record.reasons.front().text.find(kOutput), std::string::npos);
}

TEST(ProbeKind, states_each_result_with_the_runs_behind_it) {
  const api::Pod of = pod({container("app")});
  ProbeQuestion passed = third_failure(of, ProbeType::kReadiness);
  passed.state = {.container = cri::ContainerId("app-id"), .held = ProbeResult::kFailure};
  passed.answer = {.outcome = probes::Outcome::kSuccess};
  passed.runs = "passed 1 of 1, answered in 2 ms";
  EXPECT_EQ(
      sentences(of, {record_of(third_failure(of, ProbeType::kReadiness)), record_of(passed, 9)}),
      (Lines{"container app: its readiness probe failed 3 of 3, connect refused after 1 ms",
             "container app: its readiness probe passed 1 of 1, answered in 2 ms"}));
}

TEST(ProbeKind, an_answer_that_changes_no_result_is_not_written) {
  const api::Pod of = pod({container("app")});
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  ProbeQuestion question = third_failure(of, ProbeType::kLiveness);
  question.state.run = 1;
  book.decided(question, judged(question), at(1));
  EXPECT_TRUE(ledger.records().empty());
  question.state.run = 2;
  book.decided(question, judged(question), at(2));
  EXPECT_EQ(ledger.records().size(), 1U);
  EXPECT_TRUE(ledger.problems().empty());
}

}  // namespace
}  // namespace berth::lifecycle::test
