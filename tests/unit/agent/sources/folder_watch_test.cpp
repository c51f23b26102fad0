// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/folder_watch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "agent/sources/mount_watch.hpp"
#include "base/virtual_clock.hpp"
#include "node/volumes/mounts.hpp"
#include "tests/unit/agent/run_on_loop.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

// Like a reader of the folder: follows its path, and waits for the next change.
class FolderWatching : public testing::Test {
 protected:
  ~FolderWatching() override {
    tasks.request_stop();
    loop.restart();
    loop.run();
  }

  void begin(const std::string& path, WatchFor what = WatchFor::kNewFiles) {
    auto opened = FolderWatch::open({.executor = loop.get_executor(), .clock = clock, .pool = pool},
                                    path, what);
    ASSERT_TRUE(opened.has_value());
    watch = std::move(*opened);
    tasks.spawn("count", count());
    changes();
  }

  boost::asio::awaitable<void> count() {
    while (true) {
      static_cast<void>(co_await watch->follow());
      static_cast<void>(co_await watch->changed());
      ++seen;
    }
  }

  // Changes since the last call. The kernel has queued an event before the call that caused it
  // returns, so no waiting is needed.
  int changes() {
    for (int turn = 0; turn < 16; ++turn) {
      loop.restart();
      loop.poll();
    }
    return std::exchange(seen, 0);
  }

  std::set<std::string> being_written() {
    static_cast<void>(changes());
    return watch->being_written();
  }

  // Atomically switches a link to another target.
  void switch_link(const std::string& name, const std::string& target) {
    fs::create_symlink(target, folder.path("next"));
    fs::rename(folder.path("next"), folder.path(name));
  }

  TemporaryFolder folder{};
  boost::asio::io_context loop{};
  VirtualClock clock{loop, WallTime(std::chrono::hours(1))};
  BlockingPool pool{loop.get_executor(), clock, {}};
  std::unique_ptr<FolderWatch> watch{};
  int seen = 0;
  TaskGroup tasks{loop.get_executor(), rethrow};
};

TEST_F(FolderWatching, reports_files_written_moved_and_removed) {
  begin(folder.path());
  folder.write("a", "1");
  EXPECT_GT(changes(), 0);
  fs::rename(folder.path("a"), folder.path("b"));
  EXPECT_GT(changes(), 0);
  fs::remove(folder.path("b"));
  EXPECT_GT(changes(), 0);
}

TEST_F(FolderWatching, does_not_report_writing_alone) {
  folder.write("a", "1");
  begin(folder.path());
  const int fd = ::open(folder.path("a").c_str(), O_WRONLY | O_APPEND);
  EXPECT_EQ(::write(fd, "x", 1), 1);
  EXPECT_EQ(changes(), 0);
  ::close(fd);
  EXPECT_GT(changes(), 0);
}

TEST_F(FolderWatching, reports_growth_where_a_log_is_watched) {
  folder.write("0.log", "1");
  begin(folder.path(), WatchFor::kGrowth);
  const int fd = ::open(folder.path("0.log").c_str(), O_WRONLY | O_APPEND);
  EXPECT_EQ(::write(fd, "x", 1), 1);
  EXPECT_GT(changes(), 0);
  ::close(fd);
}

TEST_F(FolderWatching, reports_a_name_alone_where_only_that_matters) {
  folder.write("it", "1");
  begin(folder.path("it"), WatchFor::kName);
  folder.write("other", "1");
  fs::rename(folder.path("other"), folder.path("another"));
  folder.append("it", "2");
  EXPECT_EQ(changes(), 0);
  fs::rename(folder.path("another"), folder.path("it"));
  EXPECT_GT(changes(), 0);
  fs::remove(folder.path("it"));
  EXPECT_GT(changes(), 0);
  fs::create_directory(folder.path("it"));
  EXPECT_GT(changes(), 0);
}

TEST_F(FolderWatching, waits_for_a_folder_that_is_missing) {
  const auto path = folder.path("etc/manifests");
  begin(path);
  fs::create_directories(path);
  EXPECT_GT(changes(), 0);
  folder.write("etc/manifests/a.yaml", "1");
  EXPECT_GT(changes(), 0);
}

TEST_F(FolderWatching, goes_on_when_the_folder_is_removed_and_made_again) {
  const auto path = folder.path("manifests");
  fs::create_directory(path);
  begin(path);
  fs::remove(path);
  EXPECT_GT(changes(), 0);
  fs::create_directory(path);
  EXPECT_GT(changes(), 0);
  folder.write("manifests/a.yaml", "1");
  EXPECT_GT(changes(), 0);
}

TEST_F(FolderWatching, goes_on_when_the_folder_is_replaced_by_another_one) {
  fs::create_directory(folder.path("manifests"));
  fs::create_directory(folder.path("prepared"));
  begin(folder.path("manifests"));
  fs::rename(folder.path("manifests"), folder.path("before"));
  fs::rename(folder.path("prepared"), folder.path("manifests"));
  EXPECT_GT(changes(), 0);
  folder.write("before/a.yaml", "1");
  EXPECT_EQ(changes(), 0) << "nobody reads it any more";
  folder.write("manifests/a.yaml", "1");
  EXPECT_GT(changes(), 0);
}

TEST_F(FolderWatching, reports_at_once_when_a_link_on_the_way_leads_elsewhere) {
  fs::create_directories(folder.path("one/manifests"));
  fs::create_directories(folder.path("two/manifests"));
  fs::create_symlink("one", folder.path("current"));
  begin(folder.path("current/manifests"));
  switch_link("current", folder.path("two"));
  EXPECT_GT(changes(), 0);
  folder.write("one/manifests/a.yaml", "1");
  EXPECT_EQ(changes(), 0);
  folder.write("two/manifests/a.yaml", "1");
  EXPECT_GT(changes(), 0);
}

TEST_F(FolderWatching, a_link_that_leads_to_itself_is_a_folder_that_is_missing) {
  fs::create_symlink("current", folder.path("current"));
  begin(folder.path("current"));
  EXPECT_EQ(changes(), 0);
  fs::create_directory(folder.path("one"));
  switch_link("current", "one");
  EXPECT_GT(changes(), 0);
}

// Switches ..data from one folder of files to the next.
TEST_F(FolderWatching, reports_when_a_projected_file_is_replaced_outside_the_folder) {
  fs::create_directory(folder.path("manifests"));
  fs::create_directories(folder.path("volume-1"));
  fs::create_directories(folder.path("volume-2"));
  folder.write("volume-1/web.yaml", "1");
  folder.write("volume-2/web.yaml", "2");
  fs::create_symlink("volume-1", folder.path("data"));
  fs::create_symlink("../data/web.yaml", folder.path("manifests/web.yaml"));
  begin(folder.path("manifests"));
  switch_link("data", "volume-2");
  EXPECT_GT(changes(), 0);
  folder.write("volume-2/web.yaml", "3");
  EXPECT_GT(changes(), 0) << "what it leads to by now is written";
  folder.write("volume-2/other.yaml", "3");
  EXPECT_EQ(changes(), 0) << "no file of the folder leads there";
}

TEST_F(FolderWatching, knows_what_is_being_written_behind_a_link) {
  fs::create_directory(folder.path("manifests"));
  folder.write("target", "1");
  fs::create_symlink(folder.path("target"), folder.path("manifests/web.yaml"));
  begin(folder.path("manifests"));
  std::ofstream slow(folder.path("target"));
  slow << "half" << std::flush;
  EXPECT_EQ(being_written(), std::set<std::string>{"web.yaml"});
  slow.close();
  EXPECT_GT(changes(), 0);
  EXPECT_TRUE(being_written().empty());
}

TEST_F(FolderWatching, knows_what_is_being_written) {
  begin(folder.path());
  std::ofstream slow(folder.path("slow.yaml"));
  EXPECT_EQ(being_written(), std::set<std::string>{});
  slow << "half" << std::flush;
  folder.write("quick.yaml", "whole");
  EXPECT_GT(changes(), 0) << "the quick one";
  EXPECT_EQ(being_written(), std::set<std::string>{"slow.yaml"});
  clock.advance(9s);
  slow << "more" << std::flush;
  EXPECT_EQ(being_written().size(), 1U);
  clock.advance(9s);
  EXPECT_EQ(being_written().size(), 1U);
  clock.advance(1s);
  EXPECT_TRUE(being_written().empty()) << "left open";
  slow << "rest" << std::flush;
  EXPECT_EQ(being_written().size(), 1U);
  EXPECT_EQ(changes(), 0);
  slow.close();
  EXPECT_GT(changes(), 0);
  EXPECT_TRUE(being_written().empty());
}

boost::asio::awaitable<void> count_mounts(MountWatch* mounts, int* seen) {
  while (true) {
    co_await mounts->changed();
    ++*seen;
  }
}

boost::asio::awaitable<void> look(FolderWatch* watch, bool* elsewhere) {
  *elsewhere = co_await watch->follow();
}

TEST_F(FolderWatching, finds_what_is_mounted_over_the_folder) {
  const auto path = folder.path("manifests");
  fs::create_directory(path);
  auto opened = FolderWatch::open({.executor = loop.get_executor(), .clock = clock, .pool = pool},
                                  path, WatchFor::kNewFiles);
  ASSERT_TRUE(opened.has_value());
  watch = std::move(*opened);
  const auto elsewhere = [this] {
    bool found = false;
    tasks.spawn("look", look(watch.get(), &found));
    static_cast<void>(changes());
    return found;
  };
  const auto mounts = MountWatch::open(loop.get_executor());
  ASSERT_NE(mounts, nullptr);
  int reported = 0;
  tasks.spawn("mounts", count_mounts(mounts.get(), &reported));
  EXPECT_TRUE(elsewhere());
  EXPECT_FALSE(elsewhere());
  reported = 0;
  const auto mounted = node::mount_tmpfs(path, {.private_to_root = true});
  if (!mounted && mounted.error().code == ErrorCode::kPermission) GTEST_SKIP() << "needs to mount";
  ASSERT_TRUE(mounted.has_value()) << mounted.error().message;
  EXPECT_TRUE(elsewhere());
  EXPECT_GT(reported, 0);
  reported = 0;
  ASSERT_TRUE(node::unmount(path).has_value());
  EXPECT_TRUE(elsewhere());
  EXPECT_GT(reported, 0);
  tasks.request_stop();
  static_cast<void>(changes());
}

}  // namespace
}  // namespace berth::agent
