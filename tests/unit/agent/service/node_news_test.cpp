// SPDX-License-Identifier: Apache-2.0

#include "agent/service/node_news.hpp"

#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/unit/agent/recorded_log.hpp"
#include "tests/unit/base/loop_fixture.hpp"

namespace berth::agent {
namespace {

const std::string kNoNetwork =
    "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady "
    "message:cni plugin not initialized";

class NodeNewsTest : public LoopFixture {
 protected:
  void SetUp() override {
    spawn_and_drain(state.refresh_for_ever());
    clock.advance(1s);
    ASSERT_TRUE(state.runtime_answers());
    spawn_and_drain(news.report_for_ever());
  }
  void TearDown() override {
    spawn_and_drain(runtime.shutdown());
    LoopFixture::TearDown();
  }
  void lose_the_network() {
    runtime.be_set_up({.status = {.conditions = {{.type = "RuntimeReady", .status = true},
                                                 {.type = "NetworkReady",
                                                  .status = false,
                                                  .reason = "NetworkPluginNotReady",
                                                  .message = "cni plugin not initialized"}}}});
  }
  // The events and log lines since the last call.
  std::vector<std::string> reported() {
    std::vector<std::string> out;
    for (const RecordedLine& line : journal.lines) out.push_back(line.event + ": " + line.message);
    journal.lines.clear();
    return out;
  }
  using Lines = std::vector<std::string>;

  simulation::SimulatedRuntime runtime{loop.get_executor(), clock, {}};
  NodeState state{
      loop.get_executor(), clock, runtime, runtime,
      std::make_shared<const node::NodeView>(node::NodeView{.config = {.node_name = "n1"}})};
  RecordedLog journal{};
  EventRecorder events{loop.get_executor(), clock, journal, "n1"};
  int changes = 0;
  NodeNews news{{.node = state,
                 .events = events,
                 .log = journal,
                 .endpoint = "unix:///run/containerd/containerd.sock",
                 .reported = [this] { ++changes; }}};
};

TEST_F(NodeNewsTest, begin_with_a_node_that_is_ready) {
  EXPECT_EQ(reported(), (Lines{"NodeReady: Node n1 status is now: NodeReady"}));
  clock.advance(5min);
  EXPECT_EQ(reported(), Lines{});
}

TEST_F(NodeNewsTest, say_why_a_node_is_not_ready_and_when_it_is_again) {
  reported();
  const int before = changes;
  lose_the_network();
  clock.advance(11s);
  EXPECT_EQ(reported(), (Lines{"NodeNotReady: Node n1 status is now: NodeNotReady",
                               "Waiting: the node is not ready: " + kNoNetwork}));
  EXPECT_GT(changes, before);
  runtime.be_set_up({});
  clock.advance(2s);
  EXPECT_EQ(reported(), (Lines{"NodeReady: Node n1 status is now: NodeReady"}));
}

TEST_F(NodeNewsTest, name_a_runtime_that_is_gone_once_and_when_it_is_back) {
  reported();
  runtime.go_down();
  clock.advance(1min);
  const auto lost = reported();
  ASSERT_EQ(lost.size(), 2U);
  EXPECT_TRUE(lost[0].starts_with(
      "Waiting: waiting for the container runtime at unix:///run/containerd/containerd.sock: "))
      << lost[0];
  EXPECT_EQ(lost[1], "NodeNotReady: Node n1 status is now: NodeNotReady");
  runtime.come_up();
  clock.advance(2s);
  EXPECT_EQ(reported(),
            (Lines{"Ready: the container runtime at unix:///run/containerd/containerd.sock answers "
                   "again",
                   "NodeReady: Node n1 status is now: NodeReady"}));
}

}  // namespace
}  // namespace berth::agent
