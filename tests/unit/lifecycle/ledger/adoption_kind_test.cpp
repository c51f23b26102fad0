// SPDX-License-Identifier: Apache-2.0

// Which order ends a pod that is not desired: the decision, its record, and its explanation.
#include <gtest/gtest.h>

#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/pods/beginning/adoption_decision.hpp"
#include "tests/ledger/kept_ledger.hpp"
#include "tests/unit/lifecycle/ledger/kind_checks.hpp"

namespace berth::lifecycle::test {
namespace {

struct Case {
  std::string what{};
  bool stored = false;
  std::optional<EndCause> ordered{};
  EndCause cause = EndCause::kUnknownPod;
  std::string said{};
};

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases{
      {.what = "only the runtime has it",
       .cause = EndCause::kUnknownPod,
       .said =
           "the runtime has it, and neither a manifest nor berthd's state has it as a pod to run"},
      {.what = "its manifest is gone",
       .stored = true,
       .cause = EndCause::kManifestRemoved,
       .said = "berthd's state has it, and no manifest defines it any more"},
      {.what = "it was evicted, and its manifest is gone",
       .stored = true,
       .ordered = EndCause::kEvicted,
       .cause = EndCause::kManifestRemoved,
       .said = "berthd's state has it, and no manifest defines it any more"},
      {.what = "it was being deleted, and its manifest is gone as well",
       .stored = true,
       .ordered = EndCause::kDeleted,
       .cause = EndCause::kManifestRemoved,
       .said = "berthd's state has it, and no manifest defines it any more"},
      {.what = "berthd was killed while it ended an unknown pod",
       .stored = true,
       .ordered = EndCause::kUnknownPod,
       .cause = EndCause::kUnknownPod,
       .said = "an earlier berthd was terminating it as a pod that no manifest defined"},
  };
  return kCases;
}

AdoptionQuestion question_of(const Case& one, const api::Pod& of) {
  return {.pod = of, .stored = one.stored, .ordered = one.ordered};
}

TEST(AdoptionDecision, follows_from_who_knows_the_pod) {
  const api::Pod of = pod({container("app")});
  for (const Case& one : cases())
    EXPECT_EQ(decide_adoption(question_of(one, of)), AdoptionDecision{one.cause}) << one.what;
}

TEST(AdoptionKind, is_decided_again_from_its_record_and_from_nothing_less) {
  const api::Pod of = pod({container("app")});
  for (const Case& one : cases()) {
    const auto question = question_of(one, of);
    const auto record = decision_record(question, decide_adoption(question), at(1));
    EXPECT_EQ(record.kind, "adoption");
    expect_decided_again(record);
  }
}

TEST(AdoptionKind, says_who_knows_the_pod) {
  const api::Pod of = pod({container("app")});
  for (const Case& one : cases()) {
    const auto question = question_of(one, of);
    EXPECT_EQ(sentences(of, {decision_record(question, decide_adoption(question), at(1))}),
              Lines{one.said})
        << one.what;
  }
}

TEST(AdoptionKind, is_written_unless_an_earlier_berthd_was_removing_the_pod) {
  const api::Pod of = pod({container("app")});
  std::vector<std::string> written;
  for (const Case& one : cases()) {
    ledger_test::KeptLedger ledger;
    const auto question = question_of(one, of);
    PodLedger(&ledger).decided(question, decide_adoption(question), at(1));
    if (!ledger.records.empty()) written.push_back(one.what);
  }
  EXPECT_EQ(written, (Lines{"only the runtime has it", "its manifest is gone",
                            "it was evicted, and its manifest is gone"}));
}

TEST(AdoptionKind, is_said_once_however_often_berthd_starts_before_the_pod_has_ended) {
  const api::Pod of = pod({container("app")});
  const Case& gone = cases().at(1);
  const auto question = question_of(gone, of);
  const auto decision = decide_adoption(question);
  EXPECT_EQ(sentences(of, {decision_record(question, decision, at(1)),
                           decision_record(question, decision, at(60))}),
            Lines{gone.said});
}

}  // namespace
}  // namespace berth::lifecycle::test
