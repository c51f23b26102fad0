// SPDX-License-Identifier: Apache-2.0

// Containers with their own restart rules and stop signals, and images with stop signals.
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

class RestartRules : public NodeTest {
 protected:
  void SetUp() override {
    NodeTest::SetUp();
    start_berthd();
  }
};

class StopSignal : public RestartRules {
 protected:
  // A pod that records which signal it received, in a folder of the host. `image` is derived from
  // busybox.
  std::string pod_with(const std::string& name, const std::string& image,
                       const std::string& container_and_spec = {}) {
    shared_ = dir() / name;
    std::filesystem::create_directories(shared_);
    std::string text =
        simple_pod(name,
                   "for s in TERM QUIT USR1; do trap \"echo $s > /w/signal; exit 0\" $s; done; "
                   "echo listens; while true; do sleep 0.1; done",
                   "    volumeMounts: [{name: w, mountPath: /w}]\n" + container_and_spec +
                       "  volumes:\n  - name: w\n    hostPath: {path: " + shared_.string() +
                       ", type: Directory}\n");
    const std::string plain = "localhost/busybox:1";
    return text.replace(text.find(plain), plain.size(), "localhost/busybox:" + image);
  }

  api::Pod run_until_it_listens(const std::string& name, const std::string& text) {
    api::Pod pod = run_pod(name, text);
    expect_logs({name}, "listens\n");
    return pod;
  }
  std::string signal_got() const { return run({"cat", (shared_ / "signal").string()}).out; }

 private:
  std::filesystem::path shared_;
};

TEST_F(RestartRules, a_rule_restarts_what_the_policy_would_not_and_only_for_its_exit_codes) {
  write_manifest(
      "rules.yaml",
      simple_pod("rules", "[ -e /w/ran ] && exit 7; touch /w/ran; exit 42",
                 "    restartPolicy: Never\n    restartPolicyRules:\n    - action: Restart\n"
                 "      exitCodes: {operator: In, values: [42]}\n"
                 "    volumeMounts: [{name: w, mountPath: /w}]\n"
                 "  restartPolicy: Never\n  volumes:\n  - name: w\n    emptyDir: {}\n"));
  const auto pod = wait_for("rules", "Failed",
                            [](const api::Pod& seen) { return seen.status.phase == "Failed"; });
  const auto* status = status_of(pod, "c");
  ASSERT_NE(status, nullptr);
  EXPECT_EQ(status->restartCount, 1);
  ASSERT_TRUE(status->state.terminated.has_value());
  EXPECT_EQ(status->state.terminated->exitCode, 7);
  ASSERT_TRUE(status->lastState.terminated.has_value());
  EXPECT_EQ(status->lastState.terminated->exitCode, 42);
}

TEST_F(StopSignal, an_images_stop_signal_is_respected) {
  run_until_it_listens("quit", pod_with("quit", "quit"));
  end_pod("quit");
  EXPECT_EQ(signal_got(), "QUIT\n");
}

// A runtime that does not know the field uses TERM, and the status shows no stop signal.
TEST_F(StopSignal, a_containers_own_stop_signal_is_sent_where_the_runtime_knows_it) {
  const auto pod = run_until_it_listens(
      "own", pod_with("own", "1", "    lifecycle: {stopSignal: SIGUSR1}\n  os: {name: linux}\n"));
  const auto shown = status_of(pod, "c")->stopSignal;
  end_pod("own");
  if (shown == "SIGUSR1") {
    EXPECT_EQ(signal_got(), "USR1\n");
  } else {
    EXPECT_EQ(shown, std::nullopt);
    EXPECT_EQ(signal_got(), "TERM\n");
  }
}

}  // namespace
}  // namespace berth::integration
