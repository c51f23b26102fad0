// SPDX-License-Identifier: Apache-2.0

// When the node notices that its runtime hangs, starts and stops, and how rarely it queries it.
#include "agent/node_state.hpp"

#include <malloc.h>

#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/unit/base/loop_fixture.hpp"

namespace berth::agent {
namespace {

class NodeStateTest : public LoopFixture {
 protected:
  void SetUp() override {
    spawn_and_drain(state.refresh_for_ever());
    clock.advance(1s);
    ASSERT_TRUE(state.runtime_answers());
  }
  void TearDown() override {
    spawn_and_drain(runtime.shutdown());
    LoopFixture::TearDown();
  }
  boost::asio::awaitable<void> ask(Nanoseconds limit) {
    co_await state.ask(limit);
    log.emplace_back(state.runtime_answers() ? "answers" : state.runtime_error());
  }
  boost::asio::awaitable<void> count_changes() {
    for (;;) {
      co_await state.changed();
      ++changes;
    }
  }
  boost::asio::awaitable<void> count_watched(std::shared_ptr<NodeWatch> watch) {
    for (;;) {
      co_await watch->changed();
      ++changes;
    }
  }
  [[nodiscard]] api::NodeCondition ready_as_shown() const {
    for (const auto& condition : state.node().status.conditions) {
      if (condition.type == "Ready") return condition;
    }
    return {.status = "none"};
  }
  [[nodiscard]] std::string ready_condition() const { return ready_as_shown().status; }
  void report(std::vector<cri::RuntimeCondition> conditions) {
    runtime.be_set_up({.status = {.conditions = std::move(conditions)}});
  }

  simulation::SimulatedRuntime runtime{loop.get_executor(), clock, {}};
  NodeState state{loop.get_executor(), clock, runtime, runtime,
                  std::make_shared<const node::NodeView>()};
  int changes = 0;
};

TEST_F(NodeStateTest, a_runtime_that_hangs_is_noticed_within_15_seconds) {
  spawn_and_drain(count_changes());
  changes = 0;
  EXPECT_FALSE(state.silent_since());
  const SteadyTime hung = clock.steady_now();
  runtime.hang();
  clock.advance(15s + 10ms);
  EXPECT_FALSE(state.runtime_answers());
  ASSERT_TRUE(state.silent_since());
  EXPECT_GE(*state.silent_since(), hung);
  EXPECT_LE(*state.silent_since(), hung + 10s) << "since it was asked, not since we gave up";
  EXPECT_TRUE(state.runtime_error().starts_with("it does not answer (waited 5 s)"))
      << state.runtime_error();
  EXPECT_FALSE(state.ready());
  EXPECT_EQ(state.version()->runtime_name, "containerd") << "who hangs is still known";
  clock.advance(1min);
  EXPECT_EQ(changes, 1);
}

TEST_F(NodeStateTest, a_silent_runtime_is_down_30_seconds_after_it_was_last_ready) {
  runtime.go_down();
  clock.advance(19s);  // it was last ready less than 11 s before
  EXPECT_FALSE(state.runtime_answers());
  EXPECT_EQ(ready_condition(), "True") << "a failed call is only logged";
  clock.advance(12s);
  EXPECT_EQ(ready_condition(), "False");
  EXPECT_EQ(ready_as_shown().reason, "KubeletNotReady");
  EXPECT_EQ(ready_as_shown().message, "container runtime is down");
  EXPECT_FALSE(state.runtime_error().empty()) << "why is said elsewhere";
}

TEST_F(NodeStateTest, a_runtime_that_hangs_for_less_than_30_seconds_leaves_the_node_ready) {
  const auto since = [this] { return ready_as_shown().lastTransitionTime; };
  const auto before = since();
  runtime.hang();
  clock.advance(15s + 10ms);
  EXPECT_FALSE(state.runtime_answers());
  runtime.wake_up();
  clock.advance(1min);
  EXPECT_TRUE(state.runtime_answers());
  EXPECT_EQ(ready_condition(), "True");
  EXPECT_EQ(since(), before);
}

TEST_F(NodeStateTest, a_condition_that_the_runtime_does_not_report_does_not_hold) {
  report({{.type = "RuntimeReady", .status = true}});
  clock.advance(10s + 10ms);
  EXPECT_EQ(ready_as_shown().message,
            "container runtime network not ready: NetworkReady=false reason: message:");
  report({{.type = "NetworkReady", .status = true}});
  clock.advance(1s + 10ms);
  const std::string not_ready = "container runtime not ready: RuntimeReady=false reason: message:";
  EXPECT_EQ(ready_as_shown().message, not_ready);
  clock.advance(31s);
  EXPECT_EQ(ready_as_shown().message, "[container runtime is down, " + not_ready + "]");
  runtime.be_set_up({});
  clock.advance(1s + 10ms);
  EXPECT_EQ(ready_condition(), "True");
}

TEST_F(NodeStateTest, a_runtime_that_wakes_up_is_noticed_within_seconds) {
  runtime.hang();
  clock.advance(1min);
  runtime.wake_up();
  clock.advance(6s + 10ms);
  EXPECT_TRUE(state.runtime_answers());
  EXPECT_FALSE(state.silent_since());
  EXPECT_EQ(state.runtime_error(), "");
  EXPECT_EQ(ready_condition(), "True");
}

TEST_F(NodeStateTest,
       a_runtime_without_a_network_is_noticed_within_10_seconds_and_its_return_in_one) {
  report({{.type = "RuntimeReady", .status = true}, {.type = "NetworkReady", .status = false}});
  clock.advance(10s + 10ms);
  EXPECT_TRUE(state.runtime_answers());
  EXPECT_EQ(ready_condition(), "False");
  runtime.be_set_up({});
  clock.advance(1s + 10ms);
  EXPECT_EQ(ready_condition(), "True");
}

TEST_F(NodeStateTest, a_warning_of_the_runtimes_own_leaves_the_node_ready_and_asks_no_more_often) {
  runtime.be_set_up({.status = {.conditions = {{.type = "RuntimeReady", .status = true},
                                               {.type = "NetworkReady", .status = true},
                                               {.type = "ContainerdHasNoDeprecationWarnings",
                                                .status = false,
                                                .reason = "ContainerdHasDeprecationWarnings"}}}});
  clock.advance(10s + 10ms);
  EXPECT_EQ(ready_condition(), "True");
  const auto calls = runtime.calls();
  clock.advance(1min);
  EXPECT_LT(runtime.calls() - calls, 20U) << "a runtime that is not ready is asked each second";
}

TEST_F(NodeStateTest, a_node_that_shuts_down_is_not_ready_whatever_the_runtime_says) {
  spawn_and_drain(count_watched(state.watch()));
  state.set_shutting_down(true);
  drain();
  EXPECT_EQ(changes, 1);
  const auto& shown = state.node().status.conditions.back();
  EXPECT_EQ(shown.type, "Ready");
  EXPECT_EQ(shown.status, "False");
  EXPECT_EQ(shown.reason, "KubeletNotReady");
  EXPECT_EQ(shown.message, "node is shutting down");
  clock.advance(5min);
  EXPECT_EQ(ready_condition(), "False") << "what the runtime answers changes nothing";
  EXPECT_TRUE(state.runtime_answers());
  state.set_shutting_down(false);
  EXPECT_EQ(ready_condition(), "True");
}

TEST_F(NodeStateTest, what_is_allocatable_changes_at_once_and_whoever_watches_is_notified) {
  spawn_and_drain(count_watched(state.watch()));
  node::NodeView view;
  view.allocatable["memory"] = api::Quantity::from_int(7);
  state.set_view(std::make_shared<const node::NodeView>(view));
  drain();
  EXPECT_EQ(changes, 1);
  EXPECT_EQ(state.node().status.allocatable.at("memory").value(), 7);
  EXPECT_EQ(state.view(), view);
  EXPECT_EQ(ready_condition(), "True") << "what the runtime said is still known";
  clock.advance(1min);
  EXPECT_EQ(state.node().status.allocatable.at("memory").value(), 7);
}

TEST_F(NodeStateTest, another_reason_not_to_answer_is_published) {
  spawn_and_drain(count_changes());
  runtime.hang();
  clock.advance(1min);
  changes = 0;
  runtime.go_down();
  clock.advance(15s);
  EXPECT_FALSE(state.runtime_answers());
  EXPECT_FALSE(state.runtime_error().starts_with("it does not answer")) << state.runtime_error();
  EXPECT_GT(changes, 0);
  changes = 0;
  clock.advance(1min);
  EXPECT_EQ(changes, 0) << "it is still the same";
}

TEST_F(NodeStateTest, who_asks_is_answered_after_its_limit) {
  runtime.hang();
  spawn_and_drain(ask(2s));
  clock.advance(2s);
  ASSERT_EQ(log.size(), 1U);
  EXPECT_TRUE(log[0].starts_with("it does not answer (waited 2 s)")) << log[0];
}

TEST_F(NodeStateTest, who_asks_finds_out_that_it_is_back) {
  runtime.go_down();
  spawn_and_drain(ask(2s));
  clock.advance(100ms);
  EXPECT_FALSE(state.runtime_answers());
  runtime.come_up();
  clock.advance(1100ms);
  EXPECT_TRUE(state.runtime_answers());
}

TEST_F(NodeStateTest, who_watches_is_notified_of_changes_and_not_of_heartbeats) {
  spawn_and_drain(count_watched(state.watch()));
  const auto heartbeat = [this] { return state.node().status.conditions.at(0).lastHeartbeatTime; };
  const auto before = heartbeat();
  clock.advance(2min);
  EXPECT_NE(heartbeat(), before);
  EXPECT_EQ(changes, 0);
  runtime.go_down();
  clock.advance(15s);
  EXPECT_EQ(changes, 1) << "that it does not answer";
  EXPECT_EQ(ready_condition(), "True");
  clock.advance(30s);
  EXPECT_EQ(ready_condition(), "False");
  EXPECT_EQ(changes, 2);
  runtime.come_up();
  clock.advance(15s);
  EXPECT_EQ(ready_condition(), "True");
  EXPECT_EQ(changes, 3);
}

TEST_F(NodeStateTest, who_no_longer_watches_takes_no_memory) {
  state.watch().reset();
  const auto before = mallinfo2().uordblks;
  for (int i = 0; i < 10'000; ++i) state.watch().reset();
  EXPECT_LT(mallinfo2().uordblks, before + 100'000);
}

TEST_F(NodeStateTest, asks_little_of_a_runtime_that_works) {
  const auto before = runtime.calls();
  clock.advance(10min);
  // It asks for version and status every 10 s, and for images every 30 s.
  EXPECT_LE(runtime.calls() - before, 2U * 60U + 20U);
}

}  // namespace
}  // namespace berth::agent
