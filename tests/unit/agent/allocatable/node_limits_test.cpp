// SPDX-License-Identifier: Apache-2.0

// The limits of a node on a made-up cgroup tree, and the events about them.
#include "agent/allocatable/node_limits.hpp"

#include <filesystem>

#include "node/node_object.hpp"
#include "tests/unit/agent/recorded_log.hpp"
#include "tests/unit/base/loop_fixture.hpp"
#include "tests/unit/node/host_test_support.hpp"

namespace berth::agent {
namespace {

using Lines = std::vector<std::string>;
using node::put_file;

class NodeLimitsTest : public LoopFixture {
 protected:
  void SetUp() override {
    for (const char* tree : {"cpu", "memory", "pids"})
      put_file(top / ("cgroup/" + std::string(tree) + "/cgroup.procs"), "");
    put_file(pods_limit(), "");
  }
  [[nodiscard]] std::string pods_limit() const {
    return top / "cgroup/memory/kubepods/memory.limit_in_bytes";
  }
  [[nodiscard]] std::shared_ptr<const node::NodeView> view() const {
    auto view = std::make_shared<node::NodeView>();
    view->config.paths = {.root = top / "root",
                          .pod_logs = top / "pods",
                          .container_logs = top / "containers",
                          .cgroup_mount = top / "cgroup"};
    view->config.kube_reserved = {{"memory", *api::Quantity::parse("1Gi")}};
    view->facts.cpus = 4;
    view->facts.memory = std::int64_t{4} << 30;
    view->facts.cgroup_version = 1;
    return view;
  }
  void begin(ReservedEnforcements reserved = {}) {
    host.emplace(pool, clock, view());
    limits.emplace(NodeLimits::Services{clock, pool, events, *host}, view(), std::move(reserved));
  }
  boost::asio::awaitable<void> prepare() {
    const auto prepared = co_await limits->prepare();
    problem = prepared ? "" : prepared.error().message;
  }
  [[nodiscard]] Lines reported() const {
    Lines out;
    for (const auto& event : events.store().list())
      out.push_back(event->type + " " + event->reason + ": " + event->message);
    return out;
  }

  node::TemporaryDirectory top{};
  RecordedLog lines{};
  BlockingPool pool{loop.get_executor(), clock, {}};
  EventRecorder events{loop.get_executor(), clock, lines, "node1"};
  std::optional<node::LinuxHost> host{};
  std::optional<NodeLimits> limits{};
  std::string problem = "not asked";
};

TEST_F(NodeLimitsTest, all_pods_together_have_what_is_not_reserved) {
  begin();
  spawn_and_drain(prepare());
  EXPECT_EQ(problem, "");
  spawn_and_drain(limits->limit_pods());
  EXPECT_EQ(node::read_file(pods_limit()).value(), std::to_string(std::int64_t{3} << 30));
  EXPECT_EQ(reported(),
            Lines{"Normal NodeAllocatableEnforced: Updated Node Allocatable limit across pods"});
}

TEST_F(NodeLimitsTest, a_limit_that_the_kernel_refuses_is_written_again_each_minute) {
  std::filesystem::remove(pods_limit());
  std::filesystem::create_directory(pods_limit());  // makes every write to it fail
  begin();
  spawn_and_drain(prepare());
  EXPECT_EQ(problem, "") << "pods are run meanwhile";
  spawn_and_drain(limits->limit_pods());
  ASSERT_EQ(reported().size(), 1U);
  EXPECT_TRUE(
      reported()[0].starts_with("Warning FailedNodeAllocatableEnforcement: Failed to update "
                                "Node Allocatable Limits [\"kubepods\"]: "))
      << reported()[0];
  std::filesystem::remove(pods_limit());
  put_file(pods_limit(), "");
  clock.advance(59s);
  EXPECT_EQ(reported().size(), 1U);
  clock.advance(1s);
  ASSERT_EQ(reported().size(), 2U);
  EXPECT_EQ(node::read_file(pods_limit()).value(), std::to_string(std::int64_t{3} << 30));
}

TEST_F(NodeLimitsTest, reserved_cgroups_are_limited_before_anything_else) {
  for (const char* file : {"cpu/kube/cpu.shares", "memory/kube/memory.limit_in_bytes"})
    put_file(top / ("cgroup/" + std::string(file)), "");
  begin({{.whom = node::ReservedFor::kKube, .cgroup = "/kube"}});
  spawn_and_drain(prepare());
  EXPECT_EQ(problem, "");
  EXPECT_EQ(node::read_file(top / "cgroup/memory/kube/memory.limit_in_bytes").value(),
            "1073741824");
  EXPECT_EQ(reported(),
            Lines{"Normal NodeAllocatableEnforced: Updated limits on kube reserved cgroup /kube"});
}

TEST_F(NodeLimitsTest, berthd_does_not_start_without_a_reserved_cgroup) {
  begin({{.whom = node::ReservedFor::kKube, .cgroup = "/kube"}});
  spawn_and_drain(prepare());
  EXPECT_TRUE(
      problem.starts_with("Failed to enforce Kube Reserved Cgroup Limits on \"/kube\": "
                          "\"/kube\" cgroup does not exist"))
      << problem;
  ASSERT_EQ(reported().size(), 1U);
  EXPECT_EQ(reported()[0], "Warning FailedNodeAllocatableEnforcement: " + problem);
}

}  // namespace
}  // namespace berth::agent
