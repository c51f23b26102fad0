// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/control_socket.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "agent/serve/control_keeper.hpp"
#include "base/virtual_clock.hpp"
#include "tests/unit/agent/recorded_log.hpp"
#include "tests/unit/agent/run_on_loop.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

Descriptor connected_to(const std::string& path) {
  Descriptor caller(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const void* raw = &address;
  const int done = ::connect(caller.get(), static_cast<const sockaddr*>(raw), sizeof address);
  return done == 0 ? std::move(caller) : Descriptor();
}

// A socket on which nobody listens any more, as after a crash.
void leave_dead_socket(const std::string& path) {
  ASSERT_TRUE(listen_on_control_socket(path, ""));
}

mode_t mode_of(const std::string& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 ? found.st_mode & 0777 : 0;
}

TEST(ControlSocket, is_made_with_its_folder_for_its_group_alone) {
  const TemporaryFolder folder;
  const auto path = folder.path("run/berth/berthd.sock");
  const auto mask = ::umask(0);
  const auto listening = listen_on_control_socket(path, "");
  ::umask(mask);
  ASSERT_TRUE(listening);
  EXPECT_EQ(mode_of(path), 0660U);
  EXPECT_EQ(file_at(path), listening->file);
  EXPECT_TRUE(connected_to(path).is_open());
}

TEST(ControlSocket, is_not_left_behind_when_its_group_is_not_there) {
  const TemporaryFolder folder;
  const auto listening = listen_on_control_socket(folder.path("s"), "no-such-group");
  ASSERT_FALSE(listening);
  EXPECT_NE(listening.error().message.find("no-such-group"), std::string::npos);
  EXPECT_FALSE(file_at(folder.path("s")));
}

TEST(ControlSocket, takes_the_place_of_a_socket_that_nobody_answers_on_and_of_nothing_else) {
  const TemporaryFolder folder;
  leave_dead_socket(folder.path("dead"));
  EXPECT_TRUE(listen_on_control_socket(folder.path("dead"), ""));

  const auto first = listen_on_control_socket(folder.path("alive"), "");
  const auto second = listen_on_control_socket(folder.path("alive"), "");
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("another berthd answers"), std::string::npos);
  EXPECT_EQ(file_at(folder.path("alive")), first->file);

  folder.write("file", "somebody's");
  fs::create_directory(folder.path("folder"));
  fs::create_symlink("dead", folder.path("link"));
  for (const std::string name : {"file", "folder", "link"}) {
    const auto before = file_at(folder.path(name));
    const auto refused = listen_on_control_socket(folder.path(name), "");
    ASSERT_FALSE(refused) << name;
    EXPECT_NE(refused.error().message.find("is in the way"), std::string::npos) << name;
    EXPECT_EQ(file_at(folder.path(name)), before) << name;
  }
}

TEST(ControlSocket, removes_its_own_file_and_no_other) {
  const TemporaryFolder folder;
  const auto path = folder.path("s");
  const auto ours = listen_on_control_socket(path, "");
  fs::remove(path);
  folder.write("s", "somebody's");
  remove_control_socket(path, ours->file);
  EXPECT_TRUE(fs::exists(path));
  fs::remove(path);
  const auto again = listen_on_control_socket(path, "");
  remove_control_socket(path, again->file);
  EXPECT_FALSE(file_at(path));
}

// A keeper with its bound socket, and a log.
class KeptSocket : public testing::Test {
 protected:
  ~KeptSocket() override {
    if (keeper) stop();
  }

  void begin(const std::string& path) {
    auto bound = listen_on_control_socket(path, "");
    ASSERT_TRUE(bound);
    listening = std::move(bound->socket);
    keeper = std::make_unique<ControlKeeper>(
        ControlKeeper::Services{
            .executor = loop.get_executor(), .clock = clock, .log = log, .pool = pool},
        ControlKeeper::Place{.path = path}, rethrow);
    keeper->start(bound->file, [this](Descriptor later) {
      listening = std::move(later);
      ++times;
    });
    settle();
  }

  // The kernel has queued an event before the call that caused it returns, so no waiting is needed.
  void settle() {
    for (int turn = 0; turn < 16; ++turn) {
      loop.restart();
      loop.poll();
    }
  }
  void after(Nanoseconds span) {
    clock.advance(span);
    settle();
  }
  // Waits long enough for the keeper to notice a change.
  void pass() {
    settle();
    after(100ms);
  }
  void stop() {
    run_on(loop, keeper->stop());
    keeper.reset();
  }

  // Whether a new caller is accepted.
  bool reached(const std::string& path) {
    const Descriptor caller = connected_to(path);
    if (!caller.is_open()) return false;
    const auto accepted = accept_caller(listening.get());
    return accepted && *accepted;
  }
  int logged(const std::string& event) const {
    int lines = 0;
    for (const auto& line : log.lines) lines += line.event == event ? 1 : 0;
    return lines;
  }

  TemporaryFolder folder{};
  boost::asio::io_context loop{};
  VirtualClock clock{loop, WallTime(std::chrono::hours(1))};
  BlockingPool pool{loop.get_executor(), clock, {}};
  RecordedLog log{};
  Descriptor listening{};
  int times = 0;
  std::unique_ptr<ControlKeeper> keeper{};
};

TEST_F(KeptSocket, is_made_again_when_it_is_deleted_moved_or_replaced_by_a_dead_one) {
  const auto path = folder.path("berthd.sock");
  leave_dead_socket(folder.path("dead"));
  begin(path);
  EXPECT_EQ(times, 0);
  fs::remove(path);
  pass();
  EXPECT_EQ(times, 1);
  EXPECT_EQ(mode_of(path), 0660U);
  EXPECT_TRUE(reached(path));
  fs::rename(path, folder.path("elsewhere"));
  pass();
  EXPECT_TRUE(reached(path));
  fs::rename(folder.path("dead"), path);
  pass();
  EXPECT_TRUE(reached(path));
  EXPECT_EQ(times, 3);
  EXPECT_EQ(logged("ControlSocketRemade"), 1) << "once within a minute";
}

TEST_F(KeptSocket, is_made_again_when_its_folder_is_deleted_moved_or_made_anew) {
  const auto path = folder.path("run/berth/berthd.sock");
  begin(path);
  fs::remove_all(folder.path("run"));
  pass();
  EXPECT_TRUE(reached(path));
  fs::rename(folder.path("run"), folder.path("moved"));
  fs::create_directories(folder.path("run/berth"));
  pass();
  EXPECT_TRUE(reached(path));
}

TEST_F(KeptSocket, leaves_what_is_in_its_place_alone_and_comes_back_when_that_has_gone) {
  const auto path = folder.path("berthd.sock");
  begin(path);
  folder.write("theirs", "somebody's");
  fs::rename(folder.path("theirs"), path);
  pass();
  for (int minute = 0; minute < 60; ++minute) after(1min);
  EXPECT_EQ(times, 0);
  EXPECT_TRUE(fs::is_regular_file(path));
  ASSERT_EQ(logged("ControlSocketLost"), 1);
  EXPECT_NE(log.lines.back().message.find(path + " is in the way"), std::string::npos);
  fs::remove(path);
  pass();
  EXPECT_TRUE(reached(path));
  EXPECT_EQ(logged("ControlSocketRemade"), 1);
}

TEST_F(KeptSocket, is_not_made_twice_when_it_is_moved_away_and_back) {
  const auto path = folder.path("berthd.sock");
  begin(path);
  fs::rename(path, folder.path("kept"));
  fs::create_directory(path);
  pass();
  EXPECT_EQ(logged("ControlSocketLost"), 1);
  fs::remove(path);
  fs::rename(folder.path("kept"), path);
  pass();
  EXPECT_EQ(times, 0);
  EXPECT_TRUE(reached(path));
}

TEST_F(KeptSocket, is_tried_again_where_no_event_says_that_it_can_be_made) {
  const auto path = folder.path("run/berthd.sock");
  begin(path);
  fs::remove_all(folder.path("run"));
  folder.write("run", "somebody's file");
  pass();
  EXPECT_EQ(logged("ControlSocketLost"), 1);
  fs::remove(folder.path("run"));
  after(11s);
  EXPECT_TRUE(reached(path));
}

TEST_F(KeptSocket, is_made_ten_times_a_second_at_most) {
  const auto path = folder.path("berthd.sock");
  begin(path);
  for (int i = 0; i < 100; ++i) {
    fs::remove(path);
    after(10ms);
  }
  EXPECT_LE(times, 11);
  pass();
  EXPECT_TRUE(reached(path));
}

TEST_F(KeptSocket, is_removed_in_the_end_if_it_is_ours) {
  const auto path = folder.path("berthd.sock");
  begin(path);
  stop();
  EXPECT_FALSE(file_at(path));
  begin(path);
  folder.write("theirs", "somebody's");
  fs::rename(folder.path("theirs"), path);
  stop();
  EXPECT_TRUE(fs::is_regular_file(path));
}

}  // namespace
}  // namespace berth::agent
