// SPDX-License-Identifier: Apache-2.0

// The pressure history in a state file: kept, merged, read back, and dropped where it must be.
#include "agent/eviction/pressure_store.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "agent/eviction/pressure_rows.hpp"
#include "agent/eviction/sample_text.hpp"
#include "agent/store/store_file.hpp"
#include "eviction/simulate.hpp"
#include "tests/unit/agent/store/store_harness.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
using eviction::kGi;
using eviction::kMi;
using eviction::Sample;

PodPtr pod_of(const std::string& name) {
  auto pod = std::make_shared<api::Pod>(
      eviction::make_pod({.name = name.c_str(), .memory_request = "1Gi"}));
  pod->status.phase = "Running";
  return pod;
}

Sample sample(WallTime at, std::int64_t memory, const std::vector<PodPtr>& pods = {}) {
  Sample out{.at = SteadyTime{at.time_since_epoch()},
             .shown_at = at,
             .node = {.memory = eviction::memory_left(memory, 1)}};
  if (pods.empty()) return out;
  auto seen = std::make_shared<eviction::PodsSeen>();
  seen->pods = pods;
  for (const auto& pod : pods) seen->readings[pod->metadata.uid] = eviction::using_memory(kGi);
  out.pods = std::move(seen);
  return out;
}

boost::asio::awaitable<void> recall_into(PressureStore* store, Result<PressureRows>* outcome) {
  auto recalling = store->recall();
  *outcome = co_await std::move(recalling);
}

class PressureStoreTest : public testing::Test {
 protected:
  void SetUp() override { harness.open(); }

  Result<PressureRows> recalled() {
    PressureStore fresh(*harness.store, harness.clock);
    Result<PressureRows> outcome = fail(ErrorCode::kUnknown, "never answered");
    run_on(harness.loop, recall_into(&fresh, &outcome));
    return outcome;
  }
  // Queries the closed file.
  std::int64_t number(const char* sql) {
    harness.store.reset();
    auto file = StoreFile::open(harness.path);
    const auto out = file ? file->number(sql).value_or(-1) : -1;
    return out;
  }
  void change(const char* sql) {
    harness.store.reset();
    auto file = StoreFile::open(harness.path);
    ASSERT_TRUE(file.has_value());
    const auto done = file->execute(sql);
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }

  TemporaryFolder folder{};
  StoreHarness harness{folder.path("state.db")};
};

TEST_F(PressureStoreTest, a_new_file_has_no_history) {
  const auto rows = recalled();
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  EXPECT_TRUE(rows->samples.empty());
}

TEST_F(PressureStoreTest, goes_on_where_the_earlier_berthd_stopped) {
  {
    PressureStore before(*harness.store, harness.clock);
    Sample pressed = sample(kStart - 100s, kMi, {pod_of("a"), pod_of("b")});
    pressed.evicted = {"uid-a"};
    pressed.after_reclaim = eviction::NodeReadings{.memory = eviction::memory_left(kGi, 2)};
    before.remember(pressed);
    before.remember(sample(kStart - 90s, kGi, {pod_of("b")}));
    before.remember(sample(kStart - 30s, 2 * kGi));
    before.flush();
  }
  harness.reopen();
  const auto rows = recalled();
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  ASSERT_EQ(rows->samples.size(), 2U);
  const Sample& pressed = rows->samples.front();
  EXPECT_EQ(pressed.at, harness.clock.steady_now() - 90s);
  EXPECT_EQ(pressed.shown_at, kStart - 90s);
  EXPECT_EQ(pressed.merged, 2U);
  EXPECT_EQ(pressed.node.memory->available, kMi);
  EXPECT_EQ(pressed.evicted, std::vector<std::string>{"uid-a"});
  EXPECT_EQ(pressed.after_reclaim->memory, eviction::memory_left(kGi, 2));
  ASSERT_TRUE(pressed.pods);
  ASSERT_EQ(pressed.pods->pods.size(), 2U);
  EXPECT_EQ(pressed.pods->pods[0]->metadata.name, "a");
  EXPECT_EQ(pod_text(*pressed.pods->pods[0]), pod_text(*pod_of("a")));
  EXPECT_EQ(pressed.pods->readings.size(), 2U);
  EXPECT_EQ(rows->samples.back().at, harness.clock.steady_now() - 30s);
  EXPECT_FALSE(rows->samples.back().pods);
}

TEST_F(PressureStoreTest, a_kill_loses_the_minute_that_is_not_full) {
  PressureStore store(*harness.store, harness.clock);
  for (auto ago = 150s; ago > 0s; ago -= 1s) store.remember(sample(kStart - ago, kGi));
  harness.reopen();
  const auto rows = recalled();
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  ASSERT_EQ(rows->samples.size(), 2U);
  EXPECT_EQ(rows->samples.back().shown_at, kStart - 31s);
}

TEST_F(PressureStoreTest, is_written_once_a_minute) {
  PressureStore store(*harness.store, harness.clock);
  for (int second = 0; second <= 120; ++second)
    store.remember(sample(kStart + std::chrono::seconds(second), kGi));
  static_cast<void>(recalled());
  EXPECT_EQ(harness.store->health().history_written, 2U);
}

TEST_F(PressureStoreTest, is_bounded_and_merged_as_it_ages_and_keeps_the_worst) {
  constexpr int kThreeDays = 3 * 24 * 60;
  {
    auto file = StoreFile::open(folder.path("other.db"));
    ASSERT_TRUE(file.has_value());
    ASSERT_TRUE(file->begin(Durability::kNormal).has_value());
    for (int minute = 0; minute < kThreeDays; ++minute) {
      const bool dip = minute == kThreeDays - 100;
      const auto put =
          put_pressure(*file, sample(kStart + std::chrono::minutes(minute), dip ? kMi : kGi,
                                     {pod_of(minute < kThreeDays - 10 ? "early" : "late"),
                                      pod_of("day" + std::to_string(minute / (24 * 60)))}));
      ASSERT_TRUE(put.has_value()) << put.error().message;
    }
    const auto rows = read_pressure(*file);
    ASSERT_TRUE(rows.has_value()) << rows.error().message;
    const auto& samples = rows->samples;
    EXPECT_LE(samples.size(), 314U);
    EXPECT_GE(samples.back().shown_at - samples.front().shown_at, 23h + 55min);
    EXPECT_EQ(std::ranges::count_if(samples, [](const Sample& row) { return row.merged == 1; }), 30)
        << "minutes";
    EXPECT_EQ(std::ranges::count_if(
                  samples, [](const Sample& row) { return row.node.memory->available == kMi; }),
              1)
        << "the dip is still there";
    for (const Sample& row : samples) {
      ASSERT_TRUE(row.pods);
      EXPECT_EQ(row.pods->pods.size(), 2U) << "every pod that a row names is kept";
    }
    EXPECT_EQ(file->number("SELECT count(*) FROM pressure_pods").value_or(0), 4)
        << "the pod of the first day is not";
  }
}

TEST_F(PressureStoreTest, a_pod_is_written_anew_when_it_changed) {
  auto changed = std::make_shared<api::Pod>(*pod_of("a"));
  changed->spec.priority = 7;
  PressureStore store(*harness.store, harness.clock);
  store.remember(sample(kStart - 100s, kGi, {pod_of("a")}));
  store.remember(sample(kStart - 30s, kGi, {changed}));
  store.flush();
  const auto rows = recalled();
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  EXPECT_EQ(rows->samples.front().pods->pods.at(0)->spec.priority, 7);
}

TEST_F(PressureStoreTest, does_not_change_the_schemas_number) {
  PressureStore store(*harness.store, harness.clock);
  store.remember(sample(kStart - 1s, kGi));
  store.flush();
  EXPECT_EQ(number("PRAGMA user_version"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM pressure"), 1);
}

TEST_F(PressureStoreTest, rows_of_another_version_are_left_out_and_counted) {
  PressureStore store(*harness.store, harness.clock);
  store.remember(sample(kStart - 100s, kGi));
  store.remember(sample(kStart - 30s, kGi));
  store.flush();
  change("UPDATE pressure SET sample = '{\"form\":2}' WHERE seq = 1");
  harness.open();
  const auto rows = recalled();
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  ASSERT_EQ(rows->samples.size(), 1U);
  EXPECT_EQ(rows->samples.front().shown_at, kStart - 30s);
  EXPECT_EQ(rows->left_out, 1U);
}

TEST_F(PressureStoreTest, a_reclaim_that_lasted_into_the_next_minute_is_one_in_a_replay) {
  const auto disk = [](WallTime at, std::int64_t left, bool reclaiming) {
    Sample out = sample(at, kGi, {pod_of("a")});
    out.node.node_fs =
        eviction::FileSystemReading{.available = left, .capacity = 100 * kGi, .time = at};
    out.reclaiming = reclaiming;
    return out;
  };
  PressureStore store(*harness.store, harness.clock);
  store.remember(disk(kStart - 200s, 50 * kGi, false));
  store.remember(disk(kStart - 150s, kGi, true));
  store.remember(disk(kStart - 130s, kGi, true));
  Sample over = disk(kStart - 90s, 20 * kGi, false);
  over.after_reclaim = over.node;
  store.remember(over);
  store.remember(disk(kStart - 20s, 20 * kGi, false));
  store.flush();
  const auto rows = recalled();
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  std::vector<bool> reclaiming;
  for (const Sample& row : rows->samples) reclaiming.push_back(row.reclaiming);
  EXPECT_EQ(reclaiming, (std::vector{true, false, false}));

  eviction::History history;
  history.put_before(rows->samples);
  const eviction::EvictionConfig config{
      .thresholds = {eviction::threshold(eviction::Signal::kNodeFsAvailable, "10Gi")},
      .rules = eviction::kRules};
  const auto replay = eviction::simulate(history, config, eviction::FileSystemLayout::kSingle);
  using enum eviction::SimulatedKind;
  std::vector<eviction::SimulatedKind> kinds;
  for (const auto& event : replay.events) {
    kinds.push_back(event.kind);
    EXPECT_NE(event.certainty, eviction::Certainty::kAfterDeviation);
  }
  ASSERT_GE(kinds.size(), 3U);
  EXPECT_EQ(std::vector(kinds.begin(), kinds.begin() + 3),
            (std::vector{kConditionAppeared, kThresholdMet, kReclaim}));
  EXPECT_EQ(std::ranges::count(kinds, kEviction), 0) << "the reclaim sufficed";
}

TEST_F(PressureStoreTest, rows_say_nothing_of_a_reclaim_where_there_is_none_as_earlier_ones_do) {
  const std::string text = sample_text(sample(kStart, kGi));
  EXPECT_EQ(text.find("reclaiming"), std::string::npos);
  const auto read = read_sample(text, pod_of);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_FALSE(read->reclaiming);
  const auto unknown =
      read_sample(text.substr(0, text.size() - 1) + R"(,"reclaiming":"some"})", pod_of);
  EXPECT_FALSE(unknown.has_value()) << "another version's";
}

TEST_F(PressureStoreTest, a_file_that_cannot_take_it_loses_nothing_else) {
  change("CREATE TABLE pressure(other TEXT) STRICT");
  harness.open();
  PressureStore store(*harness.store, harness.clock);
  store.remember(sample(kStart - 1s, kGi));
  store.flush();
  harness.store->write(record_of("u", "Start"));
  ASSERT_TRUE(harness.keep(memory_of("u")).has_value());
  EXPECT_FALSE(recalled().has_value()) << "the table is not ours";
  EXPECT_EQ(harness.ledger({.namespace_ = "", .pod = "", .uid = "u"}).size(), 1U);
  EXPECT_EQ(harness.store->health().history_dropped, 1U);
  EXPECT_FALSE(harness.store->health().failing_since);
}

}  // namespace
}  // namespace berth::agent
