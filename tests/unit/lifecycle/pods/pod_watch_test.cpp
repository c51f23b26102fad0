// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_watch.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

namespace berth::lifecycle {
namespace {

PodPtr pod(const char* uid, const char* phase) {
  auto made = std::make_shared<api::Pod>();
  made->metadata.uid = uid;
  made->status.phase = phase;
  return made;
}

class PodWatchTest : public testing::Test {
 protected:
  boost::asio::io_context loop{1};
  PodWatch watch{loop.get_executor()};
};

TEST_F(PodWatchTest, changes_that_were_not_fetched_become_one) {
  watch.push({.type = ChangeType::kAdded, .pod = pod("a", "Pending")});
  watch.push({.type = ChangeType::kAdded, .pod = pod("b", "Pending")});
  watch.push({.type = ChangeType::kModified, .pod = pod("a", "Running")});
  const auto first = watch.poll();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->type, ChangeType::kAdded);
  EXPECT_EQ(first->pod->status.phase, "Running");
  EXPECT_EQ(watch.poll()->pod->metadata.uid, "b");
  EXPECT_FALSE(watch.poll());
}

TEST_F(PodWatchTest, an_end_and_a_new_beginning_of_the_same_uid_are_two_changes) {
  watch.push({.type = ChangeType::kModified, .pod = pod("a", "Running")});
  watch.push({.type = ChangeType::kDeleted, .pod = pod("a", "Succeeded")});
  watch.push({.type = ChangeType::kAdded, .pod = pod("a", "Pending")});
  EXPECT_EQ(watch.poll()->type, ChangeType::kDeleted);
  EXPECT_EQ(watch.poll()->type, ChangeType::kAdded);
}

TEST_F(PodWatchTest, what_changes_after_it_was_fetched_is_a_change_of_its_own) {
  watch.push({.type = ChangeType::kAdded, .pod = pod("a", "Pending")});
  watch.push({.type = ChangeType::kAdded, .pod = pod("b", "Pending")});
  EXPECT_EQ(watch.poll()->pod->metadata.uid, "a");
  watch.push({.type = ChangeType::kModified, .pod = pod("a", "Running")});
  watch.push({.type = ChangeType::kModified, .pod = pod("b", "Running")});
  const auto first = watch.poll();
  EXPECT_EQ(first->type, ChangeType::kAdded);
  EXPECT_EQ(first->pod->metadata.uid, "b");
  EXPECT_EQ(first->pod->status.phase, "Running");
  const auto second = watch.poll();
  EXPECT_EQ(second->type, ChangeType::kModified);
  EXPECT_EQ(second->pod->metadata.uid, "a");
  EXPECT_FALSE(watch.poll());
}

// The second of two lives of a uid counts, whether the first has been fetched or not.
TEST_F(PodWatchTest, changes_belong_to_the_newest_life_of_a_uid) {
  watch.push({.type = ChangeType::kDeleted, .pod = pod("a", "Succeeded")});
  watch.push({.type = ChangeType::kAdded, .pod = pod("a", "Pending")});
  watch.push({.type = ChangeType::kModified, .pod = pod("a", "Running")});
  EXPECT_EQ(watch.poll()->type, ChangeType::kDeleted);
  watch.push({.type = ChangeType::kModified, .pod = pod("a", "Failed")});
  const auto last = watch.poll();
  EXPECT_EQ(last->type, ChangeType::kAdded);
  EXPECT_EQ(last->pod->status.phase, "Failed");
  EXPECT_FALSE(watch.poll());
}

TEST_F(PodWatchTest, of_thousands_of_pods_that_nobody_fetches_each_has_its_place_and_newest_state) {
  constexpr int kPods = 5000;
  constexpr int kFetched = 100;
  const auto uid = [](int i) { return std::to_string(i); };
  for (int i = 0; i < kPods; ++i)
    watch.push({.type = ChangeType::kAdded, .pod = pod(uid(i).c_str(), "Pending")});
  for (int i = 0; i < kFetched; ++i) EXPECT_EQ(watch.poll()->pod->metadata.uid, uid(i));
  for (int i = kPods - 1; i >= 0; --i) {
    const bool ends = i % 3 == 0;
    watch.push({.type = ends ? ChangeType::kDeleted : ChangeType::kModified,
                .pod = pod(uid(i).c_str(), ends ? "Succeeded" : "Running")});
  }
  for (int turn = 0; turn < kPods; ++turn) {
    // Those that were fetched before come last, as they changed: the last pod first.
    const int i = turn < kPods - kFetched ? kFetched + turn : kPods - 1 - turn;
    const auto change = watch.poll();
    ASSERT_TRUE(change) << i;
    EXPECT_EQ(change->pod->metadata.uid, uid(i));
    const auto usual = i < kFetched ? ChangeType::kModified : ChangeType::kAdded;
    EXPECT_EQ(change->type, i % 3 == 0 ? ChangeType::kDeleted : usual) << i;
    EXPECT_EQ(change->pod->status.phase, i % 3 == 0 ? "Succeeded" : "Running") << i;
  }
  EXPECT_FALSE(watch.poll());
}

TEST_F(PodWatchTest, nothing_comes_after_the_end) {
  watch.end();
  watch.push({.type = ChangeType::kAdded, .pod = pod("a", "Pending")});
  EXPECT_FALSE(watch.poll());
}

}  // namespace
}  // namespace berth::lifecycle
