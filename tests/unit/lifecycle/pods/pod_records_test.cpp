// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_records.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "lifecycle/pods/beginning/begin_order.hpp"
#include "lifecycle/pods/beginning/pod_names.hpp"

namespace berth::lifecycle {
namespace {

std::shared_ptr<api::Pod> pod(const char* uid, const char* name = "web") {
  auto made = std::make_shared<api::Pod>();
  made->metadata.uid = uid;
  made->metadata.name = name;
  made->metadata.namespace_ = "default";
  return made;
}

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

// Which pod has the name already, and whether a later pod of that name may begin, or at least be
// shown.
struct NameCase {
  const char* what;
  RecordState state;
  bool unknown;
  bool hidden;
  bool taken;
  bool taken_if_it_goes_on;
  bool shown;
  bool shown_if_known;
};

TEST_F(PodRecordsTest, one_pod_at_a_time_has_a_name) {
  const NameCase cases[] = {
      {"a working pod", RecordState::kWorking, false, false, true, true, true, true},
      {"one that waits, and came first", RecordState::kWaiting, false, false, true, true, true,
       true},
      {"one deleted by force", RecordState::kWorking, false, true, true, true, false, false},
      {"one that the runtime alone knows", RecordState::kWorking, true, false, true, false, false,
       true},
  };
  for (const NameCase& c : cases) {
    PodRecords fresh;
    auto first = fresh.make(pod("first"));
    first->state = c.state;
    first->unknown = c.unknown;
    first->hidden = c.hidden;
    fresh.add(std::move(first));
    const PodRecord& second = fresh.add(fresh.make(pod("second")));
    fresh.add(fresh.make(pod("third")));
    fresh.add(fresh.make(pod("elsewhere", "db")));
    const PodNames names(fresh);
    EXPECT_EQ(names.is_taken(second, false), c.taken) << c.what;
    EXPECT_EQ(names.is_taken(second, true), c.taken_if_it_goes_on) << c.what;
    EXPECT_EQ(names.is_shown(second, false), c.shown) << c.what;
    EXPECT_EQ(names.is_shown(second, true), c.shown_if_known) << c.what;
    EXPECT_FALSE(names.is_taken(fresh.at("elsewhere"), false)) << c.what;
  }
}

TEST_F(PodRecordsTest, of_those_that_wait_for_a_name_the_first_to_come_has_it) {
  const PodRecord& first = add("z", RecordState::kWaiting);
  const PodRecord& second = add("a", RecordState::kWaiting);
  const PodNames names(records);
  EXPECT_FALSE(names.is_taken(first, false));
  EXPECT_TRUE(names.is_taken(second, false));
}

TEST_F(PodRecordsTest, a_pod_without_a_worker_ends_as_it_was_ordered) {
  PodRecord& record = add("a", RecordState::kWanted);
  EXPECT_FALSE(end_of(record));
  EXPECT_FALSE(is_being_removed(record));
  record.ending = EndInForce{.ending = deleted(std::nullopt, WallTime{}), .grace_seconds = 30};
  EXPECT_EQ(end_of(record)->grace_seconds, 30);
  EXPECT_TRUE(is_being_removed(record));
}

TEST(BeginOrder, higher_priority_comes_first_and_then_the_name) {
  auto low = pod("1", "a");
  auto high = pod("2", "z");
  high->spec.priority = 1000;
  auto negative = pod("3", "0");
  negative->spec.priority = -1;
  EXPECT_TRUE(begins_before(high, low));
  EXPECT_FALSE(begins_before(low, high));
  EXPECT_TRUE(begins_before(low, negative));
  EXPECT_TRUE(begins_before(low, pod("0", "b")));
  EXPECT_TRUE(begins_before(pod("0", "a"), low));
}

}  // namespace
}  // namespace berth::lifecycle
