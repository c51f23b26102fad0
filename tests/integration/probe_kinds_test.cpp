// SPDX-License-Identifier: Apache-2.0

// Each kind of probe against a server that really answers, with its texts: HTTPS and gRPC with
// servers of our own, mounted into the container; the others with busybox's tools.
#include "tests/integration/probed_node.hpp"

namespace berth::integration {
namespace {

class ProbeKinds : public ProbedNodeTest {
 protected:
  void SetUp() override {
    ProbedNodeTest::SetUp();
    start_berthd();
  }
  // Runs `server` as /server, after `before`.
  static std::string pod_with(const std::string& name, const std::string& server,
                              const std::string& command, const std::string& probes) {
    return simple_pod(name, command,
                      probes + "    volumeMounts: [{name: server, mountPath: /server}]\n" +
                          "  volumes: [{name: server, hostPath: {path: " + server +
                          ", type: File}}]\n" + kShortGrace);
  }
};

constexpr const char* kHealth =
    "mkdir /tmp/h; echo SERVING > /tmp/h/overall; "
    "echo SERVING > /tmp/h/web; exec /server 9090 /tmp/h";

TEST_F(ProbeKinds, readiness_by_grpc_follows_what_the_service_says) {
  run_pod("rpc", pod_with("rpc", BERTH_HEALTH_SERVER, kHealth,
                          probe("readiness", "{grpc: {port: 9090, service: web}")));
  in_container("rpc", "echo NOT_SERVING > /tmp/h/web");
  wait_for("rpc", "not ready", not_ready);
  expect_event("rpc", "Readiness probe failed: service unhealthy (responded with \"NOT_SERVING\")");
  in_container("rpc", "echo SERVING > /tmp/h/web");
  wait_for("rpc", "ready again", ready);
  in_container("rpc", "rm /tmp/h/web");
  EXPECT_EQ(restarts(wait_for("rpc", "not ready without its service", not_ready)), 0);
  expect_event("rpc",
               "Readiness probe failed: error: health rpc probe failed: rpc error: code = NotFound "
               "desc = unknown service");
}

TEST_F(ProbeKinds, liveness_by_grpc_restarts_a_container_that_does_not_serve) {
  run_pod("rpc", pod_with("rpc", BERTH_HEALTH_SERVER, kHealth,
                          probe("startup", "{grpc: {port: 9090}") +
                              probe("liveness", "{grpc: {port: 9090}")));
  in_container("rpc", "echo NOT_SERVING > /tmp/h/overall");
  wait_for("rpc", "restarted and ready",
           [](const api::Pod& pod) { return ready(pod) && restarts(pod) == 1; });
  expect_event("rpc", "Liveness probe failed: service unhealthy (responded with \"NOT_SERVING\")");
  expect_event("rpc", "Container c failed liveness probe, will be restarted");
}

TEST_F(ProbeKinds, grpc_without_a_server_is_not_ready) {
  write_manifest("rpc.yaml", simple_pod("rpc", kForEver,
                                        probe("readiness", "{grpc: {port: 9090}") +
                                            probe("liveness", "{grpc: {port: 9090}")));
  const auto pod = wait_for("rpc", "restarted for its liveness",
                            [](const api::Pod& seen) { return restarts(seen) >= 1; });
  EXPECT_FALSE(ready(pod));
  expect_event("rpc", "Liveness probe failed: timeout: failed to connect service");
}

TEST_F(ProbeKinds, https_looks_at_no_certificate) {
  run_pod("tls", pod_with("tls", BERTH_HTTPS_SERVER, "touch /tmp/ok; exec /server 8443 /tmp/ok",
                          probe("readiness", "{httpGet: {port: 8443, scheme: HTTPS}")));
  in_container("tls", "rm /tmp/ok");
  wait_for("tls", "not ready", not_ready);
  expect_event("tls", "Readiness probe failed: HTTP probe failed with statuscode: 503");
  in_container("tls", "touch /tmp/ok");
  EXPECT_EQ(restarts(wait_for("tls", "ready again", ready)), 0);
}

TEST_F(ProbeKinds, readiness_by_http_takes_a_pod_out_and_back_and_restarts_nothing) {
  run_pod("web",
          simple_pod("web", kFileServer,
                     probe("readiness", "{httpGet: {path: /healthz, port: 8080}") + kShortGrace));
  in_container("web", "mv /tmp/w/healthz /tmp/w/away");
  wait_for("web", "not ready", not_ready);
  expect_event("web", "Readiness probe failed: HTTP probe failed with statuscode: 404");
  in_container("web", "mv /tmp/w/away /tmp/w/healthz");
  EXPECT_EQ(restarts(wait_for("web", "ready again", ready)), 0);
}

TEST_F(ProbeKinds, a_connection_is_enough_for_tcp) {
  run_pod("tcp", simple_pod("tcp", kFileServer,
                            probe("readiness", "{tcpSocket: {port: 8080}") +
                                probe("liveness", "{tcpSocket: {port: 8080}") + kShortGrace));
  write_manifest("nobody.yaml",
                 simple_pod("nobody", kForEver, probe("readiness", "{tcpSocket: {port: 8081}")));
  wait_for("nobody", "running", not_ready);
  wait_for("tcp", "ready all the while", ready);
}

TEST_F(ProbeKinds, liveness_by_exec_restarts_the_container_and_says_why) {
  run_pod("live", simple_pod("live", std::string("touch /tmp/ok; ") + kForEver,
                             probe("liveness", "{exec: {command: [cat, /tmp/ok]}")));
  in_container("live", "rm /tmp/ok");
  wait_for("live", "restarted", [](const api::Pod& pod) { return restarts(pod) == 1; });
  expect_event("live", "Liveness probe failed: cat: can't open '/tmp/ok'");
  expect_event("live", "Container c failed liveness probe, will be restarted");
  const auto why = berthctl({"why", "pod/live"});
  EXPECT_NE(why.out.find("its liveness probe failed 2 of 2"), std::string::npos) << why.out;
  EXPECT_NE(why.out.find("it failed its liveness probe"), std::string::npos) << why.out;
}

TEST_F(ProbeKinds, a_command_that_takes_longer_than_its_limit_has_failed) {
  write_manifest("slow.yaml", simple_pod("slow", kForEver,
                                         probe("readiness", "{exec: {command: [sleep, '30']}")));
  wait_for("slow", "running", not_ready);
  wait_until("its first run is over",
             [&] { return events_of("slow").find("Unhealthy") != std::string::npos; });
  expect_event("slow",
               "Readiness probe failed: command timed out: \"sleep 30\" timed out after 1s");
}

}  // namespace
}  // namespace berth::integration
