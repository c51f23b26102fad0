// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_views.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

namespace berth::lifecycle {
namespace {

std::shared_ptr<api::Pod> pod(const char* uid, const char* name) {
  auto made = std::make_shared<api::Pod>();
  made->metadata.uid = uid;
  made->metadata.name = name;
  made->metadata.namespace_ = "default";
  return made;
}

std::vector<std::string> uids(const std::vector<PodPtr>& pods) {
  std::vector<std::string> uids;
  for (const PodPtr& one : pods) uids.push_back(one->metadata.uid);
  return uids;
}

class PodViewsTest : public testing::Test {
 protected:
  PodRecord& add(const char* uid, const char* name, RecordState state) {
    auto record = records.make(pod(uid, name));
    record->state = state;
    if (state != RecordState::kWaiting) record->shown = record->pod;
    return records.add(std::move(record));
  }

  boost::asio::io_context loop{1};
  PodRecords records{};
  PodViews views{loop.get_executor(), records};
};

TEST_F(PodViewsTest, a_snapshot_is_what_is_shown_by_name) {
  add("1", "web", RecordState::kRejected);
  add("2", "db", RecordState::kHeld);
  add("3", "cache", RecordState::kWaiting);
  add("4", "gone", RecordState::kCollected).hidden = true;
  EXPECT_EQ(uids(views.snapshot()), (std::vector<std::string>{"2", "1"}));
  EXPECT_TRUE(views.active().empty()) << "none has a worker";
  EXPECT_TRUE(views.held().empty());
}

TEST_F(PodViewsTest, activities_are_of_every_pod_with_its_state) {
  add("1", "web", RecordState::kRejected).last =
      DatedReason{.at = WallTime{}, .reason = {.subject = "pod", .rule = "OutOfcpu"}};
  add("2", "gone", RecordState::kCollected).hidden = true;
  add("3", "db", RecordState::kWaiting);
  const auto activities = views.activities();
  ASSERT_EQ(activities.size(), 3U);
  EXPECT_EQ(activities[0].pod->metadata.name, "db");
  EXPECT_EQ(activities[0].state, "waiting");
  EXPECT_TRUE(activities[0].shown);
  EXPECT_EQ(activities[1].state, "collected");
  EXPECT_FALSE(activities[1].shown);
  EXPECT_EQ(activities[2].state, "rejected");
  EXPECT_EQ(activities[2].last->reason.rule, "OutOfcpu");
}

TEST_F(PodViewsTest, a_watch_begins_with_the_snapshot_and_goes_on_with_the_changes) {
  const PodRecord& web = add("1", "web", RecordState::kRejected);
  const auto watch = views.watch();
  EXPECT_EQ(views.version(), 0U);
  EXPECT_EQ(watch->poll()->type, ChangeType::kAdded);
  EXPECT_FALSE(watch->poll());
  views.publish(ChangeType::kDeleted, web.shown);
  EXPECT_EQ(views.version(), 1U);
  EXPECT_EQ(watch->poll()->type, ChangeType::kDeleted);
}

TEST_F(PodViewsTest, at_the_end_every_watch_ends_and_so_do_later_ones) {
  const auto before = views.watch();
  views.end();
  const auto after = views.watch();
  for (const auto& watch : {before, after}) {
    watch->push({.type = ChangeType::kAdded, .pod = pod("1", "web")});
    EXPECT_FALSE(watch->poll());
  }
}

TEST_F(PodViewsTest, a_watcher_that_left_is_forgotten) {
  views.watch().reset();
  views.publish(ChangeType::kAdded, pod("1", "web"));
  EXPECT_EQ(views.version(), 1U);
}

}  // namespace
}  // namespace berth::lifecycle
