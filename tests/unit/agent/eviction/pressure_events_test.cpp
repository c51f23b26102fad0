// SPDX-License-Identifier: Apache-2.0

// The kernel's notifications that memory is getting short: from cgroups that the test creates, if
// this machine allows that, and from files that simulate a kernel without them.
#include "agent/eviction/pressure_events.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/real_clock.hpp"
#include "tests/unit/agent/eviction/made_up_machine.hpp"
#include "tests/unit/agent/run_on_loop.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
constexpr std::int64_t kMi = std::int64_t{1} << 20U;

// A version 1 memory cgroup with a limit, so that nothing outside it is affected.
class OwnCgroup {
 public:
  OwnCgroup() {
    path_ = "/berth-pressure-test-" + std::to_string(::getpid());
    made_ = ::mkdir(directory().c_str(), 0755) == 0 &&
            node::write_existing(directory() + "/memory.limit_in_bytes", "134217728").has_value();
  }
  OwnCgroup(const OwnCgroup&) = delete;
  OwnCgroup& operator=(const OwnCgroup&) = delete;
  ~OwnCgroup() { static_cast<void>(::rmdir(directory().c_str())); }

  [[nodiscard]] bool made() const { return made_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string directory() const { return "/sys/fs/cgroup/memory" + path_; }

  // Runs a process in the cgroup that uses that much memory and exits.
  void fill(std::int64_t size) const {
    const auto bytes = static_cast<std::size_t>(size);
    const pid_t child = ::fork();
    if (child == 0) {
      if (!node::write_existing(directory() + "/cgroup.procs", "0")) ::_exit(1);
      void* memory =
          ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) ::_exit(2);
      std::memset(memory, 1, bytes);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0) << "it could not take its memory";
  }

 private:
  std::string path_{};
  bool made_ = false;
};

class PressureEventsTest : public testing::Test {
 protected:
  void make_events(const std::string& mount, const std::string& pods, const std::string& proc) {
    events = std::make_unique<PressureEvents>(
        PressureEvents::Services{
            .executor = loop.get_executor(), .clock = clock, .pool = pool, .on_failure = rethrow},
        std::make_shared<const MemoryCgroups>(mount), pods, proc, [this] { ++words; });
  }
  [[nodiscard]] std::ptrdiff_t listens_to(const std::string& name) const {
    return std::ranges::count(events->sources(), name);
  }
  boost::asio::awaitable<void> aim(UsageLevels levels) {
    auto aiming = events->aim(levels);
    co_await std::move(aiming);
  }

  boost::asio::awaitable<void> hear_nothing() {
    co_await events->start();
    quiet = listens_to(machine.proc() + "/pressure/memory") == 0;
    const UsageLevels levels{.root = 1000, .pods = 1000};
    co_await aim(levels);
    co_await events->stop();
  }
  boost::asio::awaitable<void> hear_of_counters() {
    co_await events->start();
    EXPECT_EQ(listens_to(machine.cgroups() + "/kubepods/memory.events"), 1);
    co_await clock.sleep_for(20ms);
    EXPECT_EQ(words, 0);
    machine.put("cgroup/kubepods/memory.events", "high 1\nmax 0\noom 0\n");
    co_await clock.sleep_for(50ms);
    EXPECT_GE(words, 1);
    co_await events->stop();
  }
  boost::asio::awaitable<void> hear_of_levels(const OwnCgroup* cgroup) {
    co_await events->start();
    const UsageLevels near{.pods = 32 * kMi};
    co_await aim(near);
    EXPECT_EQ(events->sources().size(), 1U);
    co_await clock.sleep_for(20ms);
    cgroup->fill(8 * kMi);
    co_await clock.sleep_for(50ms);
    EXPECT_EQ(words, 0) << "it is far from its level";
    cgroup->fill(64 * kMi);
    co_await clock.sleep_for(50ms);
    EXPECT_GE(words, 1);
    const int before = words;
    const UsageLevels far{.pods = 100 * kMi};
    co_await aim(far);
    co_await clock.sleep_for(150ms);
    cgroup->fill(64 * kMi);
    co_await clock.sleep_for(50ms);
    EXPECT_EQ(words, before) << "the level has moved";
    EXPECT_EQ(events->sources().size(), 1U);
    co_await events->stop();
  }

  MadeUpMachine machine{};
  boost::asio::io_context loop{1};
  RealClock clock{};
  BlockingPool pool{loop.get_executor(), clock, {.threads = 1}};
  std::unique_ptr<PressureEvents> events{};
  int words = 0;
  bool quiet = false;
};

TEST_F(PressureEventsTest, a_kernel_without_any_of_it_is_done_without) {
  machine.make_v2();
  machine.put("proc/meminfo", "");
  make_events(machine.cgroups(), "/kubepods", machine.proc());
  run_on(loop, hear_nothing());
  EXPECT_TRUE(quiet);
  EXPECT_EQ(words, 0);
}

TEST_F(PressureEventsTest, counters_of_a_cgroup_of_version_2_are_heard) {
  machine.make_v2();
  machine.put("cgroup/kubepods/memory.events", "high 0\nmax 0\noom 0\n");
  make_events(machine.cgroups(), "/kubepods", machine.proc());
  run_on(loop, hear_of_counters());
}

TEST_F(PressureEventsTest,
       use_that_crosses_its_level_is_reported_at_once_and_another_level_is_not) {
  const OwnCgroup cgroup;
  if (!cgroup.made()) GTEST_SKIP() << "no memory cgroup of version 1 can be made here";
  make_events("/sys/fs/cgroup", cgroup.path(), "/nowhere");
  run_on(loop, hear_of_levels(&cgroup));
}

}  // namespace
}  // namespace berth::agent
