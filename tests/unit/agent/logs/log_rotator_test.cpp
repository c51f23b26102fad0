// SPDX-License-Identifier: Apache-2.0

// Which logs are rotated when, on a virtual clock with real files; and that nothing happens while
// no container runs.
#include "agent/logs/log_rotator.hpp"

#include <algorithm>
#include <fstream>

#include "node/pod_paths.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/unit/agent/recorded_log.hpp"
#include "tests/unit/agent/temporary_folder.hpp"
#include "tests/unit/base/loop_fixture.hpp"

namespace berth::agent {
namespace {

class LogRotatorTest : public LoopFixture {
 protected:
  void SetUp() override {
    paths.pod_logs = folder.path();
    rotator = std::make_unique<LogRotator>(
        LogRotator::Services{
            .executor = loop.get_executor(),
            .clock = clock,
            .log = lines,
            .pool = pool,
            .runtime = runtime,
            .on_failure = [](auto, auto failure) { std::rethrow_exception(failure); }},
        paths, LogRotator::Rules{.policy = {.max_bytes = 1000}, .interval = 10s});
    spawn_and_drain(rotator->run(watch));
  }
  void TearDown() override {
    watch->end();
    drain();
    spawn_and_drain(runtime.shutdown());
    LoopFixture::TearDown();
    EXPECT_TRUE(lines.lines.empty()) << lines.lines.front().message;
  }

  void shown(bool runs) {
    auto pod = std::make_shared<api::Pod>();
    pod->metadata = {.name = "web", .namespace_ = "default", .uid = "u1"};
    api::ContainerStatus status{.name = "main", .containerID = "containerd://abc"};
    if (runs) status.state.running = api::ContainerStateRunning{};
    pod->status.containerStatuses = {status};
    logs = node::pod_log_directory(paths, *pod) + "/main";
    std::filesystem::create_directories(logs);
    watch->push({.type = lifecycle::ChangeType::kModified, .pod = pod});
    drain();
  }
  void write(std::size_t bytes) {
    std::ofstream(logs + "/0.log", std::ios::app) << std::string(bytes, 'x');
  }
  [[nodiscard]] std::int64_t files() const {
    return std::distance(std::filesystem::directory_iterator(logs), {});
  }

  TemporaryFolder folder{};
  node::NodePaths paths{};
  RecordedLog lines{};
  std::string logs{};
  BlockingPool pool{loop.get_executor(), clock, {}};
  simulation::SimulatedRuntime runtime{loop.get_executor(), clock, {}};
  std::shared_ptr<lifecycle::PodWatch> watch =
      std::make_shared<lifecycle::PodWatch>(loop.get_executor());
  std::unique_ptr<LogRotator> rotator{};
};

TEST_F(LogRotatorTest, a_log_that_reached_its_size_is_rotated_at_the_next_look) {
  shown(true);
  write(999);
  clock.advance(11s);
  EXPECT_EQ(files(), 1);
  write(1);
  clock.advance(11s);
  EXPECT_EQ(files(), 1);
  EXPECT_FALSE(std::filesystem::exists(logs + "/0.log")) << "the runtime would open it anew";
}

TEST_F(LogRotatorTest, nothing_is_asked_or_awaited_where_no_container_runs) {
  shown(true);
  write(5000);
  shown(false);
  const auto before = runtime.calls();
  clock.advance(1min);
  EXPECT_EQ(clock.next_deadline(), std::nullopt) << "no timer runs";
  EXPECT_TRUE(std::filesystem::exists(logs + "/0.log"));
  EXPECT_EQ(runtime.calls(), before);
}

TEST_F(LogRotatorTest, a_log_that_does_not_grow_is_looked_at_less_and_less_often) {
  shown(true);
  write(10);
  clock.advance(2min);  // checks after 10, 30, 70 s; the next one 60 s later
  write(5000);
  clock.advance(9s);
  EXPECT_TRUE(std::filesystem::exists(logs + "/0.log"));
  clock.advance(3s);
  EXPECT_FALSE(std::filesystem::exists(logs + "/0.log"));
}

}  // namespace
}  // namespace berth::agent
