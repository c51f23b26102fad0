// SPDX-License-Identifier: Apache-2.0

// How pods end: TERM, grace period, KILL, order, and what remains on the machine.
#include "base/real_clock.hpp"
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;

class Stop : public NodeTest {};

TEST_F(Stop, a_container_that_ignores_term_is_killed_when_its_grace_is_over) {
  start_berthd();
  write_manifest("deaf.yaml", simple_pod("deaf", kDeaf, "  terminationGracePeriodSeconds: 3\n"));
  wait_for("deaf", "ready", ready);
  const auto begin = RealClock{}.steady_now();
  remove_manifest("deaf.yaml");
  wait_for("deaf", "terminating",
           [](const api::Pod& pod) { return pod.metadata.deletionTimestamp.has_value(); });
  wait_gone("deaf");
  const auto took = RealClock{}.steady_now() - begin;
  EXPECT_GE(took, 3s);
  EXPECT_LT(took, 6s);
}

TEST_F(Stop, delete_makes_a_new_incarnation_while_the_manifest_remains) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  const auto before = wait_for("a", "ready", ready);
  const auto deleted = berthctl({"delete", "pod", "a", "--grace-period", "2"});
  EXPECT_EQ(deleted.exit_code, 0) << deleted.err;
  EXPECT_EQ(deleted.out, "pod \"a-node1\" deleted from default namespace\n");
  const auto after = wait_for("a", "back", [&](const api::Pod& pod) {
    return pod.metadata.uid != before.metadata.uid && ready(pod);
  });
  EXPECT_NE(status_of(after, "c")->containerID, status_of(before, "c")->containerID);
}

TEST_F(Stop, deleting_a_pod_that_is_not_there_says_so) {
  start_berthd();
  const auto deleted = berthctl({"delete", "pod", "nobody"});
  EXPECT_EQ(deleted.exit_code, 3);
  EXPECT_NE(deleted.err.find("\"nobody\" not found"), std::string::npos) << deleted.err;
}

TEST_F(Stop, a_sidecar_is_stopped_after_the_main_container) {
  start_berthd();
  // The main container takes a second to end and records when; so does the sidecar.
  const std::string volumes = "    volumeMounts: [{name: w, mountPath: /w}]\n";
  const auto shared = dir() / "shared";
  std::filesystem::create_directories(shared);
  write_manifest(
      "side.yaml",
      "apiVersion: v1\nkind: Pod\nmetadata: {name: side}\nspec:\n"
      "  initContainers:\n  - name: side\n    image: localhost/busybox:1\n    restartPolicy: "
      "Always\n    command: [/bin/sh, -c, \"trap 'echo side >> /w/order; exit 0' TERM; echo "
      "listens; while true; do sleep 0.1; done\"]\n" +
          volumes +
          "  containers:\n  - name: c\n    image: localhost/busybox:1\n    command: [/bin/sh, -c, "
          "\"trap 'sleep 1; echo main >> /w/order; exit 0' TERM; echo listens; while true; do "
          "sleep 0.1; done\"]\n" +
          volumes + "  volumes:\n  - name: w\n    hostPath: {path: " + shared.string() +
          ", type: Directory}\n");
  wait_for("side", "ready", ready);
  for (const char* container : {"side", "c"}) expect_logs({"side", "-c", container}, "listens\n");
  remove_manifest("side.yaml");
  wait_gone("side");
  const auto order = run({"cat", (shared / "order").string()});
  EXPECT_EQ(order.out, "main\nside\n");
}

TEST_F(Stop, a_pod_past_its_active_deadline_fails) {
  start_berthd();
  write_manifest("late.yaml", simple_pod("late", kForEver, "  activeDeadlineSeconds: 2\n"));
  const auto pod = wait_for("late", "Failed",
                            [](const api::Pod& seen) { return seen.status.phase == "Failed"; });
  EXPECT_EQ(pod.status.reason, "DeadlineExceeded");
}

}  // namespace
}  // namespace berth::integration
