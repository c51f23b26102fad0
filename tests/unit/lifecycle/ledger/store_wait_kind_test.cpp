// SPDX-License-Identifier: Apache-2.0

// The record of a stop that proceeds before it is persisted: the decision retaken, and its text.
#include <gtest/gtest.h>

#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/worker/store_wait.hpp"
#include "tests/ledger/retaking_ledger.hpp"
#include "tests/unit/lifecycle/ledger/kind_checks.hpp"

namespace berth::lifecycle::test {
namespace {

StoreWaitQuestion waited(const api::Pod& of, bool under_way, const std::string& error = "") {
  return {.pod = of, .limit = std::chrono::seconds(1), .under_way = under_way, .error = error};
}

LedgerRecord record_of(const StoreWaitQuestion& question) {
  return decision_record(question, decide_store_wait(question), at(1));
}

TEST(StoreWaitKind, is_decided_again_from_its_record_and_from_nothing_less) {
  const api::Pod of = pod({container("app")});
  for (const bool under_way : {false, true})
    for (const char* error : {"", "no space left on device"}) {
      const LedgerRecord record = record_of(waited(of, under_way, error));
      EXPECT_EQ(record.kind, "storeWait");
      expect_decided_again(record);
    }
}

TEST(StoreWaitKind, says_what_the_stop_does_not_wait_for_and_what_that_may_cost) {
  const api::Pod of = pod({container("app")});
  EXPECT_EQ(sentences(of, {record_of(waited(of, true))}),
            Lines{"berthd stops the pod before the stop is persisted: the store has not "
                  "answered within 1000 ms; if berthd dies now, a preStop hook may run again"});
  EXPECT_EQ(sentences(of, {record_of(waited(of, false, "no space left on device"))}),
            Lines{"berthd stops the pod before the stop is persisted: the store has refused "
                  "it: no space left on device; if berthd dies now, a preStop hook may run "
                  "again"});
}

TEST(StoreWaitKind, is_written_when_a_wait_is_given_up_and_when_the_store_knows_again) {
  const api::Pod of = pod({container("app")});
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const auto decided = [&](const StoreWaitQuestion& question) {
    book.decided(question, decide_store_wait(question), at(1));
    return ledger.records().size();
  };
  EXPECT_EQ(decided(waited(of, false)), 0U) << "as everybody expects";
  EXPECT_EQ(decided(waited(of, true)), 1U);
  EXPECT_EQ(decided(waited(of, true)), 1U);
  EXPECT_EQ(decided(waited(of, false, "no space left on device")), 2U);
  EXPECT_EQ(decided(waited(of, false)), 3U);
  EXPECT_TRUE(ledger.problems().empty());
}

}  // namespace
}  // namespace berth::lifecycle::test
