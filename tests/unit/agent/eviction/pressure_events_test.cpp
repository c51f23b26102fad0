// The kernel's word that memory gets short: from cgroups of this machine's own, where there are
// any, and from files that stand for a kernel without any.
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
constexpr std::size_t kMi = std::size_t{1} << 20U;

// A memory cgroup of version 1 with a limit, so that nothing outside it is touched.
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

  // A process in it that takes so much memory and ends.
  void fill(std::size_t bytes) const {
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
  std::unique_ptr<PressureEvents> events_of(const std::string& mount, const std::string& pods,
                                            const std::string& proc) {
    return std::make_unique<PressureEvents>(
        PressureEvents::Services{
            .executor = loop.get_executor(), .clock = clock, .pool = pool, .on_failure = rethrow},
        std::make_shared<const MemoryCgroups>(mount), pods, proc, [this] { ++words; });
  }

  boost::asio::io_context loop{1};
  RealClock clock{};
  BlockingPool pool{loop.get_executor(), clock, {.threads = 1}};
  int words = 0;
};

TEST_F(PressureEventsTest, a_kernel_without_any_of_it_is_done_without) {
  const MadeUpMachine machine;
  machine.make_v2();
  machine.put("proc/meminfo", "");
  const auto events = events_of(machine.cgroups(), "/kubepods", machine.proc());
  const auto listen = [&]() -> boost::asio::awaitable<void> {
    co_await events->start();
    EXPECT_EQ(std::ranges::count(events->sources(), machine.proc() + "/pressure/memory"), 0);
    co_await events->aim({.root = 1000, .pods = 1000});
    co_await events->stop();
  };
  run_on(loop, listen());
  EXPECT_EQ(words, 0);
}

TEST_F(PressureEventsTest, counters_of_a_cgroup_of_version_2_are_heard) {
  const MadeUpMachine machine;
  machine.make_v2();
  machine.put("cgroup/kubepods/memory.events", "high 0\nmax 0\noom 0\n");
  const auto events = events_of(machine.cgroups(), "/kubepods", machine.proc());
  const auto listen = [&]() -> boost::asio::awaitable<void> {
    co_await events->start();
    EXPECT_EQ(std::ranges::count(events->sources(), machine.cgroups() + "/kubepods/memory.events"),
              1);
    co_await clock.sleep_for(20ms);
    EXPECT_EQ(words, 0);
    machine.put("cgroup/kubepods/memory.events", "high 1\nmax 0\noom 0\n");
    co_await clock.sleep_for(50ms);
    EXPECT_GE(words, 1);
    co_await events->stop();
  };
  run_on(loop, listen());
}

TEST_F(PressureEventsTest, use_that_crosses_its_level_is_told_at_once_and_another_level_is_not) {
  const OwnCgroup cgroup;
  if (!cgroup.made()) GTEST_SKIP() << "no memory cgroup of version 1 can be made here";
  const auto events = events_of("/sys/fs/cgroup", cgroup.path(), "/nowhere");
  const auto listen = [&]() -> boost::asio::awaitable<void> {
    co_await events->start();
    co_await events->aim({.pods = 32 * kMi});
    EXPECT_EQ(events->sources().size(), 1U);
    co_await clock.sleep_for(20ms);
    cgroup.fill(8 * kMi);
    co_await clock.sleep_for(50ms);
    EXPECT_EQ(words, 0) << "it is far from its level";
    cgroup.fill(64 * kMi);
    co_await clock.sleep_for(50ms);
    EXPECT_GE(words, 1);
    const int before = words;
    co_await events->aim({.pods = 100 * kMi});
    co_await clock.sleep_for(150ms);
    cgroup.fill(64 * kMi);
    co_await clock.sleep_for(50ms);
    EXPECT_EQ(words, before) << "the level has moved";
    EXPECT_EQ(events->sources().size(), 1U);
    co_await events->stop();
  };
  run_on(loop, listen());
}

}  // namespace
}  // namespace berth::agent
