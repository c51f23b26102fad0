// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/runtime/simulated_runtime.hpp"

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/virtual_clock.hpp"
#include "tests/simulation/runtime/simulated_event_stream.hpp"

namespace berth::simulation {
namespace {

using namespace std::chrono_literals;

cri::PodSandboxConfig sandbox_config() {
  cri::PodSandboxConfig config;
  config.metadata = {.name = "web", .uid = "u1", .namespace_ = "default"};
  return config;
}

cri::ContainerConfig container_config(std::vector<std::string> command) {
  cri::ContainerConfig config;
  config.metadata.name = "main";
  config.image.image = "present/app:1";
  config.command = std::move(command);
  return config;
}

// A loop, virtual time and a runtime; `await` runs one call to its end.
struct Rig {
  explicit Rig(RuntimeSetup setup = {}) : runtime(loop.get_executor(), clock, std::move(setup)) {}
  ~Rig() {
    run(runtime.shutdown());
    while (clock.step()) drain();
  }

  void drain() {
    loop.restart();
    loop.poll();
  }
  void run(boost::asio::awaitable<void> task) {
    tasks.spawn("test", std::move(task));
    drain();
    while (tasks.size() > 0 && clock.step()) drain();
  }
  template <class T>
  static boost::asio::awaitable<void> keep(cri::Call<T> call, std::optional<Result<T>>* out) {
    auto result = co_await std::move(call);
    out->emplace(std::move(result));
  }
  template <class T>
  Result<T> await(cri::Call<T> call) {
    std::optional<Result<T>> out;
    run(keep(std::move(call), &out));
    return *std::move(out);
  }
  cri::SandboxId sandbox() { return *await(runtime.run_pod_sandbox({}, sandbox_config(), "")); }
  cri::ContainerId container(const cri::SandboxId& in, std::vector<std::string> command) {
    const auto config = container_config(std::move(command));
    return *await(runtime.create_container({}, in, config, sandbox_config()));
  }

  boost::asio::io_context loop;
  VirtualClock clock{loop, WallTime{1'700'000'000s}};
  TaskGroup tasks{loop.get_executor(), [](auto, auto) { FAIL() << "an exception escaped"; }};
  SimulatedRuntime runtime;
};

TEST(SimulatedRuntime, a_sandbox_keeps_its_name_until_it_is_removed) {
  Rig rig;
  const auto id = rig.sandbox();
  EXPECT_EQ(rig.await(rig.runtime.run_pod_sandbox({}, sandbox_config(), "")).error().code,
            ErrorCode::kUnknown);
  EXPECT_TRUE(rig.await(rig.runtime.stop_pod_sandbox({}, id)));
  EXPECT_TRUE(rig.await(rig.runtime.remove_pod_sandbox({}, id)));
  EXPECT_TRUE(rig.await(rig.runtime.run_pod_sandbox({}, sandbox_config(), "")));
}

TEST(SimulatedRuntime, a_container_that_ignores_term_is_killed_after_the_timeout) {
  Rig rig;
  const auto id = rig.container(rig.sandbox(), {"sim", "term=ignore"});
  EXPECT_TRUE(rig.await(rig.runtime.start_container({}, id)));
  const auto before = rig.clock.steady_now();
  EXPECT_TRUE(rig.await(rig.runtime.stop_container({}, id, 7s)));
  EXPECT_GE(rig.clock.steady_now() - before, 7s);
  EXPECT_LT(rig.clock.steady_now() - before, 8s);
  EXPECT_EQ(rig.runtime.instances().front().exit_code, 137);
}

TEST(SimulatedRuntime, a_container_that_takes_term_ends_at_once_with_its_code) {
  Rig rig;
  const auto id = rig.container(rig.sandbox(), {"sim", "term=0", "code=5"});
  EXPECT_TRUE(rig.await(rig.runtime.start_container({}, id)));
  EXPECT_TRUE(rig.await(rig.runtime.stop_container({}, id, 7s)));
  EXPECT_EQ(rig.await(rig.runtime.container_status({}, id))->exit_code, 5);
  EXPECT_FALSE(rig.runtime.instances().front().first_kill);
}

TEST(SimulatedRuntime, an_exit_is_shown_some_time_after_it_happened) {
  RuntimeSetup setup;
  setup.latencies.exit_shown = {100ms, 100ms};
  Rig rig(setup);
  const auto id = rig.container(rig.sandbox(), {"sim", "exit=3", "after=500"});
  EXPECT_TRUE(rig.await(rig.runtime.start_container({}, id)));
  rig.clock.advance(550ms);
  ASSERT_TRUE(rig.runtime.instances().front().exited);
  EXPECT_EQ(rig.await(rig.runtime.container_status({}, id))->state, cri::ContainerState::kRunning);
  rig.clock.advance(100ms);
  EXPECT_EQ(rig.await(rig.runtime.container_status({}, id))->state, cri::ContainerState::kExited);
}

TEST(SimulatedRuntime, a_lost_answer_is_a_timeout_and_the_work_is_done) {
  RuntimeSetup setup;
  setup.faults.answer_lost = 1000;
  Rig rig(setup);
  EXPECT_EQ(rig.await(rig.runtime.run_pod_sandbox({}, sandbox_config(), "")).error().code,
            ErrorCode::kTimeout);
  EXPECT_EQ(rig.runtime.sandboxes().size(), 1U);
}

TEST(SimulatedRuntime, a_context_shortens_the_deadline_and_the_work_goes_on) {
  Rig rig;
  const Context hurried{.deadline = rig.clock.steady_now() + 10ms};
  EXPECT_EQ(rig.await(rig.runtime.run_pod_sandbox(hurried, sandbox_config(), "")).error().code,
            ErrorCode::kTimeout);
  rig.clock.advance(1s);
  EXPECT_EQ(rig.runtime.sandboxes().size(), 1U);
}

TEST(SimulatedRuntime, while_it_is_away_calls_fail_and_containers_live_on) {
  Rig rig;
  const auto id = rig.container(rig.sandbox(), {"sim"});
  EXPECT_TRUE(rig.await(rig.runtime.start_container({}, id)));
  rig.runtime.go_down();
  EXPECT_EQ(rig.await(rig.runtime.container_status({}, id)).error().code, ErrorCode::kUnavailable);
  rig.runtime.come_up();
  EXPECT_EQ(rig.await(rig.runtime.container_status({}, id))->state, cri::ContainerState::kRunning);
}

boost::asio::awaitable<void> collect(cri::EventStream* stream, std::vector<cri::Event>* out,
                                     std::size_t count) {
  while (out->size() < count) {
    auto event = co_await stream->next();
    out->push_back(std::move(event));
  }
}

TEST(SimulatedRuntime, events_report_start_and_exit_after_the_subscription) {
  Rig rig;
  SimulatedEventStream stream(rig.runtime);
  const auto id = rig.container(rig.sandbox(), {"sim", "exit=3", "after=500"});
  EXPECT_TRUE(rig.await(rig.runtime.start_container({}, id)));
  std::vector<cri::Event> events;
  rig.run(collect(&stream, &events, 6));
  ASSERT_EQ(events.size(), 6U);
  EXPECT_EQ(events.front().type, cri::EventType::kResubscribed);
  EXPECT_EQ(events.back().type, cri::EventType::kStopped);
  EXPECT_EQ(events.back().exit_code, 3);
}

}  // namespace
}  // namespace berth::simulation
