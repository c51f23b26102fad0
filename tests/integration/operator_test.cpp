// SPDX-License-Identifier: Apache-2.0

// What an operator does with a running node, beyond the basic tools: events, doctor, logs across a
// rotation, unused images, deletion, readiness gates.
#include <algorithm>
#include <fstream>

#include "base/real_clock.hpp"
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

class Operator : public NodeTest {
 protected:
  // Repeats the command until its output satisfies the condition; returns the last result.
  Finished berthctl_until(const std::vector<std::string>& arguments,
                          const std::function<bool(const Finished&)>& condition) const {
    const auto deadline = RealClock{}.steady_now() + std::chrono::seconds(30);
    Finished last = berthctl(arguments);
    while (!condition(last) && RealClock{}.steady_now() < deadline) last = berthctl(arguments);
    EXPECT_TRUE(condition(last)) << last.exit_code << "\n" << last.out << last.err;
    return last;
  }
};

// The time of the last line of `logs --timestamps`.
std::string last_time(const std::string& text) {
  const auto begin = text.rfind('\n', text.size() - 2) + 1;
  return text.substr(begin, text.find(' ', begin) - begin);
}

TEST_F(Operator, events_are_printed_in_kubectls_columns_by_type_and_object) {
  start_berthd();
  // Its default policy would warn that no cluster's DNS server is configured.
  write_manifest("a.yaml", simple_pod("a", kForEver, "  dnsPolicy: Default\n"));
  wait_for("a", "ready", ready);
  const auto all = berthctl({"events"});
  EXPECT_TRUE(all.out.starts_with("LAST SEEN")) << all.out;
  EXPECT_NE(all.out.find("Pod/a-node1"), std::string::npos) << all.out;
  EXPECT_NE(all.out.find("Started container c"), std::string::npos) << all.out;
  EXPECT_EQ(berthctl({"events", "--types=Warning", "--for", "pod/a"}).err,
            "No events found in default namespace.\n");
  const auto node = berthctl({"events", "--for", "node/node1", "--types", "Normal"});
  EXPECT_NE(node.out.find("Node/node1"), std::string::npos) << node.out << node.err;
  EXPECT_EQ(berthctl({"events", "--types=Error"}).exit_code, 2);
  const auto got = berthctl({"get", "events"});
  EXPECT_NE(got.out.find("pod/a-node1"), std::string::npos) << got.out;
}

TEST_F(Operator, doctor_names_what_is_not_run_and_what_a_kubelet_would_recreate) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  wait_for("a", "ready", ready);
  const auto well = berthctl({"doctor"});
  EXPECT_EQ(well.exit_code, 0) << well.out << well.err;
  EXPECT_NE(well.out.find("default/a-node1: a kubelet would recreate it"), std::string::npos)
      << well.out;
  write_manifest("b.txt", "nothing");
  write_manifest("c.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: c}\nspec: {}\n");
  const auto ill = berthctl_until(
      {"doctor"}, [](const Finished& run) { return run.out.find("c.yaml") != std::string::npos; });
  EXPECT_EQ(ill.exit_code, 1);
  EXPECT_NE(ill.out.find("warning  b.txt: is not read"), std::string::npos) << ill.out;
  EXPECT_NE(ill.out.find("trouble  c.yaml"), std::string::npos) << ill.out;
  const auto json = berthctl({"doctor", "-o", "json"});
  EXPECT_NE(json.out.find("\"severity\": \"trouble\""), std::string::npos) << json.out;
  remove_manifest("b.txt");
  remove_manifest("c.yaml");
}

TEST_F(Operator, a_log_is_rotated_and_its_reader_goes_on) {
  start_berthd(
      "containerLogMaxSize: 4Ki\ncontainerLogMaxFiles: 3\n"
      "containerLogMonitorInterval: 3s\n");
  // 64 numbered lines of about 1 KiB: a rotation every three seconds.
  write_manifest("talk.yaml", simple_pod("talk",
                                         "line=$(printf '%01000d' 0); i=0; while [ $i -lt 64 ]; do "
                                         "echo line $i $line; i=$((i+1)); sleep 0.2; done",
                                         "  restartPolicy: Never\n"));
  const auto pod = wait_for("talk", "ready", ready);
  const auto followed = berthctl({"logs", "-f", "talk"});
  const auto folder = dir() / "log/pods" / ("default_talk-node1_" + pod.metadata.uid) / "c";
  std::size_t rotated = 0;
  std::size_t compressed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with("0.log.")) ++rotated;
    if (name.ends_with(".gz")) ++compressed;
  }
  EXPECT_GE(rotated, 1U);
  EXPECT_LE(rotated, 2U);
  EXPECT_LE(compressed, 1U);
  // Every line appears once, in order, across all rotations.
  std::size_t at = 0;
  for (int i = 0; i < 64; ++i) {
    const auto found = followed.out.find("line " + std::to_string(i) + " ", at);
    ASSERT_NE(found, std::string::npos) << "line " << i << " is missing";
    at = found + 1;
  }
  // Afterwards the log holds whatever remains, which is more than the newest file.
  const auto left = berthctl({"logs", "talk"});
  EXPECT_TRUE(followed.out.ends_with(left.out)) << left.err;
  EXPECT_GT(left.out.size(), std::filesystem::file_size(folder / "0.log"));
  const auto first = left.out.substr(0, left.out.find('\n') + 1);
  const auto lines = std::ranges::count(left.out, '\n');
  EXPECT_EQ(berthctl({"logs", "talk", "--tail", std::to_string(lines - 1)}).out,
            left.out.substr(first.size()));
  EXPECT_EQ(berthctl({"logs", "talk", "--limit-bytes", "6"}).out, left.out.substr(0, 6));
  const auto time = last_time(berthctl({"logs", "talk", "--timestamps"}).out);
  EXPECT_EQ(berthctl({"logs", "talk", "--since-time", time}).out,
            left.out.substr(left.out.rfind("line 63 ")));
}

TEST_F(Operator, a_readiness_gate_is_opened_and_stays_open_over_a_kill) {
  start_berthd();
  write_manifest(
      "gate.yaml",
      simple_pod("gate", kForEver, "  readinessGates:\n  - conditionType: example.com/attached\n"));
  const auto holds = [](const api::Pod& pod, const char* type) {
    for (const auto& condition : pod.status.conditions)
      if (condition.type == type) return condition.status == "True";
    return false;
  };
  const auto closed = wait_for("gate", "its containers ready",
                               [&](const api::Pod& pod) { return holds(pod, "ContainersReady"); });
  EXPECT_FALSE(holds(closed, "Ready"));
  const auto refused = berthctl({"set", "condition", "pod/gate", "Ready=True"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("Forbidden"), std::string::npos) << refused.err;
  const auto set = berthctl(
      {"set", "condition", "pod/gate", "example.com/attached=True", "--reason", "Attached"});
  EXPECT_EQ(set.exit_code, 0) << set.err;
  EXPECT_EQ(set.out, "pod/gate-node1 condition example.com/attached set to True\n");
  kill_berthd();
  start_berthd();
  wait_for("gate", "ready", [&](const api::Pod& pod) { return holds(pod, "Ready"); });
  const auto described = berthctl({"describe", "pod", "gate"});
  EXPECT_NE(described.out.find("Readiness Gates:"), std::string::npos) << described.out;
}

TEST_F(Operator, a_forced_deletion_frees_the_name_at_once_and_the_story_says_so) {
  start_berthd();
  write_manifest("stay.yaml", simple_pod("stay", "trap '' TERM; while true; do sleep 1; done",
                                         "  terminationGracePeriodSeconds: 3\n"));
  const auto first = wait_for("stay", "ready", ready);
  const auto deleted =
      berthctl({"delete", "pod", "stay", "--grace-period=0", "--force", "--timeout=20s"});
  EXPECT_EQ(deleted.exit_code, 0) << deleted.err;
  EXPECT_EQ(deleted.out, "pod \"stay-node1\" force deleted from default namespace\n");
  EXPECT_NE(deleted.err.find("Warning: Immediate deletion"), std::string::npos) << deleted.err;
  const auto next = pod("stay");
  ASSERT_TRUE(next);
  EXPECT_NE(next->metadata.uid, first.metadata.uid);
  wait_for("stay", "ready again", ready);
  const auto printed = berthctl({"why", "pod/stay"});
  for (const char* sentence :
       {"berthd terminates the pod: it was deleted at once through the control socket; grace "
        "period 1 s",
        "the pod is removed: it ended Failed: container c with exit code 137"})
    EXPECT_NE(printed.out.find(sentence), std::string::npos) << printed.out;
}

TEST_F(Operator, delete_waits_no_longer_than_its_timeout) {
  start_berthd();
  write_manifest("slow.yaml", simple_pod("slow", "trap '' TERM; while true; do sleep 1; done"));
  wait_for("slow", "ready", ready);
  const auto timed = berthctl({"delete", "pod", "slow", "--timeout=1s"});
  EXPECT_EQ(timed.exit_code, 124);
  EXPECT_NE(timed.err.find("timed out waiting for the condition on pods/slow-node1"),
            std::string::npos)
      << timed.err;
  const auto sooner = berthctl({"delete", "pod", "slow", "--now"});
  EXPECT_EQ(sooner.exit_code, 0) << sooner.err;
}

TEST_F(Operator, finished_pods_beyond_the_threshold_vanish_and_do_not_run_again) {
  start_berthd({}, "terminatedPodGCThreshold: 1\n");
  write_manifest("one.yaml", simple_pod("one", "exit 0", "  restartPolicy: Never\n"));
  wait_for("one", "Succeeded", [](const api::Pod& pod) { return pod.status.phase == "Succeeded"; });
  write_manifest("two.yaml", simple_pod("two", "exit 0", "  restartPolicy: Never\n"));
  wait_gone("one");
  kill_berthd();
  start_berthd({}, "terminatedPodGCThreshold: 1\n");
  EXPECT_FALSE(pod("one"));
  const auto again = berthctl({"delete", "pod", "one-node1"});
  EXPECT_EQ(again.exit_code, 3) << again.err;
}

// Its collector runs every second, and removes the images of all other tests as well.
class UnusedImages : public Operator {
 protected:
  static void TearDownTestSuite() { Containerd::instance().import_images(); }
};

TEST_F(UnusedImages, go_once_the_disk_is_fuller_than_configured) {
  const Containerd& containerd = Containerd::instance();
  const auto images = [&] { return containerd.ctr({"images", "ls", "-q"}).out; };
  ASSERT_NE(images().find("localhost/busybox:quit"), std::string::npos);
  start_berthd();
  write_manifest("idle.yaml", simple_pod("idle", kForEver));
  wait_for("idle", "ready", ready);
  // Only a container keeps its image, so the collector begins once there is one.
  stop_berthd();
  start_berthd(
      "imageGCHighThresholdPercent: 1\nimageGCLowThresholdPercent: 0\nimageMinimumGCAge: 1s\n",
      "imageGCPeriod: 1s\n");
  // The collector needs to free more than all images together.
  const auto events = berthctl_until({"events"}, [&](const Finished& run) {
    return run.out.find("FreeDiskSpaceFailed") != std::string::npos &&
           images().find("localhost/busybox:quit") == std::string::npos;
  });
  const auto left = images();
  EXPECT_NE(events.out.find("Failed to garbage collect required amount of images."),
            std::string::npos)
      << events.out;
  EXPECT_EQ(left.find("localhost/busybox:quit"), std::string::npos) << left;
  EXPECT_NE(left.find("localhost/busybox:1"), std::string::npos) << "a pod runs from it";
  EXPECT_NE(left.find("localhost/pause:1"), std::string::npos) << "sandboxes are made of it";
  const auto story = berthctl({"why", "node"});
  EXPECT_TRUE(story.out.starts_with("Node node1\nThe node is ready")) << story.out << story.err;
  for (const char* part :
       {"removed (", "(imageGCHighThresholdPercent 1)",
        "removing unused images is not enough: ", "berthd looks for unused images every "})
    EXPECT_NE(story.out.find(part), std::string::npos) << part << "\n" << story.out;
  const auto records = berthctl({"why", "node/node1", "--records"});
  EXPECT_NE(records.out.find("localhost/busybox:quit"), std::string::npos) << records.out;
  EXPECT_EQ(berthctl({"why", "node/node2"}).exit_code, 3);
}

}  // namespace
}  // namespace berth::integration
