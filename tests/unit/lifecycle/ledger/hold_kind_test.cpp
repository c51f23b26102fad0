// SPDX-License-Identifier: Apache-2.0

// The record of a desired pod that has not begun: the decision retaken, and its text.
#include <gtest/gtest.h>

#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/pods/beginning/hold_decision.hpp"
#include "tests/ledger/retaking_ledger.hpp"
#include "tests/unit/lifecycle/ledger/kind_checks.hpp"

namespace berth::lifecycle::test {
namespace {

// A pod that requests a block device, and another node.
api::Pod asking() {
  api::Pod asks = pod({container("app")});
  asks.spec.nodeName = "node2";
  asks.spec.containers[0].volumeDevices = {{.name = "disk", .devicePath = "/dev/xvda"}};
  asks.spec.containers[0].env = {{.name = "KEY", .value = "of-this-pod-alone"}};
  asks.spec.containers[0].args = {"of-this-pod-alone"};
  return asks;
}

LedgerRecord record_of(const HoldQuestion& question) {
  return decision_record(question, decide_hold(question), at(1));
}

Lines sentences_of(const HoldQuestion& question) {
  return sentences(question.pod, {record_of(question)});
}

TEST(HoldKind, is_decided_again_from_its_record_and_from_nothing_less) {
  const api::Pod asks = asking();
  const api::Pod plain = pod({container("app")});
  for (const HoldQuestion& question :
       {HoldQuestion{.pod = asks, .node_name = "node1"},
        HoldQuestion{.pod = asks, .node_name = "node1", .judged = true},
        HoldQuestion{.pod = plain, .node_name = "node1", .deadly = true},
        HoldQuestion{.pod = plain, .no_sandboxes = "its cgroup driver is another"},
        HoldQuestion{.pod = plain, .network_error = "the plugin is missing"}}) {
    EXPECT_EQ(record_of(question).kind, "hold");
    expect_decided_again(record_of(question));
  }
}

TEST(HoldKind, says_why_the_pod_is_not_run) {
  api::Pod asks = asking();
  EXPECT_EQ(sentences_of({.pod = asks, .node_name = "node1"}),
            Lines{"the pod is not run: this version of berth cannot run the pod: "
                  "spec.containers[0].volumeDevices: block devices are not supported"});
  asks.spec.containers[0].volumeDevices.clear();
  EXPECT_EQ(sentences_of({.pod = asks, .node_name = "node1"}),
            Lines{"the pod is not run: spec.nodeName asks for node \"node2\"; this is node "
                  "\"node1\""});
  EXPECT_EQ(sentences_of({.pod = asks, .no_sandboxes = "its cgroup driver is another"}),
            Lines{"the pod is not run: its cgroup driver is another"});
}

TEST(HoldKind, says_what_waits_for_the_network_each_time_it_is_lost) {
  const api::Pod plain = pod({container("app")});
  const HoldQuestion question{.pod = plain, .network_error = "the plugin is missing"};
  EXPECT_EQ(decide_hold(question).message, "network is not ready: the plugin is missing");
  EXPECT_EQ(sentences_of(question),
            Lines{"until the network is ready, nothing more of it is started, and no further stop "
                  "begins unless the pod ends: the plugin is missing"});
  EXPECT_EQ(record_of(question).reasons.at(0).rule, "NetworkNotReady");
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  for (std::size_t times = 1; times <= 2; ++times) {
    EXPECT_FALSE(book.decided(question, decide_hold(question), at(1)).empty());
    EXPECT_EQ(ledger.records().size(), times);
  }
  EXPECT_TRUE(ledger.problems().empty());
}

TEST(HoldKind, a_pod_in_the_network_of_its_host_does_not_wait_for_another_one) {
  api::Pod host = pod({container("app")});
  host.spec.hostNetwork = true;
  const HoldQuestion question{.pod = host, .network_error = "the plugin is missing"};
  EXPECT_EQ(decide_hold(question), HoldDecision{});
  expect_decided_again(record_of(question));
}

TEST(HoldKind, a_pod_that_berthds_died_at_is_held_whatever_else_is_true_of_it) {
  const api::Pod asks = asking();
  for (const bool judged : {false, true}) {
    const auto decision =
        decide_hold({.pod = asks, .node_name = "node1", .deadly = true, .judged = judged});
    EXPECT_EQ(decision.cause, HoldCause::kBerthdDied);
  }
}

TEST(HoldKind, of_what_the_pod_does_nothing_is_recorded) {
  const LedgerRecord record = record_of({.pod = asking(), .node_name = "node1"});
  EXPECT_EQ(record.input.find("of-this-pod-alone"), std::string::npos);
}

TEST(HoldKind, is_written_once_for_each_cause_and_never_of_a_pod_that_is_begun) {
  const api::Pod asks = asking();
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const auto decided = [&](const HoldQuestion& question) {
    book.decided(question, decide_hold(question), at(1));
    return ledger.records().size();
  };
  EXPECT_EQ(decided({.pod = asks, .node_name = "node2", .judged = true}), 0U);
  EXPECT_EQ(decided({.pod = asks, .no_sandboxes = "one"}), 1U);
  EXPECT_EQ(decided({.pod = asks, .no_sandboxes = "one"}), 1U);
  EXPECT_EQ(decided({.pod = asks, .no_sandboxes = "another"}), 2U);
  EXPECT_TRUE(ledger.problems().empty());
}

TEST(HoldKind, an_unsupported_pod_is_shown_with_the_word_of_that) {
  EXPECT_EQ(hold_word(HoldCause::kUnsupported), "NotSupported");
  EXPECT_EQ(hold_word(HoldCause::kOtherNode), "NodeName");
  EXPECT_EQ(hold_word(HoldCause::kBerthdDied), "BerthdDied");
}

}  // namespace
}  // namespace berth::lifecycle::test
