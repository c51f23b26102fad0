// SPDX-License-Identifier: Apache-2.0

// Lifecycle hooks on a real runtime: their effects, what they block, and that preStop runs once.
#include <fstream>

#include "base/real_clock.hpp"
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;

// A pod with one container `c`, which writes to /w/order when it receives TERM, once it has created
// /w/listens; `hooks` is the YAML of its `lifecycle`, on one line.
std::string hooked_pod(const std::string& name, const std::string& hooks,
                       const std::filesystem::path& shared, const std::string& spec = {}) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec:\n" + spec +
         "  containers:\n  - name: c\n    image: localhost/busybox:1\n"
         "    command: [/bin/sh, -c, \"trap 'echo term >> /w/order; exit 0' TERM; touch "
         "/w/listens; "
         "while true; do sleep 0.1; done\"]\n"
         "    lifecycle: " +
         hooks + "\n    volumeMounts: [{name: w, mountPath: /w}]\n" +
         "  volumes:\n  - name: w\n    hostPath: {path: " + shared.string() +
         ", type: Directory}\n";
}

class Hooks : public NodeTest {
 protected:
  void SetUp() override {
    NodeTest::SetUp();
    std::filesystem::create_directories(shared());
    start_berthd();
  }

  [[nodiscard]] std::filesystem::path shared() const { return dir() / "shared"; }

  [[nodiscard]] std::string order() const {
    return run({"cat", (shared() / "order").string()}).out;
  }

  void expect_event(const std::string& pod, const std::string& words) const {
    const auto events = berthctl({"events", "--for", "pod/" + pod});
    EXPECT_NE(events.out.find(words), std::string::npos) << events.out;
  }
};

TEST_F(Hooks, a_container_is_shown_to_run_when_its_post_start_hook_has_returned) {
  write_manifest("slow.yaml",
                 hooked_pod("slow",
                            "{postStart: {exec: {command: [/bin/sh, -c, 'while [ ! -e /w/go ]; do "
                            "sleep 0.1; done; echo hook >> /w/order']}}}",
                            shared()));
  // The container already runs in the runtime, so the hook can run; the status does not show that
  // yet.
  const auto held = wait_for("slow", "created and not shown to run", [](const api::Pod& pod) {
    return pod.status.phase == "Pending" && !pod.status.podIP.empty();
  });
  EXPECT_FALSE(ready(held));
  std::ofstream(shared() / "go") << "\n";
  const auto pod = wait_for("slow", "ready", ready);
  EXPECT_EQ(order(), "hook\n");
  EXPECT_EQ(status_of(pod, "c")->restartCount, 0);
}

TEST_F(Hooks, a_container_whose_post_start_hook_fails_is_stopped_and_started_again) {
  write_manifest("bad.yaml",
                 hooked_pod("bad",
                            "{postStart: {exec: {command: [/bin/sh, -c, 'while [ ! -e /w/listens "
                            "]; do sleep 0.1; done; exit 3']}}}",
                            shared(), "  terminationGracePeriodSeconds: 2\n"));
  const auto pod = wait_for("bad", "started again", [](const api::Pod& seen) {
    const auto* status = status_of(seen, "c");
    return status != nullptr && status->restartCount >= 1;
  });
  expect_event("bad", "PostStartHook failed");
  expect_event("bad", "FailedPostStartHook");
  EXPECT_NE(order().find("term\n"), std::string::npos);
}

TEST_F(Hooks, a_pre_stop_hook_runs_before_the_stop_signal_and_its_time_is_waited_for) {
  write_manifest("soft.yaml",
                 hooked_pod("soft",
                            "{preStop: {exec: {command: [/bin/sh, -c, 'sleep 1; echo hook >> "
                            "/w/order']}}}",
                            shared(), "  terminationGracePeriodSeconds: 20\n"));
  wait_for("soft", "ready", ready);
  remove_manifest("soft.yaml");
  wait_gone("soft");
  EXPECT_EQ(order(), "hook\nterm\n");
}

TEST_F(Hooks, a_pre_stop_hook_that_takes_too_long_is_waited_for_as_long_as_the_grace_period) {
  write_manifest("long.yaml", hooked_pod("long", "{preStop: {exec: {command: [/bin/sleep, '60']}}}",
                                         shared(), "  terminationGracePeriodSeconds: 3\n"));
  wait_for("long", "ready", ready);
  const auto begin = RealClock{}.steady_now();
  remove_manifest("long.yaml");
  wait_for("long", "terminating",
           [](const api::Pod& pod) { return pod.metadata.deletionTimestamp.has_value(); });
  wait_gone("long");
  const auto took = RealClock{}.steady_now() - begin;
  EXPECT_GE(took, 3s);
  EXPECT_LT(took, 9s);
  EXPECT_EQ(order(), "term\n");
}

TEST_F(Hooks, a_berthd_that_is_killed_during_a_pre_stop_hook_does_not_run_it_again) {
  write_manifest("once.yaml",
                 hooked_pod("once",
                            "{preStop: {exec: {command: [/bin/sh, -c, 'echo hook >> /w/order; "
                            "sleep 4']}}}",
                            shared(), "  terminationGracePeriodSeconds: 30\n"));
  wait_for("once", "ready", ready);
  remove_manifest("once.yaml");
  const std::string file = (shared() / "order").string();
  const auto hooked =
      run({"timeout", "20", "sh", "-c", "until grep -qs hook " + file + "; do sleep 0.05; done"});
  ASSERT_EQ(hooked.exit_code, 0);
  kill_berthd();
  start_berthd();
  wait_gone("once");
  EXPECT_EQ(order(), "hook\nterm\n");
}

TEST_F(Hooks, hooks_by_http_and_by_sleep_do_what_they_say) {
  write_manifest("web.yaml",
                 "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n"
                 "  terminationGracePeriodSeconds: 10\n  containers:\n  - name: c\n"
                 "    image: localhost/busybox:1\n"
                 "    command: [/bin/sh, -c, \"mkdir -p /www; exec httpd -f -v -p 8080 -h /www\"]\n"
                 "    ports: [{name: http, containerPort: 8080}]\n"
                 "    lifecycle:\n      postStart: {sleep: {seconds: 1}}\n"
                 "      preStop: {httpGet: {path: /bye, port: http}}\n");
  wait_for("web", "ready", ready);
  const auto deleted = berthctl({"delete", "pod", "web"});
  EXPECT_EQ(deleted.exit_code, 0) << deleted.err;
  // A 404 counts as an answer to the hook.
  const auto events = berthctl({"events", "-A"});
  EXPECT_EQ(events.out.find("PreStopHook failed"), std::string::npos) << events.out;
}

}  // namespace
}  // namespace berth::integration
