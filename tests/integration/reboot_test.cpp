// SPDX-License-Identifier: Apache-2.0

// The machine loses its power under running pods: what should run runs again, and what had finished
// stays finished.
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "api/codec.hpp"
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

bool succeeded(const api::Pod& pod) {
  return pod.status.phase == "Succeeded";
}

class Reboot : public NodeTest {
 protected:
  // The machine boots, and berthd with it.
  void reboot() {
    reboot_machine();
    start_berthd();
  }
  [[nodiscard]] std::string in_container(const std::string& pod, const std::string& command) const {
    const auto done = berthctl({"exec", pod, "-c", "c", "--", "sh", "-c", command});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return done.out;
  }
};

bool ready_with_restarts(const api::Pod& pod, int count) {
  const auto* status = status_of(pod, "c");
  return ready(pod) && status != nullptr && status->restartCount == count;
}

// An init container and a sidecar; a volume on disk, and one in memory.
std::string whole_pod() {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: whole}\nspec:\n"
         "  terminationGracePeriodSeconds: 1\n"
         "  initContainers:\n"
         "  - name: prepare\n    image: localhost/busybox:1\n"
         "    command: [/bin/sh, -c, \"echo run >> /disk/log; echo run >> /memory/log\"]\n"
         "    volumeMounts: [{name: disk, mountPath: /disk}, {name: memory, mountPath: /memory}]\n"
         "  - name: side\n    image: localhost/busybox:1\n    restartPolicy: Always\n"
         "    command: [/bin/sh, -c, \"" +
         std::string(kForEver) +
         "\"]\n"
         "  containers:\n  - name: c\n    image: localhost/busybox:1\n"
         "    command: [/bin/sh, -c, \"" +
         std::string(kForEver) +
         "\"]\n"
         "    volumeMounts: [{name: disk, mountPath: /disk}, {name: memory, mountPath: /memory}]\n"
         "  volumes:\n  - {name: disk, emptyDir: {}}\n"
         "  - {name: memory, emptyDir: {medium: Memory}}\n";
}

TEST_F(Reboot, starts_what_ran_again_in_a_sandbox_of_its_own_with_its_files) {
  start_berthd();
  write_manifest("whole.yaml", whole_pod());
  const auto before = wait_for("whole", "ready", ready);
  reboot();
  const auto after = wait_for("whole", "running again",
                              [](const api::Pod& pod) { return ready_with_restarts(pod, 1); });
  EXPECT_EQ(after.metadata.uid, before.metadata.uid);
  for (const char* name : {"c", "side"}) {
    EXPECT_EQ(status_of(after, name)->restartCount, 1) << name;
    EXPECT_NE(status_of(after, name)->containerID, status_of(before, name)->containerID) << name;
  }
  const auto& lost = status_of(after, "c")->lastState.terminated;
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->containerID, status_of(before, "c")->containerID);
  EXPECT_NE(lost->exitCode, 0);
  EXPECT_EQ(in_container("whole", "cat /disk/log"), "run\nrun\n");
  EXPECT_EQ(in_container("whole", "cat /memory/log"), "run\n") << "it was in memory";
  EXPECT_NE(in_container("whole", "mount").find("tmpfs on /memory"), std::string::npos);
}

// For comparing two states by eye.
std::string containers_text(const api::Pod& pod) {
  return boost::json::serialize(api::to_json(pod).at("status").at("containerStatuses"));
}

TEST_F(Reboot, starts_nothing_that_had_finished) {
  start_berthd();
  write_manifest("job.yaml", simple_pod("job", "exit 0", "  restartPolicy: Never\n"));
  write_manifest("retried.yaml", simple_pod("retried", "exit 0", "  restartPolicy: OnFailure\n"));
  write_manifest("failed.yaml", simple_pod("failed", "exit 3", "  restartPolicy: Never\n"));
  const std::map<std::string, api::Pod> before = {
      {"job", wait_for("job", "finished", succeeded)},
      {"retried", wait_for("retried", "finished", succeeded)},
      {"failed", wait_for("failed", "finished",
                          [](const api::Pod& pod) { return pod.status.phase == "Failed"; })}};
  reboot();
  // Once this pod runs, berthd has looked at all the others.
  write_manifest("new.yaml", simple_pod("new", kForEver));
  wait_for("new", "ready", ready);
  for (const auto& [name, finished] : before) {
    const auto after = pod(name);
    ASSERT_TRUE(after) << name;
    EXPECT_EQ(after->metadata.uid, finished.metadata.uid) << name;
    EXPECT_EQ(after->status.phase, finished.status.phase) << name;
    EXPECT_EQ(containers_text(*after), containers_text(finished)) << name;
  }
}

TEST_F(Reboot, fails_what_ran_and_may_not_be_restarted) {
  start_berthd();
  write_manifest("never.yaml", simple_pod("never", kForEver, "  restartPolicy: Never\n"));
  write_manifest("retried.yaml",
                 simple_pod("retried", kForEver,
                            "  restartPolicy: OnFailure\n  terminationGracePeriodSeconds: 1\n"));
  const auto before = wait_for("never", "ready", ready);
  wait_for("retried", "ready", ready);
  reboot();
  const auto after =
      wait_for("never", "Failed", [](const api::Pod& pod) { return pod.status.phase == "Failed"; });
  const auto* status = status_of(after, "c");
  EXPECT_EQ(status->containerID, status_of(before, "c")->containerID);
  EXPECT_EQ(status->restartCount, 0);
  ASSERT_TRUE(status->state.terminated);
  EXPECT_NE(status->state.terminated->exitCode, 0);
  wait_for("retried", "running again",
           [](const api::Pod& pod) { return ready_with_restarts(pod, 1); });
}

// The machine of the test cannot boot: the previous boot is made up.
TEST_F(Reboot, is_an_event_of_the_node_once) {
  const auto reported = [this] {
    std::vector<std::string> found;
    std::istringstream events(berthctl({"events", "-A"}).out);
    for (std::string line; std::getline(events, line);)
      if (line.find("Rebooted") != std::string::npos) found.push_back(line);
    return found;
  };
  start_berthd();
  EXPECT_TRUE(reported().empty());
  kill_berthd();
  std::ofstream(dir() / "root/boot-id") << "another boot";
  start_berthd();
  const auto once = reported();
  ASSERT_EQ(once.size(), 1U);
  EXPECT_NE(once[0].find("Node node1 has been rebooted, boot id: "), std::string::npos) << once[0];
  kill_berthd();
  start_berthd();
  const auto again = reported();
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].find(" over "), std::string::npos) << again[0] << ": it was reported again";
}

TEST_F(Reboot, forgets_neither_a_deletion_nor_the_restarts_of_a_crash_loop) {
  start_berthd();
  write_manifest("crash.yaml", simple_pod("crash", "exit 1"));
  write_manifest("deaf.yaml", simple_pod("deaf", kDeaf, "  terminationGracePeriodSeconds: 60\n"));
  wait_for("deaf", "ready", ready);
  remove_manifest("deaf.yaml");
  wait_for("deaf", "terminating",
           [](const api::Pod& pod) { return pod.metadata.deletionTimestamp.has_value(); });
  const auto before = wait_for("crash", "in backoff", [](const api::Pod& pod) {
    return waiting_reason(pod, "c") == "CrashLoopBackOff";
  });
  reboot();
  wait_gone("deaf");
  const auto after = wait_for("crash", "in its next window", [](const api::Pod& pod) {
    return waiting_message(pod, "c").starts_with("back-off 20s ");
  });
  EXPECT_EQ(status_of(after, "c")->restartCount, 2);
  EXPECT_EQ(status_of(before, "c")->restartCount, 1);
}

}  // namespace
}  // namespace berth::integration
