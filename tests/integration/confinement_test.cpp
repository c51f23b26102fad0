// SPDX-License-Identifier: Apache-2.0

// The confinement of pods on a real runtime, and its refusals in the kubelet's words.
#include <fstream>

#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

bool host_has_apparmor() {
  std::ifstream enabled("/sys/module/apparmor/parameters/enabled");
  return enabled.get() == 'Y';
}

std::string pod_text(const std::string& name, const std::string& annotations,
                     const std::string& more) {
  return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: " + name + "\n  annotations: {" +
         annotations + "}\nspec:\n  containers:\n  - name: c\n    image: localhost/busybox:1\n" +
         more;
}

class Confinement : public NodeTest {
 protected:
  void expect_said(const std::vector<std::string>& command, const std::string& text) const {
    const auto said = berthctl(command);
    EXPECT_NE(said.out.find(text), std::string::npos) << said.out << said.err;
  }
};

TEST_F(Confinement, a_pod_that_asks_for_apparmor_is_rejected_where_the_host_has_none) {
  if (host_has_apparmor()) GTEST_SKIP() << "this host has AppArmor";
  start_berthd();
  const std::string command = "    command: [sh, -c, \"sleep 1000\"]\n";
  const std::string key = "container.apparmor.security.beta.kubernetes.io/c: ";
  write_manifest("annotation.yaml", pod_text("annotation", key + "localhost/k8s-deny", command));
  write_manifest("field.yaml",
                 pod_text("field", "", command) +
                     "    securityContext: {appArmorProfile: {type: RuntimeDefault}}\n");
  for (const std::string name : {"annotation", "field"}) {
    const auto pod = wait_for(name, "rejected",
                              [](const api::Pod& seen) { return seen.status.phase == "Failed"; });
    EXPECT_EQ(pod.status.reason, "AppArmor");
    EXPECT_EQ(pod.status.message,
              "Pod was rejected: Cannot enforce AppArmor: AppArmor is not enabled on the host");
  }
}

TEST_F(Confinement, unconfined_runs_anywhere) {
  start_berthd();
  run_pod("free", pod_text("free", "container.apparmor.security.beta.kubernetes.io/c: unconfined",
                           "    command: [sh, -c, \"sleep 1000\"]\n"
                           "  terminationGracePeriodSeconds: 1\n"));
}

TEST_F(Confinement, a_profile_that_is_missing_is_refused_in_the_runtimes_words) {
  start_berthd();
  write_manifest("strict.yaml", pod_text("strict", "", "    command: [sh, -c, \"sleep 1000\"]\n") +
                                    "    securityContext:\n      seccompProfile: {type: Localhost, "
                                    "localhostProfile: none.json}\n");
  const auto pod = wait_for("strict", "refused by the runtime", [](const api::Pod& seen) {
    return waiting_reason(seen, "c") == "CreateContainerError";
  });
  const std::string message = waiting_message(pod, "c");
  EXPECT_NE(message.find("seccomp/none.json"), std::string::npos) << message;
  EXPECT_EQ(message.find("CreateContainer"), std::string::npos) << message;
  EXPECT_EQ(message.find("rpc error"), std::string::npos) << message;
  expect_said({"events"}, "Error: " + message.substr(0, 40));
  expect_said({"why", "pod/strict"}, "CreateContainerError: CreateContainer: rpc error: code = ");
}

TEST_F(Confinement, a_command_that_is_not_there_is_refused_in_the_runtimes_words) {
  start_berthd();
  write_manifest("lost.yaml", pod_text("lost", "", "    command: [/no/such/program]\n"));
  wait_for("lost", "failed to start", [](const api::Pod& seen) {
    return !waiting_reason(seen, "c").empty() && waiting_reason(seen, "c") != "ContainerCreating";
  });
  expect_said({"events"}, "Error: failed to create containerd task");
  expect_said({"why", "pod/lost"}, "RunContainerError: StartContainer: rpc error: code = ");
}

}  // namespace
}  // namespace berth::integration
