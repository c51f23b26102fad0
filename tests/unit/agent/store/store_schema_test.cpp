// SPDX-License-Identifier: Apache-2.0

// State files with earlier schemas, kept as they were written: each must open with the current
// schema and lose nothing (tests/data/store/README.md).
#include <gtest/gtest.h>

#include "agent/store/store_file.hpp"
#include "agent/store/store_schema.hpp"
#include "tests/test_paths.hpp"
#include "tests/unit/agent/store/store_harness.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

const WallTime kOdd = kStart + 123'456'789ns;

class StoreSchema : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const auto name = "/store/schema-" + std::to_string(GetParam()) + ".db";
    std::filesystem::copy_file(test_data().string() + name, harness.path);
    harness.open();
  }

  TemporaryFolder folder{};
  StoreHarness harness{folder.path("state.db")};
};

TEST_P(StoreSchema, pods_are_all_there) {
  auto pods = harness.store->recall();
  ASSERT_EQ(pods.size(), 2U);
  if (pods[0]->uid != "u1") std::swap(pods[0], pods[1]);
  const auto& web = *pods[0];
  EXPECT_EQ(web.incarnation, 3U);
  EXPECT_EQ(web.pod->metadata.creationTimestamp->at, kOdd);
  EXPECT_EQ(web.pod->spec.priority, 1000);
  EXPECT_EQ(web.pod->spec.containers.at(0).command.at(1), "1000");
  EXPECT_EQ(web.pod->spec.containers.at(0).resources.limits.at("cpu").milli_value(), 500);
  EXPECT_EQ(web.verdict, lifecycle::Verdict::kNone);
  EXPECT_EQ(web.status.phase, "Running");
  EXPECT_EQ(web.status.containerStatuses.at(0).restartCount, 7);
  EXPECT_EQ(web.status.containerStatuses.at(0).lastState.terminated->finishedAt->at, kOdd + 1ns);
  lifecycle::Ending end = lifecycle::deleted(12s, kOdd);
  end.failure = lifecycle::active_deadline({}).failure;
  EXPECT_EQ(web.end->ending, end);
  EXPECT_EQ(web.end->grace_seconds, 12);
  EXPECT_EQ(web.stops.at("c1").kill_at, kOdd + 12s);
  EXPECT_EQ(web.next_attempts.at("app"), 8U);
  const lifecycle::StartMemory start{.container_id = "c2", .last_exit = kOdd, .at = kOdd + 1ns};
  EXPECT_EQ(web.pending_starts.at("app"), start);
  EXPECT_EQ(web.restarts.entries.at("k").window, 40s);
  EXPECT_EQ(web.restarts.entries.at("k").last_start, kOdd);
  EXPECT_EQ(web.pulls.entries.at({"u1", "busybox:1"}).reason, "ErrImagePull");
  EXPECT_EQ(pods[1]->verdict, lifecycle::Verdict::kCompleted);
  EXPECT_EQ(pods[1]->status.phase, "Succeeded");
}

TEST_P(StoreSchema, events_and_ledger_are_all_there) {
  const auto events = harness.store->recall_events();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0]->metadata.name, "web.5f0001");
  EXPECT_EQ(events[0]->count, 5);
  EXPECT_EQ(events[0]->lastTimestamp->at, kOdd);
  const auto records = harness.ledger({.namespace_ = "default", .pod = "web", .uid = ""});
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[1].at, kOdd + 1s);
  EXPECT_EQ(records[1].next, kOdd + 40s);
  EXPECT_EQ(records[1].reasons.at(0).rule, "Start");
  EXPECT_EQ(records[1].input,
            R"({"now":1,"pod":{"name":"web","text":")" + std::string(300, 'p') + R"("}})");
  EXPECT_EQ(records[2].kind, lifecycle::kLedgerFact);
}

TEST_P(StoreSchema, is_written_to_and_has_todays_number_afterwards) {
  EXPECT_TRUE(harness.keep(memory_of("new")).has_value());
  harness.store.reset();
  auto file = StoreFile::open(harness.path);
  EXPECT_EQ(file->number("PRAGMA user_version").value_or(0), kStoreSchema);
  EXPECT_EQ(file->number("SELECT count(*) FROM pods").value_or(0), 3);
}

INSTANTIATE_TEST_SUITE_P(All, StoreSchema, testing::Range(1, kStoreSchema + 1));

}  // namespace
}  // namespace berth::agent
