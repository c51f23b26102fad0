// SPDX-License-Identifier: Apache-2.0

// Restart backoff on a real runtime: its timing, its texts, and what remains of dead containers.
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;

class CrashLoop : public NodeTest {
 protected:
  static Condition waits_for(const std::string& window) {
    return [window](const api::Pod& pod) {
      return waiting_reason(pod, "c") == "CrashLoopBackOff" &&
             waiting_message(pod, "c").starts_with("back-off " + window + " ");
    };
  }
};

TEST_F(CrashLoop, the_first_restart_is_immediate_then_10_and_20_seconds) {
  start_berthd();
  write_manifest("crash.yaml", simple_pod("crash", "echo started; exit 3"));
  const auto first = wait_for("crash", "in its 10 s window", waits_for("10s"));
  EXPECT_EQ(status_of(first, "c")->restartCount, 1);
  const auto& crashed = status_of(first, "c")->lastState.terminated;
  ASSERT_TRUE(crashed);
  EXPECT_EQ(crashed->exitCode, 3);
  EXPECT_EQ(crashed->reason, "Error");
  EXPECT_EQ(waiting_message(first, "c"),
            "back-off 10s restarting failed container=c pod=crash-node1_default(" +
                first.metadata.uid + ")");

  const auto second = wait_for("crash", "in its 20 s window", waits_for("20s"));
  EXPECT_EQ(status_of(second, "c")->restartCount, 2);
  const auto& again = status_of(second, "c")->lastState.terminated;
  ASSERT_TRUE(again && again->startedAt && crashed->finishedAt);
  const auto waited = again->startedAt->at - crashed->finishedAt->at;
  EXPECT_GE(waited, 9s);   // times in a status are whole seconds
  EXPECT_LE(waited, 11s);  // the restart follows the end of the window at once

  const auto events = berthctl({"events", "--for", "pod/crash"});
  EXPECT_NE(events.out.find("BackOff"), std::string::npos) << events.out;
  EXPECT_NE(events.out.find("Back-off restarting failed container c in pod crash-node1_default("),
            std::string::npos)
      << events.out;
  EXPECT_EQ(berthctl({"logs", "-p", "crash"}).out, "started\n");
}

TEST_F(CrashLoop, keeps_one_dead_instance_and_its_log) {
  start_berthd();
  write_manifest("crash.yaml", simple_pod("crash", "exit 1"));
  const auto pod = wait_for("crash", "in its 20 s window", waits_for("20s"));
  const auto containers = Containerd::instance().ctr({"containers", "ls", "-q"});
  // The sandbox, and at most the newest two instances of the container.
  EXPECT_LE(std::count(containers.out.begin(), containers.out.end(), '\n'), 3) << containers.out;
}

TEST_F(CrashLoop, a_termination_message_is_shown) {
  start_berthd();
  write_manifest("crash.yaml", simple_pod("crash", "echo no luck > /dev/termination-log; exit 1"));
  const auto pod = wait_for("crash", "in its 10 s window", waits_for("10s"));
  ASSERT_TRUE(status_of(pod, "c")->lastState.terminated);
  EXPECT_EQ(status_of(pod, "c")->lastState.terminated->message, "no luck\n");
}

TEST_F(CrashLoop, a_container_that_may_not_restart_fails_its_pod) {
  start_berthd();
  write_manifest("once.yaml", simple_pod("once", "exit 4", "  restartPolicy: Never\n"));
  const auto pod = wait_for("once", "Failed",
                            [](const api::Pod& seen) { return seen.status.phase == "Failed"; });
  EXPECT_EQ(status_of(pod, "c")->state.terminated->exitCode, 4);
  EXPECT_EQ(status_of(pod, "c")->restartCount, 0);
}

}  // namespace
}  // namespace berth::integration
