// SPDX-License-Identifier: Apache-2.0

// berthd is stopped, killed and started again under running pods.
#include <csignal>

#include "base/real_clock.hpp"
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

class Restart : public NodeTest {};

TEST_F(Restart, of_berthd_leaves_containers_and_restart_counts_as_they_are) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  write_manifest("crash.yaml", simple_pod("crash", "exit 1"));
  const auto before = wait_for("a", "ready", ready);
  wait_for("crash", "in backoff",
           [](const api::Pod& pod) { return waiting_reason(pod, "c") == "CrashLoopBackOff"; });
  stop_berthd();
  const std::string id =
      status_of(before, "c")->containerID.substr(std::string("containerd://").size());
  EXPECT_NE(Containerd::instance().ctr({"tasks", "ls", "-q"}).out.find(id), std::string::npos);

  start_berthd();
  const auto after = wait_for("a", "ready again", ready);
  EXPECT_EQ(after.metadata.uid, before.metadata.uid);
  EXPECT_EQ(status_of(after, "c")->containerID, status_of(before, "c")->containerID);
  EXPECT_EQ(after.status.podIP, before.status.podIP);
  const auto crash = wait_for("crash", "there", [](const api::Pod& pod) {
    return status_of(pod, "c") != nullptr && status_of(pod, "c")->restartCount >= 1;
  });
  EXPECT_LE(status_of(crash, "c")->restartCount, 2);
}

TEST_F(Restart, of_berthd_after_a_kill_finds_everything_again) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  const auto before = wait_for("a", "ready", ready);
  kill_berthd();
  start_berthd();
  const auto after = wait_for("a", "ready again", ready);
  EXPECT_EQ(status_of(after, "c")->containerID, status_of(before, "c")->containerID);
}

// containerd rolls back a start whose caller disconnects, and the container has failed: for good,
// under policy Never. berthd reports the creation just before it requests the start.
TEST_F(Restart, of_berthd_waits_for_a_container_that_is_being_started) {
  start_berthd();
  write_manifest("once.yaml", simple_pod("once", kForEver, "  restartPolicy: Never\n"));
  const auto deadline = RealClock{}.steady_now() + std::chrono::seconds(30);
  while (berthd_log().find("Created container: c") == std::string::npos &&
         RealClock{}.steady_now() < deadline) {
  }
  Containerd::instance().freeze_daemon();
  signal_berthd(SIGTERM);
  while (berthd_log().find("berthd stops") == std::string::npos &&
         RealClock{}.steady_now() < deadline) {
  }
  Containerd::instance().thaw_daemon();
  while (berthd_running() && RealClock{}.steady_now() < deadline) {
  }
  start_berthd();
  const auto after = wait_for("once", "ready", ready);
  EXPECT_EQ(status_of(after, "c")->restartCount, 0);
}

// The killed berthd may still be subscribed to the runtime's events.
TEST_F(Restart, of_berthd_after_a_kill_notices_the_next_exit_at_once) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  wait_for("a", "ready", ready);
  kill_berthd();
  start_berthd();
  // The container's end may take the command with it, so its exit code is meaningless.
  static_cast<void>(berthctl({"exec", "a", "--", "kill", "-TERM", "1"}));
  wait_for(
      "a", "restarted",
      [](const api::Pod& pod) { return ready(pod) && status_of(pod, "c")->restartCount == 1; },
      std::chrono::seconds(10));
}

TEST_F(Restart, of_berthd_ends_a_pod_whose_manifest_went_meanwhile) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  wait_for("a", "ready", ready);
  stop_berthd();
  remove_manifest("a.yaml");
  start_berthd();
  wait_gone("a");
}

TEST_F(Restart, of_berthd_never_admits_again_what_runs) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver, "  nodeSelector: {disk: ssd}\n"));
  wait_for("a", "refused", [](const api::Pod& pod) { return pod.status.reason == "NodeAffinity"; });
  remove_manifest("a.yaml");
  wait_gone("a");
  write_manifest("b.yaml", simple_pod("b", kForEver));
  const auto before = wait_for("b", "ready", ready);
  stop_berthd();
  // The node has no room for any pod now; running pods keep running.
  start_berthd("maxPods: 1\nsystemReserved: {cpu: 1900m}\n");
  const auto after = wait_for("b", "ready again", ready);
  EXPECT_EQ(status_of(after, "c")->containerID, status_of(before, "c")->containerID);
}

}  // namespace
}  // namespace berth::integration
