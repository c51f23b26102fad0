// SPDX-License-Identifier: Apache-2.0

// An eviction's record: its content, and that the decision can be retaken from its inputs, and only
// with all of them.
#include <algorithm>

#include <boost/json.hpp>

#include "lifecycle/ledger/eviction_question.hpp"
#include "lifecycle/ledger/kinds.hpp"
#include "tests/ledger/expect_removals_refused.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::lifecycle {
namespace {

using eviction::kGi;
using eviction::kMi;
using eviction::Signal;

// 50 Mi are left; a critical pod uses most, then `large`, then `small`.
EvictionQuestion short_of_memory() {
  EvictionQuestion question{
      .at = eviction::wall(100),
      .now = SteadyTime(std::chrono::seconds(7)),
      .config = {.thresholds = {eviction::with_reclaim(
                     eviction::threshold(Signal::kMemoryAvailable, "100Mi"), "10Mi")},
                 .rules = eviction::kRules},
      .layout = eviction::FileSystemLayout::kSingle};
  question.before.pressure.samples[Signal::kMemoryAvailable] = eviction::wall(98);
  question.pods = {eviction::make_pod({.name = "critical", .priority = 2'000'000'000}),
                   eviction::make_pod({.name = "large"}), eviction::make_pod({.name = "small"})};
  question.pod = question.pods[1];
  question.readings.pods = {{"uid-critical", eviction::using_memory(4 * kGi)},
                            {"uid-large", eviction::using_memory(3 * kGi)},
                            {"uid-small", eviction::using_memory(10 * kMi)}};
  question.readings.node.memory = eviction::MemoryReading{.available = 50 * kMi,
                                                          .working_set = 8 * kGi - 50 * kMi,
                                                          .limit = 8 * kGi,
                                                          .time = eviction::wall(99)};
  return question;
}

void expect_decided_again(const LedgerRecord& record) {
  const auto retaken = retake_decision(record);
  ASSERT_TRUE(retaken.has_value()) << retaken.error().message;
  EXPECT_TRUE(*retaken);
}

TEST(EvictionKind, says_what_was_short_and_why_this_pod) {
  const EvictionRecord record = decide_eviction(short_of_memory());
  EXPECT_EQ(record.signal, "memory.available");
  EXPECT_EQ(record.observed, "50Mi");
  EXPECT_EQ(record.limit, "100Mi");
  EXPECT_EQ(record.reading_age_ms, 1000);
  EXPECT_EQ(record.ranking.size(), 3U);
  EXPECT_TRUE(record.sentence.starts_with("evicted: memory.available<100Mi, and 50Mi is left"))
      << record.sentence;
}

TEST(EvictionKind, says_amounts_as_people_read_them_and_keeps_them_exact) {
  EvictionQuestion question = short_of_memory();
  question.readings.node.memory->available = 100 * kMi - 1;
  const EvictionRecord record = decide_eviction(question);
  EXPECT_EQ(record.observed, "104857599");
  EXPECT_TRUE(record.sentence.starts_with("evicted: memory.available<100Mi, and 99.9Mi is left"))
      << record.sentence;
}

TEST(EvictionKind, of_a_stall_says_how_large_it_is_and_not_what_is_left) {
  EvictionQuestion question = short_of_memory();
  question.config.thresholds = {
      {.signal = Signal::kMemoryPressureFullAvg10, .value = eviction::Share{0.1F}}};
  question.readings.node.own.memory_pressure =
      eviction::StallReading{.full_avg10 = 200'000, .time = eviction::wall(99)};
  const EvictionRecord record = decide_eviction(question);
  EXPECT_TRUE(
      record.sentence.starts_with("evicted: memory.pressure.full.avg10>10%, and it is 20%; first"))
      << record.sentence;
}

TEST(EvictionKind, of_waits_for_disks_ranks_by_shares_of_the_time) {
  EvictionQuestion question = short_of_memory();
  question.config.thresholds = {
      {.signal = Signal::kIoPressureFullAvg10, .value = eviction::Share{0.1F}}};
  question.readings.node.own.io_pressure =
      eviction::StallReading{.full_avg10 = 200'000, .time = eviction::wall(99)};
  question.readings.pods["uid-large"].io_pressure = eviction::StallReading{.full_avg10 = 125'000};
  question.readings.pods["uid-small"].io_pressure = eviction::StallReading{.full_avg10 = 10};
  const EvictionRecord record = decide_eviction(question);
  EXPECT_TRUE(record.sentence.starts_with("evicted: io.pressure.full.avg10>10%, and it is 20%"))
      << record.sentence;
  const auto victim = std::ranges::find(record.ranking, "uid-large", &RankedRecord::uid);
  ASSERT_NE(victim, record.ranking.end());
  EXPECT_EQ(victim->usage, "12.5%");
  const auto critical = std::ranges::find(record.ranking, "uid-critical", &RankedRecord::uid);
  EXPECT_EQ(critical->usage, "") << "not measured";
  expect_decided_again(decision_record(question, record, question.at));
}

TEST(EvictionKind, is_decided_again_from_its_record_and_from_nothing_less) {
  const EvictionQuestion question = short_of_memory();
  const LedgerRecord record = decision_record(question, decide_eviction(question), question.at);
  EXPECT_EQ(record.kind, kLedgerEviction);
  EXPECT_EQ(record.uid, "uid-large");
  EXPECT_EQ(record.at, question.at);
  expect_decided_again(record);
  ledger_test::expect_removals_refused(record);
}

TEST(EvictionKind, of_a_reclaim_that_was_not_enough_holds_what_was_measured_after_it) {
  EvictionQuestion question = short_of_memory();
  question.config.thresholds = {eviction::threshold(Signal::kNodeFsAvailable, "10Gi")};
  question.config.thresholds[0].value = eviction::Share{0.1F};
  question.readings.node = {.node_fs = eviction::FileSystemReading{
                                .available = 1, .capacity = 100, .time = eviction::wall(99)}};
  question.after_reclaim = question.readings.node;
  question.pods = {question.pods[1]};
  const EvictionRecord decision = decide_eviction(question);
  EXPECT_EQ(decision.reclaimed.size(), 2U);
  expect_decided_again(decision_record(question, decision, question.at));
}

TEST(EvictionKind, of_a_pod_that_does_not_go_has_no_signal) {
  EvictionQuestion question = short_of_memory();
  question.pod = question.pods[2];
  EXPECT_TRUE(decide_eviction(question).signal.empty());
}

}  // namespace
}  // namespace berth::lifecycle
