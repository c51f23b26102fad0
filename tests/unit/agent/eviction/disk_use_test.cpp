// SPDX-License-Identifier: Apache-2.0

// Disk usage of directories: counted as the disk counts it, in steps, and renewed when it is due.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "agent/eviction/disk_uses.hpp"
#include "agent/eviction/disk_walk.hpp"
#include "node/volumes/mounts.hpp"
#include "tests/unit/base/loop_fixture.hpp"
#include "tests/unit/node/host_test_support.hpp"

namespace berth::agent {
namespace {

namespace fs = std::filesystem;

std::int64_t allocated(const std::string& path) {
  struct stat found {};
  EXPECT_EQ(::lstat(path.c_str(), &found), 0) << path;
  return static_cast<std::int64_t>(found.st_blocks) * 512;
}

DiskWalk walked(const std::string& top, std::size_t entries_a_step, std::size_t* steps = nullptr) {
  DiskWalk walk(top);
  std::size_t count = 0;
  while (!walk.over()) {
    walk.step(entries_a_step);
    ++count;
  }
  if (steps != nullptr) *steps = count;
  return walk;
}

class DiskWalkTest : public testing::Test {
 protected:
  void SetUp() override {
    node::put_file(folder / "a", std::string(10'000, 'a'));
    node::put_file(folder / "sub/b", std::string(5'000, 'b'));
    for (int i = 0; i < 50; ++i) node::put_file(folder / ("sub/deep/" + std::to_string(i)), "x");
    for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
      bytes += allocated(entry.path().string());
      ++inodes;
    }
    bytes += allocated(folder.path());
    ++inodes;
  }
  [[nodiscard]] eviction::UsedSpace all() const { return {.bytes = bytes, .inodes = inodes}; }

  node::TemporaryDirectory folder{};
  std::int64_t bytes = 0;
  std::int64_t inodes = 0;
};

TEST_F(DiskWalkTest, counts_everything_however_many_steps_it_takes) {
  for (const std::size_t entries : {1U, 2U, 7U, 1000U}) {
    std::size_t steps = 0;
    EXPECT_EQ(walked(folder.path(), entries, &steps).result(), all()) << entries;
    EXPECT_GE(steps, 54 / (entries + 1)) << entries;
  }
}

TEST_F(DiskWalkTest, looks_at_no_more_than_it_may_in_a_step) {
  DiskWalk walk(folder.path());
  while (!walk.over()) EXPECT_LE(walk.step(5), 7U) << "a directory itself counts too";
}

TEST_F(DiskWalkTest, counts_a_file_of_several_names_once) {
  ASSERT_EQ(::link((folder / "a").c_str(), (folder / "sub/again").c_str()), 0);
  EXPECT_EQ(walked(folder.path(), 3).result()->inodes, inodes);
}

TEST_F(DiskWalkTest, does_not_leave_its_file_system) {
  const std::string mounted = folder / "mounted";
  fs::create_directory(mounted);
  if (!node::mount_tmpfs(mounted, {})) GTEST_SKIP() << "needs to mount";
  node::put_file(mounted + "/file", "x");
  const auto walk = walked(folder.path(), 3);
  EXPECT_TRUE(node::unmount(mounted));
  ASSERT_TRUE(walk.result());
  EXPECT_EQ(walk.result()->inodes, inodes);
}

TEST_F(DiskWalkTest, follows_no_link) {
  ASSERT_EQ(::symlink("/usr", (folder / "out").c_str()), 0);
  EXPECT_EQ(walked(folder.path(), 3).result()->inodes, inodes + 1) << "the link itself";
}

TEST_F(DiskWalkTest, of_a_file_is_the_file_and_of_nothing_is_absent) {
  EXPECT_EQ(walked(folder / "a", 1).result(),
            (eviction::UsedSpace{.bytes = allocated(folder / "a"), .inodes = 1}));
  EXPECT_EQ(walked(folder / "none", 1).result(), std::nullopt);
}

TEST_F(DiskWalkTest, ends_without_a_result_when_all_is_removed_meanwhile) {
  DiskWalk walk(folder.path());
  walk.step(2);
  fs::remove_all(folder.path());
  while (!walk.over()) walk.step(2);
  EXPECT_EQ(walk.result(), std::nullopt);
}

class DiskUsesTest : public LoopFixture {
 protected:
  boost::asio::awaitable<void> take_step() { looked_at = co_await uses.step(); }
  std::size_t step() {
    looked_at = 0;
    spawn_and_drain(take_step());
    return looked_at;
  }

  node::TemporaryDirectory folder{};
  BlockingPool pool{loop.get_executor(), clock, {}};
  DiskUses uses{clock, pool, 1min};
  std::size_t looked_at = 0;
};

TEST_F(DiskUsesTest, new_places_are_measured_at_once_and_again_after_one_to_two_periods) {
  node::put_file(folder / "v/file", "x");
  uses.watch({folder / "v"});
  EXPECT_EQ(uses.of(folder / "v"), std::nullopt) << "not measured yet";
  EXPECT_GT(step(), 0U);
  ASSERT_TRUE(uses.of(folder / "v").has_value());
  EXPECT_EQ(uses.of(folder / "v")->used.inodes, 2);
  EXPECT_EQ(uses.of(folder / "v")->began, clock.steady_now());
  node::put_file(folder / "v/more", "x");
  clock.advance(50s);
  EXPECT_EQ(step(), 0U);
  ASSERT_TRUE(uses.next_step().has_value());
  clock.advance(70s);
  EXPECT_GT(step(), 0U);
  EXPECT_EQ(uses.of(folder / "v")->used.inodes, 3);
}

TEST_F(DiskUsesTest, what_is_not_watched_any_more_is_forgotten) {
  node::put_file(folder / "v/file", "x");
  uses.watch({folder / "v"});
  step();
  uses.watch({});
  EXPECT_EQ(uses.of(folder / "v"), std::nullopt);
  EXPECT_EQ(uses.next_step(), std::nullopt);
}

TEST_F(DiskUsesTest, a_large_directory_takes_several_steps_and_a_rest_between_them) {
  for (std::size_t i = 0; i < DiskUses::kEntriesAStep + 10; ++i)
    node::put_file(folder / ("v/" + std::to_string(i)), "");
  uses.watch({folder / "v"});
  EXPECT_LE(step(), DiskUses::kEntriesAStep + 1);
  EXPECT_EQ(uses.of(folder / "v"), std::nullopt) << "not over yet";
  EXPECT_EQ(uses.next_step(), clock.steady_now() + DiskUses::kStepPause);
  step();
  EXPECT_EQ(uses.of(folder / "v")->used.inodes,
            static_cast<std::int64_t>(DiskUses::kEntriesAStep) + 11);
}

TEST_F(DiskUsesTest, what_was_measured_too_long_ago_is_not_known_any_more) {
  node::put_file(folder / "v/file", "x");
  uses.watch({folder / "v"});
  step();
  clock.advance(3min);
  EXPECT_TRUE(uses.of(folder / "v").has_value());
  clock.advance(1s);
  EXPECT_EQ(uses.of(folder / "v"), std::nullopt);
}

TEST_F(DiskUsesTest, a_walk_that_takes_long_may_be_older_by_as_much) {
  for (std::size_t i = 0; i < DiskUses::kEntriesAStep + 10; ++i)
    node::put_file(folder / ("v/" + std::to_string(i)), "");
  uses.watch({folder / "v"});
  step();
  clock.advance(2min);
  step();
  clock.advance(5min);
  EXPECT_TRUE(uses.of(folder / "v").has_value()) << "the next one takes as long";
  clock.advance(1s);
  EXPECT_EQ(uses.of(folder / "v"), std::nullopt);
}

class RenewedDiskUsesTest : public DiskUsesTest {
 protected:
  void SetUp() override {
    node::put_file(folder / "v/file", "x");
    uses.watch({folder / "v"});
    step();
    node::put_file(folder / "v/more", "x");
  }
  void TearDown() override {
    spawn_and_drain(walks.stop());
    DiskUsesTest::TearDown();
  }
  void renew(Nanoseconds patience) {
    spawn_and_drain(
        uses.renew({folder / "v", folder / "unknown"}, clock.steady_now() + patience, walks));
  }
  PatientWork<Walked> walks{loop.get_executor(), clock, pool,
                            [](auto, auto failure) { std::rethrow_exception(failure); }};
};

TEST_F(RenewedDiskUsesTest, are_measured_anew_though_they_are_not_due) {
  renew(2s);
  EXPECT_EQ(uses.of(folder / "v")->used.inodes, 3);
  EXPECT_EQ(uses.of(folder / "unknown"), std::nullopt);
}

TEST_F(RenewedDiskUsesTest, that_are_not_over_in_time_stand_as_they_were) {
  renew(0s);
  EXPECT_EQ(uses.of(folder / "v")->used.inodes, 2);
}

TEST_F(RenewedDiskUsesTest, stand_against_an_older_walk_that_ends_later) {
  for (std::size_t i = 0; i < DiskUses::kEntriesAStep + 10; ++i)
    node::put_file(folder / ("v/" + std::to_string(i)), "");
  clock.advance(2min);
  step();  // begins a walk and does not finish it
  clock.advance(1s);
  fs::remove_all(folder / "v");
  node::put_file(folder / "v/file", "x");
  renew(2s);
  EXPECT_EQ(uses.of(folder / "v")->used.inodes, 2);
  EXPECT_EQ(step(), 0U) << "nor is the older walk gone on with";
}

TEST_F(DiskUsesTest, a_period_of_zero_walks_nothing) {
  DiskUses none(clock, pool, 0s);
  none.watch({folder.path()});
  EXPECT_EQ(none.next_step(), std::nullopt);
}

}  // namespace
}  // namespace berth::agent
