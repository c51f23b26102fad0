// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_records.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pods/named_pod.hpp"

namespace berth::lifecycle {
namespace {

class PodRecordsTest : public testing::Test {
 protected:
  PodRecord& add(const char* uid, RecordState state, const char* name = "web") {
    auto record = records.make(pod(uid, name));
    record->state = state;
    return records.add(std::move(record));
  }

  PodRecords records{};
};

TEST_F(PodRecordsTest, what_is_left_of_a_pod_is_asked_by_uid) {
  const PodRecord& rejected = add("rejected", RecordState::kRejected);
  add("collected", RecordState::kCollected);
  EXPECT_TRUE(records.lives("rejected"));
  EXPECT_FALSE(records.lives("collected"));
  EXPECT_FALSE(records.lives("unknown"));
  EXPECT_TRUE(records.is_rejected("rejected"));
  EXPECT_FALSE(records.is_rejected("collected"));
  EXPECT_TRUE(records.stays_rejected(rejected.pod));
  EXPECT_FALSE(records.stays_rejected(pod("rejected"))) << "another pod of that uid";
  EXPECT_EQ(records.worker_of("rejected"), nullptr);
}

TEST_F(PodRecordsTest, a_removed_record_is_its_callers) {
  add("a", RecordState::kWaiting);
  const auto removed = records.remove("a");
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->pod->metadata.uid, "a");
  EXPECT_FALSE(records.contains("a"));
  EXPECT_EQ(records.remove("a"), nullptr);
  EXPECT_EQ(records.find("a"), nullptr);
}

TEST_F(PodRecordsTest, a_name_is_that_of_the_oldest_pod_that_is_shown) {
  add("z", RecordState::kWorking).hidden = true;
  add("y", RecordState::kWorking).unknown = true;
  const PodRecord& oldest = add("x", RecordState::kWorking);
  add("a", RecordState::kWaiting);
  EXPECT_EQ(records.find_named("default", "web"), &oldest);
  EXPECT_EQ(records.find_named("other", "web"), nullptr);
}

TEST_F(PodRecordsTest, a_pod_without_a_worker_ends_as_it_was_ordered) {
  PodRecord& record = add("a", RecordState::kWanted);
  EXPECT_FALSE(end_of(record));
  EXPECT_FALSE(is_being_removed(record));
  record.ending = EndInForce{.ending = deleted(std::nullopt, WallTime{}), .grace_seconds = 30};
  EXPECT_EQ(end_of(record)->grace_seconds, 30);
  EXPECT_TRUE(is_being_removed(record));
}

}  // namespace
}  // namespace berth::lifecycle
