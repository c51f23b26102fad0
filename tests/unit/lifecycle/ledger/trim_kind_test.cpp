// SPDX-License-Identifier: Apache-2.0

// The record of instances removed once a newer one has ended: the decision retaken, and its text.
#include <gtest/gtest.h>

#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/ledger/trim_question.hpp"
#include "tests/ledger/retaking_ledger.hpp"
#include "tests/unit/lifecycle/ledger/kind_checks.hpp"

namespace berth::lifecycle::test {
namespace {

// A question about ended instances of `app`, created at these seconds.
TrimQuestion ended(const api::Pod& of, const std::vector<int>& seconds) {
  TrimQuestion question{.pod = of, .container = "app"};
  for (const int second : seconds)
    question.instances.push_back(
        {.id = cri::ContainerId("app-" + std::to_string(second)), .created = at(second)});
  return question;
}

LedgerRecord record_of(const TrimQuestion& question) {
  return decision_record(question, decide_trim(question), at(60));
}

TEST(TrimKind, is_decided_again_from_its_record_and_from_nothing_less) {
  const api::Pod of = pod({container("app")});
  const LedgerRecord record = record_of(ended(of, {20, 40, 10}));
  EXPECT_EQ(record.kind, "trim");
  EXPECT_EQ(record.output, R"({"remove":["app-10","app-20"]})");
  expect_decided_again(record);
}

TEST(TrimKind, states_a_container_that_is_started_again_and_again_in_one_sentence) {
  const api::Pod of = pod({container("app")});
  const Lines lines =
      sentences(of, {record_of(ended(of, {10, 20})), record_of(ended(of, {20, 40}))});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines.front(),
            "what is left of an earlier instance of container app is removed: the runtime keeps "
            "the newest that has ended (2 times since 22:14:20)");
}

TEST(TrimKind, is_written_once_for_the_instances_that_go) {
  const api::Pod of = pod({container("app")});
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const auto decided = [&](const std::vector<int>& seconds) {
    const TrimQuestion question = ended(of, seconds);
    book.decided(question, decide_trim(question), at(60));
    return ledger.records().size();
  };
  EXPECT_EQ(decided({10}), 0U);
  EXPECT_EQ(decided({10, 20}), 1U);
  EXPECT_EQ(decided({10, 20}), 1U) << "its removal has failed";
  EXPECT_EQ(decided({20, 40}), 2U);
  EXPECT_TRUE(ledger.problems().empty());
}

}  // namespace
}  // namespace berth::lifecycle::test
