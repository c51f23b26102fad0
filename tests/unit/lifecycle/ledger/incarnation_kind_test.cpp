// SPDX-License-Identifier: Apache-2.0

// Which incarnation of its manifest a pod is: the choice, its record, and its explanation.
#include <gtest/gtest.h>

#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/pods/beginning/incarnation_choice.hpp"
#include "tests/ledger/retaking_ledger.hpp"
#include "tests/unit/lifecycle/ledger/kind_checks.hpp"

namespace berth::lifecycle::test {
namespace {

struct Case {
  std::string what{};
  IncarnationCause cause = IncarnationCause::kFirstRead;
  std::uint32_t before = 0;
  std::vector<FoundIncarnation> found{};
  IncarnationChoice choice{};
  std::string said{};
};

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases{
      {.what = "what runs goes on",
       .found = {{.uid = "u1", .incarnation = 1}},
       .choice = {.incarnation = 1, .continues = "u1"},
       .said = "incarnation 1 had not ended when berthd started, so it continues"},
      {.what = "the newest counts, in whatever order they were found",
       .found = {{.uid = "u3", .incarnation = 3}, {.uid = "u2", .incarnation = 2, .over = true}},
       .choice = {.incarnation = 3, .continues = "u3"},
       .said = "incarnation 3 had not ended when berthd started, so it continues"},
      {.what = "what has ended is followed, also if an older one still ends",
       .found = {{.uid = "u1", .incarnation = 1}, {.uid = "u2", .incarnation = 2, .over = true}},
       .choice = {.incarnation = 3},
       .said = "incarnation 2 had ended when berthd started, so incarnation 3 begins"},
      {.what = "a kubelet's pod is adopted",
       .found = {{.uid = "k", .from_kubelet = true}},
       .choice = {.incarnation = 1, .continues = "k", .adopted = true},
       .said = "a kubelet had left it running, with the containers that the manifest states, "
               "so it continues under the kubelet's uid"},
      {.what = "one that was deleted is not",
       .found = {{.uid = "k", .over = true, .from_kubelet = true}},
       .choice = {.incarnation = 2},
       .said = "incarnation 1 had ended when berthd started, so incarnation 2 begins"},
      {.what = "a manifest that is back",
       .cause = IncarnationCause::kReturned,
       .before = 4,
       .choice = {.incarnation = 5},
       .said = "its manifest was removed and is back, so incarnation 5 begins"},
      {.what = "a pod that was deleted",
       .cause = IncarnationCause::kEnded,
       .before = 1,
       .choice = {.incarnation = 2},
       .said = "incarnation 1 has ended and its manifest remains, so incarnation 2 begins"},
  };
  return kCases;
}

IncarnationQuestion question_of(const Case& one, const api::Pod& of) {
  return {.pod = of, .cause = one.cause, .before = one.before, .found = one.found};
}

TEST(IncarnationChoice, follows_from_what_was_found_and_from_what_was_before) {
  const api::Pod of = pod({container("app")});
  for (const Case& one : cases())
    EXPECT_EQ(choose_incarnation(question_of(one, of)), one.choice) << one.what;
  EXPECT_EQ(choose_incarnation({}), IncarnationChoice{}) << "nothing was found";
}

TEST(IncarnationKind, is_decided_again_from_its_record_and_from_nothing_less) {
  const api::Pod of = pod({container("app")});
  for (const Case& one : cases()) {
    const auto question = question_of(one, of);
    const auto record = decision_record(question, choose_incarnation(question), at(1));
    EXPECT_EQ(record.kind, "incarnation");
    expect_decided_again(record);
  }
}

TEST(IncarnationKind, says_what_goes_on_or_begins_and_why) {
  const api::Pod of = pod({container("app")});
  for (const Case& one : cases()) {
    const auto question = question_of(one, of);
    EXPECT_EQ(sentences(of, {decision_record(question, choose_incarnation(question), at(1))}),
              Lines{one.said})
        << one.what;
  }
}

TEST(IncarnationKind, is_not_written_for_a_manifest_that_is_new_on_the_node) {
  const api::Pod of = pod({container("app")});
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const IncarnationQuestion fresh{.pod = of};
  book.decided(fresh, choose_incarnation(fresh), at(1));
  EXPECT_EQ(ledger.records().size(), 0U);
  const auto known = question_of(cases().front(), of);
  book.decided(known, choose_incarnation(known), at(1));
  EXPECT_EQ(ledger.records().size(), 1U);
  EXPECT_TRUE(ledger.problems().empty());
}

}  // namespace
}  // namespace berth::lifecycle::test
