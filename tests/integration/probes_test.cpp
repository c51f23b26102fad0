// SPDX-License-Identifier: Apache-2.0

// The consequences of probe results on a real node: readiness, restarts, grace periods, and how
// they are shown.
#include <algorithm>

#include "tests/integration/probed_node.hpp"

namespace berth::integration {
namespace {

constexpr const char* kHttp = "{httpGet: {path: /healthz, port: 8080}";
constexpr const char* kFile = "{exec: {command: [cat, /tmp/ok]}";
// Exits by itself, with code 7, two seconds after TERM.
constexpr const char* kSlowEnd =
    "trap 'sleep 2; exit 7' TERM; touch /tmp/ok; while true; do sleep 1 & wait $!; done";
// Does not exit on TERM.
constexpr const char* kStubborn = "trap '' TERM; touch /tmp/ok; while true; do sleep 1; done";

class Probes : public ProbedNodeTest {
 protected:
  // The container's last termination, once it has been restarted.
  api::ContainerStateTerminated last_end(const std::string& name) {
    const auto pod =
        wait_for(name, "restarted", [](const api::Pod& seen) { return restarts(seen) == 1; });
    const auto& end = status_of(pod, "c")->lastState.terminated;
    EXPECT_TRUE(end);
    return end ? *end : api::ContainerStateTerminated{};
  }

  boost::json::value shown_probe(const std::string& pod) const {
    const auto shown = berthctl({"get", "probes", pod, "-o", "json"});
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    return boost::json::parse(shown.out).at("items").at(0);
  }
};

TEST_F(Probes, liveness_waits_until_startup_has_passed) {
  start_berthd();
  write_manifest("slow.yaml",
                 simple_pod("slow", std::string("sleep 3; touch /tmp/ok; ") + kForEver,
                            "    startupProbe: {exec: {command: [cat, /tmp/ok]}, periodSeconds: 1, "
                            "failureThreshold: 30}\n" +
                                probe("liveness", kFile) + probe("readiness", kFile)));
  const auto before = wait_for("slow", "running", not_ready);
  EXPECT_EQ(status_of(before, "c")->started, false);
  const auto after = wait_for("slow", "ready", ready);
  EXPECT_EQ(status_of(after, "c")->started, true);
  EXPECT_EQ(restarts(after), 0);
  expect_no_event("slow", "Liveness probe");
  expect_no_event("slow", "Readiness probe");
}

TEST_F(Probes, a_container_that_does_not_start_in_time_is_restarted) {
  start_berthd();
  write_manifest("never.yaml", simple_pod("never", kForEver,
                                          probe("startup", kFile) + probe("liveness", kFile) +
                                              probe("readiness", kFile)));
  wait_for("never", "restarted", [](const api::Pod& pod) { return restarts(pod) == 1; });
  expect_event("never", "Startup probe failed: cat: can't open '/tmp/ok'");
  expect_event("never", "Container c failed startup probe, will be restarted");
  expect_no_event("never", "Liveness probe");
  expect_no_event("never", "Readiness probe");
}

TEST_F(Probes, a_pod_that_is_never_restarted_fails_with_its_liveness) {
  start_berthd();
  write_manifest("once.yaml", simple_pod("once", std::string("touch /tmp/ok; ") + kForEver,
                                         probe("liveness", kFile) + "  restartPolicy: Never\n"));
  wait_for("once", "ready", ready);
  in_container("once", "rm /tmp/ok");
  const auto pod =
      wait_for("once", "over", [](const api::Pod& seen) { return seen.status.phase != "Running"; });
  EXPECT_TRUE(status_of(pod, "c")->state.terminated);
  EXPECT_EQ(restarts(pod), 0);
  expect_event("once", "Liveness probe failed: cat: can't open '/tmp/ok'");
  expect_event("once", "Stopping container c");
  expect_no_event("once", "will be restarted");
}

TEST_F(Probes, a_probes_own_grace_period_may_be_longer_than_the_pods) {
  start_berthd();
  write_manifest(
      "long.yaml",
      simple_pod("long", kSlowEnd,
                 probe("liveness", kFile, ", terminationGracePeriodSeconds: 20") + kShortGrace));
  wait_for("long", "ready", ready);
  in_container("long", "rm /tmp/ok");
  EXPECT_EQ(last_end("long").exitCode, 7) << "it was given the time to end by itself";
}

TEST_F(Probes, a_probes_own_grace_period_may_be_shorter_than_the_pods) {
  start_berthd();
  write_manifest("short.yaml",
                 simple_pod("short", kStubborn,
                            probe("liveness", kFile, ", terminationGracePeriodSeconds: 1") +
                                "  terminationGracePeriodSeconds: 300\n"));
  wait_for("short", "ready", ready);
  in_container("short", "rm /tmp/ok");
  EXPECT_EQ(last_end("short").exitCode, 137) << "killed when the probe's period was over";
  // Without this, the pod would end only after its own grace period.
  EXPECT_EQ(berthctl({"delete", "pod", "short", "--grace-period=1"}).exit_code, 0);
}

// As with a kubelet, whose ticks start before the container does. The other pod, which never
// listens, shows that the probe is effective, and how long it takes.
TEST_F(Probes, a_server_that_needs_25_s_lives_with_a_default_liveness_probe) {
  constexpr const char* kDefault = "    livenessProbe: {httpGet: {path: /healthz, port: 8080}}\n";
  start_berthd();
  write_manifest("late.yaml", simple_pod("late", std::string("sleep 25; ") + kFileServer,
                                         std::string(kDefault) + kShortGrace));
  write_manifest("never.yaml", simple_pod("never", kForEver, std::string(kDefault) + kShortGrace));
  wait_for(
      "never", "killed",
      [](const api::Pod& pod) { return status_of(pod, "c") != nullptr && restarts(pod) == 1; },
      std::chrono::seconds(60));
  expect_event("never", "Container c failed liveness probe, will be restarted");
  const auto end = last_end("never");
  EXPECT_GE(end.finishedAt->at - end.startedAt->at, std::chrono::seconds(30)) << "3 periods";
  wait_until("a passed run of late's liveness",
             [this] { return shown_probe("late").at("successful").to_number<int>() > 0; });
  EXPECT_EQ(restarts(*pod("late")), 0);
  expect_event("late", "Liveness probe failed: Get");
}

TEST_F(Probes, a_restart_of_berthd_leaves_readiness_as_it_is) {
  start_berthd();
  write_manifest("web.yaml",
                 simple_pod("web", kFileServer,
                            probe("startup", kHttp) + probe("readiness", kHttp) + kShortGrace));
  const auto before = wait_for("web", "ready", ready);
  for (const bool killed : {false, true}) {
    if (killed) {
      kill_berthd();
    } else {
      stop_berthd();
    }
    start_berthd();
    // Other pods are created and removed meanwhile; this pod's probes continue.
    const std::string other = killed ? "b" : "a";
    write_manifest(other + ".yaml",
                   simple_pod(other, kFileServer, probe("readiness", kHttp) + kShortGrace));
    wait_for(other, "ready", ready);
    const auto after = wait_for("web", "ready", ready);
    EXPECT_EQ(after.status.conditions, before.status.conditions) << "not even for a moment";
  }
}

TEST_F(Probes, readiness_goes_on_while_the_pod_is_stopped_and_liveness_does_not) {
  start_berthd();
  write_manifest(
      "drain.yaml",
      simple_pod("drain", "trap 'rm /tmp/ok' TERM; touch /tmp/ok; while true; do sleep 1; done",
                 probe("readiness", kFile) + probe("liveness", kFile) +
                     "  terminationGracePeriodSeconds: 6\n"));
  wait_for("drain", "ready", ready);
  remove_manifest("drain.yaml");
  const auto pod = wait_for("drain", "not ready while it ends", [](const api::Pod& seen) {
    return seen.metadata.deletionTimestamp && seen.status.phase == "Running" && !ready(seen);
  });
  EXPECT_TRUE(status_of(pod, "c")->state.running);
  EXPECT_EQ(restarts(pod), 0);
  wait_gone("drain");
  expect_event("drain", "Readiness probe failed");
  expect_no_event("drain", "Liveness probe failed");
}

TEST_F(Probes, run_more_often_than_every_second_where_the_annotation_says_so) {
  start_berthd();
  std::string manifest =
      simple_pod("quick", kFileServer,
                 "    readinessProbe: {httpGet: {path: /healthz, port: 8080}, periodSeconds: "
                 "10}\n" +
                     std::string(kShortGrace));
  const std::string name = "metadata: {name: quick}";
  manifest.replace(manifest.find(name), name.size(),
                   "metadata: {name: quick, annotations: {berth.dev/probe-period-milliseconds: "
                   "c/readiness=200}}");
  write_manifest("quick.yaml", manifest);
  wait_for("quick", "ready", ready);
  EXPECT_EQ(shown_probe("quick").at("periodMicroseconds").to_number<int>(), 200'000);
  wait_until("two runs begin within one second", [&] {
    const auto runs = shown_probe("quick").at("runs").as_array();
    return std::ranges::adjacent_find(runs, [](const auto& one, const auto& next) {
             return one.at("time") == next.at("time");
           }) != runs.end();
  });
}

TEST_F(Probes, are_shown_with_what_they_came_to) {
  start_berthd();
  write_manifest("web.yaml",
                 simple_pod("web", kFileServer,
                            probe("readiness", kHttp) +
                                probe("liveness", "{tcpSocket: {port: 8081}") + kShortGrace));
  wait_for("web", "restarted", [](const api::Pod& pod) { return restarts(pod) >= 1; });
  const auto shown = berthctl({"get", "probes", "web", "-o", "wide"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_NE(shown.out.find("Readiness"), std::string::npos) << shown.out;
  const auto json = berthctl({"get", "probes", "-o", "json"});
  EXPECT_NE(json.out.find("connect refused"), std::string::npos) << json.out;
  const auto described = berthctl({"describe", "pod", "web"});
  EXPECT_NE(described.out.find("Probes:"), std::string::npos) << described.out;
}

}  // namespace
}  // namespace berth::integration
