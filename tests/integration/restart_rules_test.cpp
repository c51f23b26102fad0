// Containers with restart rules and stop signals of their own, and images with theirs.
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

class RestartRules : public NodeTest {};

class StopSignal : public NodeTest {
 protected:
  // A pod that writes down which signal it got, into a folder of the host.
  std::string pod_with(const std::string& name, const std::string& container,
                       const std::string& spec) {
    shared_ = dir() / name;
    std::filesystem::create_directories(shared_);
    return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec:\n" + spec +
           "  containers:\n  - name: c\n" + container +
           "    command: [/bin/sh, -c, \"for s in TERM QUIT USR1; do trap \\\"echo $s > /w/signal; "
           "exit 0\\\" $s; done; while true; do sleep 0.1; done\"]\n"
           "    volumeMounts: [{name: w, mountPath: /w}]\n"
           "  volumes:\n  - name: w\n    hostPath: {path: " +
           shared_.string() + ", type: Directory}\n";
  }
  std::string signal_got() const { return run({"cat", (shared_ / "signal").string()}).out; }

 private:
  std::filesystem::path shared_;
};

TEST_F(RestartRules, a_rule_restarts_what_the_policy_would_not_and_only_for_its_exit_codes) {
  start_berthd();
  write_manifest(
      "rules.yaml",
      "apiVersion: v1\nkind: Pod\nmetadata: {name: rules}\nspec:\n  restartPolicy: Never\n"
      "  containers:\n  - name: c\n    image: localhost/busybox:1\n    restartPolicy: Never\n"
      "    restartPolicyRules:\n    - action: Restart\n"
      "      exitCodes: {operator: In, values: [42]}\n"
      "    command: [/bin/sh, -c, \"[ -e /w/ran ] && exit 7; touch /w/ran; exit 42\"]\n"
      "    volumeMounts: [{name: w, mountPath: /w}]\n"
      "  volumes:\n  - name: w\n    emptyDir: {}\n");
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
  start_berthd();
  write_manifest("quit.yaml", pod_with("quit", "    image: localhost/busybox:quit\n", ""));
  wait_for("quit", "ready", ready);
  remove_manifest("quit.yaml");
  wait_gone("quit");
  EXPECT_EQ(signal_got(), "QUIT\n");
}

// A runtime that does not know the field goes on with TERM, and shows none.
TEST_F(StopSignal, a_containers_own_stop_signal_is_sent_where_the_runtime_knows_it) {
  start_berthd();
  write_manifest(
      "own.yaml",
      pod_with("own", "    image: localhost/busybox:1\n    lifecycle: {stopSignal: SIGUSR1}\n",
               "  os: {name: linux}\n"));
  const auto pod = wait_for("own", "ready", ready);
  const auto shown = status_of(pod, "c")->stopSignal;
  remove_manifest("own.yaml");
  wait_gone("own");
  if (shown == "SIGUSR1") {
    EXPECT_EQ(signal_got(), "USR1\n");
  } else {
    EXPECT_EQ(shown, std::nullopt);
    EXPECT_EQ(signal_got(), "TERM\n");
  }
}

}  // namespace
}  // namespace berth::integration
