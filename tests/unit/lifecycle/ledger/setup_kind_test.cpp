// SPDX-License-Identifier: Apache-2.0

// The record of what a pod waits for on the machine: the decision retaken, its text, and that it is
// written when it is new.
#include <gtest/gtest.h>

#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/worker/setup_decision.hpp"
#include "tests/ledger/retaking_ledger.hpp"
#include "tests/unit/lifecycle/ledger/kind_checks.hpp"

namespace berth::lifecycle::test {
namespace {

constexpr const char* kMissing =
    "MountVolume.SetUp failed for volume \"config\" : configmap \"default/web\" not found";

struct MachineSetup {
  [[nodiscard]] SetupQuestion question(SetupPart part, std::vector<std::string> failures,
                                       bool written_again = false) const {
    return {
        .pod = spec, .part = part, .failures = std::move(failures), .written_again = written_again};
  }
  [[nodiscard]] static LedgerRecord record(const SetupQuestion& question, double second = 1) {
    return decision_record(question, decide_setup(question), at(second));
  }
  [[nodiscard]] Lines sentences_of(const SetupQuestion& question) const {
    return sentences(spec, {record(question)});
  }

  api::Pod spec = pod({container("app")});
};

TEST(SetupKind, is_decided_again_from_its_record_and_from_nothing_less) {
  const MachineSetup setup;
  for (const bool written_again : {false, true})
    for (const auto& failures : {Lines{}, Lines{kMissing, "another"}}) {
      const auto record =
          MachineSetup::record(setup.question(SetupPart::kVolumes, failures, written_again));
      EXPECT_EQ(record.kind, "setup");
      expect_decided_again(record);
    }
}

TEST(SetupKind, its_reasons_are_the_events_of_what_failed) {
  const MachineSetup setup;
  const auto events = [&setup](SetupPart part) {
    std::string rules;
    for (const Reason& reason : MachineSetup::record(setup.question(part, {"one", "two"})).reasons)
      rules += reason.rule + ":" + reason.text + " ";
    return rules;
  };
  EXPECT_EQ(events(SetupPart::kVolumes), "FailedMount:one FailedMount:two ");
  EXPECT_EQ(events(SetupPart::kControlGroup),
            "FailedCreatePodContainer:one FailedCreatePodContainer:two ");
  EXPECT_EQ(events(SetupPart::kDirectories), "Failed:one Failed:two ");
}

TEST(SetupKind, records_what_is_left_of_the_pod_by_name_alone) {
  MachineSetup setup;
  setup.spec.spec.containers[0].env = {{.name = "KEY", .value = "of-this-pod-alone"}};
  const auto record = MachineSetup::record(setup.question(SetupPart::kVolumes, {kMissing}));
  EXPECT_EQ(record.input.find("of-this-pod-alone"), std::string::npos);
}

TEST(SetupKind, says_what_the_pod_waits_for_and_that_it_waits_no_more) {
  const MachineSetup setup;
  const auto missing = setup.question(SetupPart::kVolumes, {kMissing});
  const auto there = setup.question(SetupPart::kVolumes, {});
  EXPECT_EQ(sentences(setup.spec, {MachineSetup::record(missing), MachineSetup::record(there, 9)}),
            (Lines{std::string("the pod waits, because its volumes cannot be set up: ") + kMissing,
                   "the pod no longer waits: its volumes are set up"}));
  EXPECT_EQ(setup.sentences_of(setup.question(SetupPart::kControlGroup, {"no room"})),
            Lines{"the pod waits, because its control group cannot be made: no room"});
  EXPECT_EQ(setup.sentences_of(setup.question(SetupPart::kDirectories, {"no room"})),
            Lines{"the pod waits, because its directories cannot be made: no room"});
}

TEST(SetupKind, says_that_containers_go_on_with_the_volumes_that_they_have) {
  const MachineSetup setup;
  EXPECT_EQ(
      setup.sentences_of(setup.question(SetupPart::kVolumes, {kMissing}, true)),
      Lines{std::string("the containers keep the present content of their volumes: ") + kMissing});
  EXPECT_EQ(setup.sentences_of(setup.question(SetupPart::kVolumes, {}, true)),
            Lines{"the pod's volumes are updated again"});
}

TEST(SetupKind, a_berthd_that_was_started_again_reports_the_same_wait_once) {
  const MachineSetup setup;
  const auto missing = setup.question(SetupPart::kVolumes, {kMissing});
  EXPECT_EQ(sentences(setup.spec, {MachineSetup::record(missing), MachineSetup::record(missing, 9)})
                .size(),
            1U);
}

TEST(SetupKind, is_written_once_for_each_failure_and_when_it_is_over) {
  const MachineSetup setup;
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const auto tried = [&](SetupPart part, std::vector<std::string> failures) {
    const auto question = setup.question(part, std::move(failures));
    book.decided(question, decide_setup(question), at(1));
    return ledger.records().size();
  };
  EXPECT_EQ(tried(SetupPart::kDirectories, {}), 0U) << "nothing was waited for";
  EXPECT_EQ(tried(SetupPart::kVolumes, {kMissing}), 1U);
  EXPECT_EQ(tried(SetupPart::kVolumes, {kMissing}), 1U);
  EXPECT_EQ(tried(SetupPart::kDirectories, {}), 1U) << "that is another thing";
  EXPECT_EQ(tried(SetupPart::kVolumes, {"another"}), 2U);
  EXPECT_EQ(tried(SetupPart::kVolumes, {}), 3U);
  EXPECT_EQ(tried(SetupPart::kVolumes, {}), 3U);
  EXPECT_EQ(tried(SetupPart::kControlGroup, {"no room"}), 4U);
  EXPECT_EQ(tried(SetupPart::kDirectories, {}), 5U);
  EXPECT_TRUE(ledger.problems().empty()) << ledger.problems().front();
}

}  // namespace
}  // namespace berth::lifecycle::test
