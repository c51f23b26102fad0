#include "agent/folder_watch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "base/real_clock.hpp"
#include "base/virtual_clock.hpp"
#include "run_on_loop.hpp"
#include "temporary_folder.hpp"

namespace berth::agent {
namespace {

struct Seen {
  int changes = 0;
};

boost::asio::awaitable<void> count(FolderWatch* watch, Seen* seen) {
  while (true) {
    co_await watch->changed();
    ++seen->changes;
  }
}

// Counts the changes that `act` brings about. The kernel has an event in the queue before the call
// that caused it returns, so nothing has to be waited for.
template <class Act>
int changes_by(const std::string& path, WatchFor what, Act act) {
  boost::asio::io_context loop;
  const RealClock clock;
  auto watch = FolderWatch::open(loop.get_executor(), clock, path, what);
  EXPECT_TRUE(watch.has_value());
  Seen seen;
  TaskGroup tasks(loop.get_executor(), rethrow);
  tasks.spawn("count", count(watch->get(), &seen));
  loop.poll();
  act();
  for (int turn = 0; turn < 8; ++turn) loop.poll();
  tasks.request_stop();
  loop.run();
  return seen.changes;
}

TEST(FolderWatch, tells_of_files_written_moved_and_removed) {
  const TemporaryFolder folder;
  const auto path = folder.path();
  EXPECT_GT(changes_by(path, WatchFor::kNewFiles, [&] { folder.write("a", "1"); }), 0);
  EXPECT_GT(changes_by(path, WatchFor::kNewFiles,
                       [&] { std::filesystem::rename(folder.path("a"), folder.path("b")); }),
            0);
  EXPECT_GT(
      changes_by(path, WatchFor::kNewFiles, [&] { std::filesystem::remove(folder.path("b")); }), 0);
}

TEST(FolderWatch, writing_alone_is_no_change_of_a_manifest) {
  const TemporaryFolder folder;
  folder.write("a", "1");
  int fd = -1;
  const int changes = changes_by(folder.path(), WatchFor::kNewFiles, [&] {
    fd = ::open(folder.path("a").c_str(), O_WRONLY | O_APPEND);
    EXPECT_EQ(::write(fd, "x", 1), 1);
  });
  EXPECT_EQ(changes, 0);
  const int after_closing = changes_by(folder.path(), WatchFor::kNewFiles, [&] { ::close(fd); });
  EXPECT_GT(after_closing, 0);
}

TEST(FolderWatch, growth_is_what_a_log_is_watched_for) {
  const TemporaryFolder folder;
  folder.write("0.log", "1");
  int fd = -1;
  EXPECT_GT(changes_by(folder.path(), WatchFor::kGrowth,
                       [&] {
                         fd = ::open(folder.path("0.log").c_str(), O_WRONLY | O_APPEND);
                         EXPECT_EQ(::write(fd, "x", 1), 1);
                       }),
            0);
  ::close(fd);
}

TEST(FolderWatch, a_missing_folder_is_watched_until_it_is_there) {
  const TemporaryFolder folder;
  const auto path = folder.path("etc/manifests");
  const int changes =
      changes_by(path, WatchFor::kNewFiles, [&] { std::filesystem::create_directories(path); });
  EXPECT_GT(changes, 0);
}

TEST(FolderWatch, a_folder_that_is_removed_and_made_again_is_watched_again) {
  const TemporaryFolder folder;
  const auto path = folder.path("manifests");
  std::filesystem::create_directory(path);
  boost::asio::io_context loop;
  const RealClock clock;
  auto watch = FolderWatch::open(loop.get_executor(), clock, path, WatchFor::kNewFiles);
  ASSERT_TRUE(watch.has_value());
  Seen seen;
  TaskGroup tasks(loop.get_executor(), rethrow);
  tasks.spawn("count", count(watch->get(), &seen));
  const auto turn = [&] {
    for (int i = 0; i < 8; ++i) loop.poll();
    return std::exchange(seen.changes, 0);
  };
  turn();
  std::filesystem::remove(path);
  EXPECT_GT(turn(), 0);
  std::filesystem::create_directory(path);
  EXPECT_GT(turn(), 0);
  folder.write("manifests/a.yaml", "1");
  EXPECT_GT(turn(), 0);
  tasks.request_stop();
  loop.run();
}

TEST(FolderWatch, knows_what_is_being_written) {
  using namespace std::chrono_literals;
  const TemporaryFolder folder;
  boost::asio::io_context loop;
  VirtualClock clock(loop, WallTime(std::chrono::hours(1)));
  auto watch = FolderWatch::open(loop.get_executor(), clock, folder.path(), WatchFor::kNewFiles);
  ASSERT_TRUE(watch.has_value());
  Seen seen;
  TaskGroup tasks(loop.get_executor(), rethrow);
  tasks.spawn("count", count(watch->get(), &seen));
  const auto written = [&] {
    for (int i = 0; i < 8; ++i) loop.poll();
    return (*watch)->being_written(clock.steady_now());
  };
  std::ofstream slow(folder.path("slow.yaml"));
  EXPECT_EQ(written(), std::set<std::string>{});
  slow << "half" << std::flush;
  folder.write("quick.yaml", "whole");
  EXPECT_EQ(written(), std::set<std::string>{"slow.yaml"});
  EXPECT_GT(std::exchange(seen.changes, 0), 0) << "the quick one";
  clock.advance(9s);
  slow << "more" << std::flush;
  clock.advance(9s);
  EXPECT_EQ(written().size(), 1U);
  clock.advance(1s);
  EXPECT_TRUE(written().empty()) << "left open";
  slow << "rest" << std::flush;
  EXPECT_EQ(written().size(), 1U);
  EXPECT_EQ(seen.changes, 0);
  slow.close();
  EXPECT_TRUE(written().empty());
  EXPECT_GT(seen.changes, 0);
  tasks.request_stop();
  loop.run();
}

boost::asio::awaitable<void> count_until(FolderWatch* watch, Clock* clock, Seen* seen) {
  while (true) {
    co_await watch->changed_until(*clock, clock->steady_now() + std::chrono::minutes(1));
    ++seen->changes;
  }
}

TEST(FolderWatch, follows_a_path_that_leads_elsewhere_by_looking_again) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("one"));
  std::filesystem::create_directory(folder.path("two"));
  std::filesystem::create_directory_symlink("one", folder.path("current"));
  boost::asio::io_context loop;
  VirtualClock clock(loop, WallTime(std::chrono::hours(1)));
  auto watch =
      FolderWatch::open(loop.get_executor(), clock, folder.path("current"), WatchFor::kNewFiles);
  ASSERT_TRUE(watch.has_value());
  Seen seen;
  TaskGroup tasks(loop.get_executor(), rethrow);
  tasks.spawn("count", count_until(watch->get(), &clock, &seen));
  const auto turn = [&] {
    for (int i = 0; i < 8; ++i) loop.poll();
    return std::exchange(seen.changes, 0);
  };
  turn();
  std::filesystem::create_directory_symlink("two", folder.path("next"));
  std::filesystem::rename(folder.path("next"), folder.path("current"));
  EXPECT_EQ(turn(), 0) << "nobody tells";
  clock.advance(std::chrono::minutes(1));
  EXPECT_EQ(turn(), 1);
  folder.write("two/a.yaml", "1");
  EXPECT_GT(turn(), 0) << "the new folder is watched";
  tasks.request_stop();
  loop.run();
}

}  // namespace
}  // namespace berth::agent
