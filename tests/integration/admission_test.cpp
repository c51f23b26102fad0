// What the node refuses, in the kubelet's words.
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

class Admission : public NodeTest {};

TEST_F(Admission, refuses_more_cpu_than_the_node_has) {
  start_berthd();
  write_manifest("big.yaml",
                 "apiVersion: v1\nkind: Pod\nmetadata: {name: big}\nspec:\n  containers:\n"
                 "  - {name: c, image: \"localhost/busybox:1\", resources: {requests: {cpu: "
                 "1000}}}\n");
  const auto pod = wait_for("big", "refused",
                            [](const api::Pod& seen) { return seen.status.phase == "Failed"; });
  EXPECT_EQ(pod.status.reason, "OutOfcpu");
  EXPECT_TRUE(pod.status.message.starts_with(
      "Pod was rejected: Node didn't have enough resource: cpu, requested: 1000000, used: 0, "
      "capacity: "))
      << pod.status.message;
}

TEST_F(Admission, refuses_a_host_port_that_is_taken) {
  start_berthd();
  const std::string ports = "    ports: [{containerPort: 80, hostPort: 18099}]\n";
  write_manifest("a.yaml", simple_pod("a", kForEver) + ports);
  wait_for("a", "ready", ready);
  write_manifest("b.yaml", simple_pod("b", kForEver) + ports);
  const auto pod =
      wait_for("b", "refused", [](const api::Pod& seen) { return seen.status.phase == "Failed"; });
  EXPECT_EQ(pod.status.reason, "NodePorts");
  EXPECT_EQ(pod.status.message,
            "Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the "
            "requested pod ports");
}

TEST_F(Admission, a_pod_for_another_node_is_pending_and_not_run) {
  start_berthd();
  write_manifest("else.yaml", simple_pod("else", kForEver, "  nodeName: another\n"));
  const auto pod = wait_for("else", "pending with a reason", [](const api::Pod& seen) {
    return !seen.status.message.empty() || !seen.status.reason.empty();
  });
  EXPECT_EQ(pod.status.phase, "Pending");
  EXPECT_NE(pod.status.message.find("another"), std::string::npos) << pod.status.message;
}

}  // namespace
}  // namespace berth::integration
