// SPDX-License-Identifier: Apache-2.0

// Sandboxes and containers that somebody else created with the labels and annotations of a pod's.
#include <algorithm>

#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

class CopiedSandboxes : public PodSetTest {
 protected:
  // Somebody starts a sandbox like the pod's first.
  void copy_sandbox(std::uint32_t attempt) {
    cri::PodSandboxConfig config = runtime.sandboxes().at(0).config;
    config.metadata.attempt = attempt;
    spawn_and_drain(run_sandbox(std::move(config)));
    clock.advance(1s);
  }
  // Somebody starts a container like the pod's first, in a sandbox that has no labels.
  void copy_container(std::uint32_t later = 1) {
    cri::PodSandboxConfig config;
    config.metadata = {.name = "tool", .uid = "tool", .namespace_ = "default"};
    spawn_and_drain(run_sandbox(config));
    clock.advance(1s);
    const auto& tool = runtime.sandboxes().back();
    cri::ContainerConfig copy = runtime.instances().at(0).config;
    copy.metadata.attempt += later;
    spawn_and_drain(run_container(tool.id, std::move(copy), tool.config));
    clock.advance(1s);
  }
  void restart() {
    kill_agent();
    begin_agent();
    desire({web_});
    clock.advance(2min);
  }
  [[nodiscard]] std::int64_t sandboxes() const {
    return std::ranges::count_if(runtime.sandboxes(),
                                 [](const auto& sandbox) { return !sandbox.removed; });
  }
  void expect_untouched() {
    EXPECT_TRUE(runtime.instances().at(0).live());
    EXPECT_EQ(status().phase, "Running");
    EXPECT_EQ(status().containerStatuses[0].restartCount, 0);
  }

  const PodPtr web_ = pod("u1", {container("main", {"sim"})});

 private:
  boost::asio::awaitable<void> run_sandbox(cri::PodSandboxConfig config) {
    const Context context;
    const auto made = co_await runtime.run_pod_sandbox(context, config, "");
    EXPECT_TRUE(made.has_value());
  }
  boost::asio::awaitable<void> run_container(cri::SandboxId sandbox, cri::ContainerConfig config,
                                             cri::PodSandboxConfig sandbox_config) {
    const Context context;
    const auto made = co_await runtime.create_container(context, sandbox, config, sandbox_config);
    EXPECT_TRUE(made.has_value());
    if (!made) co_return;
    const auto started = co_await runtime.start_container(context, *made);
    EXPECT_TRUE(started.has_value());
  }
};

TEST_F(CopiedSandboxes, change_nothing_that_runs) {
  desire({web_});
  clock.advance(5s);
  copy_sandbox(1);
  clock.advance(2min);
  EXPECT_EQ(recorded_events.count("ForeignSandbox"), 1);
  expect_untouched();
  copy_sandbox(2);
  restart();
  EXPECT_EQ(recorded_events.count("ForeignSandbox"), 3) << "berthd reports anew what it finds";
  EXPECT_EQ(sandboxes(), 3);
  EXPECT_EQ(runtime.instances().size(), 1U);
  expect_untouched();
  desire({});
  clock.advance(2min);
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(sandboxes(), 0) << "annotations say that they are berthd's, and no pod has them";
}

TEST_F(CopiedSandboxes, are_not_used_when_the_pods_own_dies_and_another_number_is_taken) {
  desire({web_});
  clock.advance(5s);
  copy_sandbox(1);
  clock.advance(2min);
  runtime.sandbox_dies(runtime.sandboxes().at(0).id, true);
  clock.advance(2min);
  ASSERT_EQ(live(), 1);
  const auto& own = runtime.sandboxes().back();
  EXPECT_EQ(own.config.metadata.attempt, 2U);
  EXPECT_EQ(runtime.instances().back().sandbox, own.id);
}

TEST_F(CopiedSandboxes, are_not_what_containers_with_the_pods_labels_need) {
  desire({web_});
  clock.advance(5s);
  copy_container();
  clock.advance(2min);
  expect_untouched();
  restart();
  expect_untouched();
  EXPECT_TRUE(runtime.instances().at(1).live()) << "nobody stops what is not the pod's";
  runtime.container_ends(runtime.instances().at(1).id, 0);
}

// Whether a container is the pod's depends on its sandbox.
TEST_F(CopiedSandboxes, nothing_is_done_about_a_pod_while_the_runtime_does_not_say_whose_they_are) {
  desire({web_});
  clock.advance(5s);
  copy_container(10);
  runtime.refuse_status(runtime.sandboxes().back().id);
  runtime.set_faults({.failed_after = 1000});
  runtime.container_ends(runtime.instances().at(0).id, 1);
  clock.advance(200ms);  // a call has failed, and may have had its effect: berthd has to look
  runtime.set_faults({});
  clock.advance(30s);
  EXPECT_GE(recorded_events.count("FailedSync: error determining status: the sandbox does not "
                                  "answer"),
            1);
  EXPECT_EQ(live(), 1) << "the copy";
  runtime.refuse_status(runtime.sandboxes().back().id, false);
  clock.advance(2min);
  EXPECT_EQ(live(), 2);
  EXPECT_TRUE(runtime.instances().at(1).live());
  runtime.container_ends(runtime.instances().at(1).id, 0);
}

// Neither an answer that berthd did not live to see, nor an id that it did not live to store.
TEST_F(CopiedSandboxes, are_never_those_that_a_berthd_that_was_killed_had_asked_for) {
  store.set_latency({20ms, 20ms});
  for (auto killed_after = 0ms; killed_after < 200ms; killed_after += 2ms) {
    desire({web_});
    clock.advance(5s);
    ASSERT_EQ(live(), 1);
    runtime.sandbox_dies(runtime.instances().back().sandbox, true);
    clock.advance(killed_after);
    restart();
    ASSERT_EQ(live(), 1) << killed_after.count();
    EXPECT_EQ(recorded_events.count("ForeignSandbox"), 0) << killed_after.count();
    desire({});
    clock.advance(2min);
    ASSERT_EQ(sandboxes(), 0) << killed_after.count();
  }
}

// The sandbox appears while the next berthd cannot ask for one.
TEST_F(CopiedSandboxes, are_never_those_that_turn_up_before_the_next_berthd_asks) {
  store.set_latency({20ms, 20ms});
  for (auto killed_after = 0ms; killed_after < 200ms; killed_after += 10ms) {
    desire({web_});
    clock.advance(5s);
    runtime.sandbox_dies(runtime.instances().back().sandbox, true);
    clock.advance(killed_after);
    kill_agent();
    host.set_fails(1000);
    begin_agent();
    desire({web_});
    clock.advance(1min);
    host.set_fails(0);
    clock.advance(2min);
    EXPECT_EQ(recorded_events.count("ForeignSandbox"), 0) << killed_after.count();
    EXPECT_EQ(live(), 1) << killed_after.count();
    desire({});
    clock.advance(2min);
    ASSERT_EQ(sandboxes(), 0) << killed_after.count();
  }
}

}  // namespace
}  // namespace berth::lifecycle
