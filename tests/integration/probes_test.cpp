// Probes against real containers: each mechanism, and what follows from the answers.
#include <algorithm>

#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

// A server on 8080 that serves a file for as long as it is there; PID 1 does not end by TERM.
constexpr const char* kServer =
    "mkdir -p /tmp/w; echo fine > /tmp/w/healthz; exec httpd -f -p 8080 -h /tmp/w";
constexpr const char* kForEver = "trap 'exit 0' TERM; while true; do sleep 1 & wait $!; done";
constexpr const char* kHttp = "{httpGet: {path: /healthz, port: 8080}";
constexpr const char* kOften = ", periodSeconds: 1, failureThreshold: 2}\n";
constexpr const char* kShortGrace = "  terminationGracePeriodSeconds: 1\n";

bool not_ready(const api::Pod& pod) {
  return pod.status.phase == "Running" && !ready(pod);
}

std::string probe(const std::string& type, const std::string& handler) {
  return "    " + type + "Probe: " + handler + kOften;
}

class Probes : public NodeTest {
 protected:
  void expect_event(const std::string& pod, const std::string& text) const {
    const auto events = berthctl({"events", "--for", "pod/" + pod});
    EXPECT_NE(events.out.find(text), std::string::npos) << text << "\nin\n" << events.out;
  }
  void in_container(const std::string& pod, const std::string& command) const {
    const auto done = berthctl({"exec", pod, "--", "sh", "-c", command});
    EXPECT_EQ(done.exit_code, 0) << done.err;
  }
  static int restarts(const api::Pod& pod) { return status_of(pod, "c")->restartCount; }
};

TEST_F(Probes, readiness_by_http_takes_a_pod_out_and_back_and_restarts_nothing) {
  start_berthd();
  write_manifest("web.yaml", simple_pod("web", kServer, probe("readiness", kHttp) + kShortGrace));
  wait_for("web", "ready", ready);
  in_container("web", "mv /tmp/w/healthz /tmp/w/away");
  wait_for("web", "not ready", not_ready);
  expect_event("web", "Readiness probe failed: HTTP probe failed with statuscode: 404");
  in_container("web", "mv /tmp/w/away /tmp/w/healthz");
  EXPECT_EQ(restarts(wait_for("web", "ready again", ready)), 0);
}

TEST_F(Probes, liveness_by_exec_restarts_the_container_and_says_why) {
  start_berthd();
  write_manifest("live.yaml", simple_pod("live", std::string("touch /tmp/ok; ") + kForEver,
                                         probe("liveness", "{exec: {command: [cat, /tmp/ok]}")));
  wait_for("live", "ready", ready);
  in_container("live", "rm /tmp/ok");
  wait_for("live", "restarted", [](const api::Pod& pod) { return restarts(pod) == 1; });
  expect_event("live", "Liveness probe failed: cat: can't open '/tmp/ok'");
  expect_event("live", "Container c failed liveness probe, will be restarted");
  const auto why = berthctl({"why", "pod/live"});
  EXPECT_NE(why.out.find("its liveness probe failed 2 of 2"), std::string::npos) << why.out;
  EXPECT_NE(why.out.find("it failed its liveness probe"), std::string::npos) << why.out;
}

TEST_F(Probes, a_connection_is_enough_for_tcp) {
  start_berthd();
  write_manifest("tcp.yaml",
                 simple_pod("tcp", kServer,
                            probe("readiness", "{tcpSocket: {port: 8080}") +
                                probe("liveness", "{tcpSocket: {port: 8080}") + kShortGrace));
  wait_for("tcp", "ready", ready);
  write_manifest("nobody.yaml",
                 simple_pod("nobody", kForEver, probe("readiness", "{tcpSocket: {port: 8081}")));
  wait_for("nobody", "running", not_ready);
  wait_for("tcp", "ready all the while", ready);
}

TEST_F(Probes, grpc_without_a_server_is_not_ready) {
  start_berthd();
  write_manifest("rpc.yaml", simple_pod("rpc", kForEver,
                                        probe("readiness", "{grpc: {port: 9090}") +
                                            probe("liveness", "{grpc: {port: 9090}")));
  const auto pod = wait_for("rpc", "restarted for its liveness",
                            [](const api::Pod& seen) { return restarts(seen) >= 1; });
  EXPECT_FALSE(ready(pod));
  expect_event("rpc", "Liveness probe failed: timeout: failed to connect service");
}

TEST_F(Probes, liveness_waits_until_startup_has_passed) {
  start_berthd();
  write_manifest("slow.yaml",
                 simple_pod("slow", std::string("sleep 3; touch /tmp/up; ") + kForEver,
                            "    startupProbe: {exec: {command: [cat, /tmp/up]}, periodSeconds: 1, "
                            "failureThreshold: 30}\n" +
                                probe("liveness", "{exec: {command: [cat, /tmp/up]}") +
                                probe("readiness", "{exec: {command: [cat, /tmp/up]}")));
  const auto before = wait_for("slow", "running", not_ready);
  EXPECT_EQ(status_of(before, "c")->started, false);
  const auto after = wait_for("slow", "ready", ready);
  EXPECT_EQ(status_of(after, "c")->started, true);
  EXPECT_EQ(restarts(after), 0);
}

TEST_F(Probes, a_restart_of_berthd_leaves_readiness_as_it_is) {
  start_berthd();
  write_manifest("web.yaml",
                 simple_pod("web", kServer,
                            probe("startup", kHttp) + probe("readiness", kHttp) + kShortGrace));
  const auto before = wait_for("web", "ready", ready);
  for (const bool killed : {false, true}) {
    if (killed) {
      kill_berthd();
    } else {
      stop_berthd();
    }
    start_berthd();
    // Others come and go meanwhile; its own probes are asked.
    const std::string other = killed ? "b" : "a";
    write_manifest(other + ".yaml",
                   simple_pod(other, kServer, probe("readiness", kHttp) + kShortGrace));
    wait_for(other, "ready", ready);
    const auto after = wait_for("web", "ready", ready);
    EXPECT_EQ(after.status.conditions, before.status.conditions) << "not even for a moment";
  }
}

TEST_F(Probes, readiness_goes_on_while_the_pod_is_stopped) {
  start_berthd();
  write_manifest(
      "drain.yaml",
      simple_pod("drain", "touch /tmp/ok; trap 'rm /tmp/ok' TERM; while true; do sleep 1; done",
                 probe("readiness", "{exec: {command: [cat, /tmp/ok]}") +
                     probe("liveness", "{exec: {command: [cat, /tmp/ok]}") +
                     "  terminationGracePeriodSeconds: 6\n"));
  wait_for("drain", "ready", ready);
  remove_manifest("drain.yaml");
  const auto pod = wait_for("drain", "not ready while it ends", [](const api::Pod& seen) {
    return seen.metadata.deletionTimestamp && seen.status.phase == "Running" && !ready(seen);
  });
  EXPECT_TRUE(status_of(pod, "c")->state.running);
  EXPECT_EQ(restarts(pod), 0);
  wait_gone("drain");
}

TEST_F(Probes, are_shown_with_what_they_came_to) {
  start_berthd();
  write_manifest("web.yaml",
                 simple_pod("web", kServer,
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
