// SPDX-License-Identifier: Apache-2.0

// The configuration's effects on pods, and what a pod learns about itself, on a real runtime.
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

class Rules : public NodeTest {};

TEST_F(Rules, no_container_waits_longer_for_its_restart_than_the_node_allows) {
  start_berthd("crashLoopBackOff: {maxContainerRestartPeriod: 2s}\n");
  write_manifest("crash.yaml", simple_pod("crash", "exit 3"));
  const auto pod = wait_for("crash", "started for the fourth time", [](const api::Pod& seen) {
    const auto* status = status_of(seen, "c");
    return status != nullptr && status->restartCount >= 3 &&
           waiting_reason(seen, "c") == "CrashLoopBackOff";
  });
  EXPECT_TRUE(waiting_message(pod, "c").starts_with("back-off 2s ")) << waiting_message(pod, "c");
}

TEST_F(Rules, a_pod_that_would_not_be_admitted_today_goes_on_and_is_said_to_be_so) {
  start_berthd("", "nodeLabels: {disk: ssd}\n");
  const auto before = run_pod("a", simple_pod("a", kForEver, "  nodeSelector: {disk: ssd}\n"));
  EXPECT_EQ(berthctl({"get", "pods"}).err, "");
  stop_berthd();
  start_berthd("", "nodeLabels: {disk: hdd}\n");
  const auto after = wait_for("a", "ready again", ready);
  EXPECT_EQ(status_of(after, "c")->containerID, status_of(before, "c")->containerID);
  const std::string said = "would not be admitted today";
  EXPECT_NE(berthctl({"get", "pods"}).err.find("Warning: pod default/a-node1 " + said),
            std::string::npos);
  EXPECT_NE(berthctl({"get", "pods", "a"}).err.find(said), std::string::npos);
  const auto why = berthctl({"why", "pod/a"});
  EXPECT_NE(why.out.find("It " + said + " (NodeAffinity: "), std::string::npos) << why.out;
  const auto described = berthctl({"describe", "pod", "a"});
  EXPECT_NE(described.out.find("would be refused today: NodeAffinity: "), std::string::npos)
      << described.out;
}

TEST_F(Rules, a_pod_in_the_hosts_network_is_given_the_address_that_its_status_has) {
  start_berthd();
  const auto pod = run_pod("a", R"(apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  hostNetwork: true
  containers:
  - name: c
    image: localhost/busybox:1
    command:
    - /bin/sh
    - -c
    - "echo $IP $IPS; trap 'exit 0' TERM; while true; do sleep 1 & wait $!; done"
    env:
    - {name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
    - {name: IPS, valueFrom: {fieldRef: {fieldPath: status.podIPs}}}
)");
  ASSERT_FALSE(pod.status.podIP.empty());
  std::string all;
  for (const auto& address : pod.status.podIPs) all += (all.empty() ? "" : ",") + address.ip;
  expect_logs({"a"}, pod.status.podIP + " " + all + "\n");
}

}  // namespace
}  // namespace berth::integration
