// SPDX-License-Identifier: Apache-2.0

// Commits that do not wait for the disk.
#include "agent/store/store_file.hpp"

#include <chrono>
#include <future>

#include <gtest/gtest.h>

#include "tests/unit/agent/store/held_disk.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

class StoreFileTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = StoreFile::open(folder.path("state.db"));
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    file = std::move(*opened);
    ASSERT_TRUE(file.configure().has_value());
    ASSERT_TRUE(file.execute("CREATE TABLE rows(number INTEGER) STRICT").has_value());
  }
  bool commits(Durability durability) {
    return file.begin(durability).has_value() &&
           file.execute("INSERT INTO rows VALUES(1)").has_value() && file.commit().has_value();
  }
  // Whether the commit is made although no write becomes durable.
  bool commits_without_the_disk(Durability durability) {
    disk.hold();
    auto done = std::async(std::launch::async, [&] { return commits(durability); });
    const bool at_once = done.wait_for(10s) == std::future_status::ready;
    disk.release();
    EXPECT_TRUE(done.get());
    return at_once;
  }

  TemporaryFolder folder{};
  HeldDisk disk{};
  StoreFile file{};
};

TEST_F(StoreFileTest, a_commit_that_is_to_outlive_berthd_alone_does_not_wait) {
  EXPECT_TRUE(commits(Durability::kNormal));
  EXPECT_TRUE(commits_without_the_disk(Durability::kNormal));
}

TEST_F(StoreFileTest, the_first_commit_after_the_log_was_moved_does_not_wait_either) {
  EXPECT_TRUE(commits(Durability::kFull));
  file.checkpoint();
  EXPECT_TRUE(commits_without_the_disk(Durability::kNormal));
  EXPECT_EQ(file.number("PRAGMA user_version"), 0) << "as it was";
}

}  // namespace
}  // namespace berth::agent
