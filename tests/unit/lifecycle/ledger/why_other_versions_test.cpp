// SPDX-License-Identifier: Apache-2.0

// How `why` handles records that another version wrote.
#include <gtest/gtest.h>

#include "lifecycle/ledger/fact.hpp"
#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/why.hpp"
#include "lifecycle/plan.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

using Lines = std::vector<std::string>;

Lines texts_of(const std::vector<LedgerRecord>& records) {
  Lines out;
  for (const WhyLine& line : why({.records = records, .now = at(9)}).happened)
    out.push_back(line.text);
  return out;
}

// In earlier versions, records of facts had only their text.
TEST(Why, a_fact_that_an_earlier_version_recorded_is_stated_with_what_it_has) {
  const api::Pod of = pod({container("app")});
  std::vector<LedgerRecord> records = {
      fact_record(of, at(1), "app", ContainerExited{137, "Error"}),
      fact_record(of, at(2), "app", StopSent{"Stopping container app", 30}),
      fact_record(of, at(3), "", StateEntered{"syncing", "ending", "the pod is to be removed"}),
      fact_record(of, at(4), "", PodRemoved{.cause = EndCause::kDeleted, .phase = "Failed"})};
  for (LedgerRecord& record : records) record.output.clear();
  EXPECT_EQ(
      texts_of(records),
      (Lines{"container app ended with exit code 137 (Error)",
             "berthd stops container app: Stopping container app (30 s to exit)",
             "syncing -> ending: the pod is to be removed",
             "the pod is removed: it was deleted through the control socket; it ended Failed"}));
}

TEST(Why, a_kind_that_this_version_does_not_know_is_explained_by_its_reasons) {
  const PlanInput input{.pod = pod({container("app")})};
  LedgerRecord record = decision_record(input, plan(input), at(0));
  record.kind = "dream";
  EXPECT_EQ(texts_of({record}).front(), "the pod has no sandbox yet");
}

}  // namespace
}  // namespace berth::lifecycle::test
