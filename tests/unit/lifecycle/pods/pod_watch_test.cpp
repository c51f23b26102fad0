// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_watch.hpp"

#include <memory>

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

TEST_F(PodWatchTest, nothing_comes_after_the_end) {
  watch.end();
  watch.push({.type = ChangeType::kAdded, .pod = pod("a", "Pending")});
  EXPECT_FALSE(watch.poll());
}

}  // namespace
}  // namespace berth::lifecycle
