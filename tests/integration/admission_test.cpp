// SPDX-License-Identifier: Apache-2.0

// The node's refusals, in the kubelet's words.
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

const api::PodCondition* scheduled(const api::Pod& pod) {
  for (const auto& condition : pod.status.conditions)
    if (condition.type == "PodScheduled") return &condition;
  return nullptr;
}

bool unschedulable(const api::Pod& pod) {
  const auto* condition = scheduled(pod);
  return condition != nullptr && condition->status == "False";
}

TEST_F(Admission, what_the_scheduler_refuses_is_pending_until_it_can_be_placed) {
  start_berthd("", "nodeTaints: [{key: example.com/special, effect: NoSchedule}]\n");
  write_manifest("web.yaml", simple_pod("web", kForEver));
  const auto pod = wait_for("web", "unschedulable", unschedulable);
  EXPECT_EQ(pod.status.phase, "Pending");
  EXPECT_EQ(pod.spec.nodeName, "");
  EXPECT_EQ(scheduled(pod)->reason, "Unschedulable");
  EXPECT_TRUE(scheduled(pod)->message.starts_with(
      "0/1 nodes are available: 1 node(s) had untolerated taint(s)."))
      << scheduled(pod)->message;
  write_manifest("web.yaml",
                 simple_pod("web", kForEver,
                            "  tolerations: [{key: example.com/special, operator: Exists}]\n"));
  EXPECT_EQ(wait_for("web", "ready", ready).spec.nodeName, "node1");
}

TEST_F(Admission, a_pod_of_lower_priority_makes_room_and_comes_back) {
  start_berthd();
  write_manifest("class.yaml",
                 "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n"
                 "metadata: {name: high}\nvalue: 1000\n");
  const std::string ports = "    ports: [{containerPort: 80, hostPort: 18098}]\n";
  write_manifest("low.yaml", simple_pod("low", kForEver) + ports);
  const auto low = wait_for("low", "ready", ready);
  write_manifest("high.yaml", simple_pod("high", kForEver, ports + "  priorityClassName: high\n"));
  wait_for("high", "ready", ready);
  const auto next = wait_for("low", "waiting for room", unschedulable);
  EXPECT_NE(next.metadata.uid, low.metadata.uid);
  const auto events = berthctl({"events", "--for", "pod/low"});
  EXPECT_NE(events.out.find("Preempted by pod "), std::string::npos) << events.out;
  end_pod("high");
  wait_for("low", "ready", ready);
}

TEST_F(Admission, the_node_ends_a_pod_for_a_critical_one_that_has_to_run_on_it) {
  start_berthd("maxPods: 1\n");
  // The pod ignores TERM: a pod whose containers all exit with 0 would end as Succeeded.
  write_manifest("low.yaml",
                 simple_pod("low", "exec sleep 1000", "  terminationGracePeriodSeconds: 1\n"));
  wait_for("low", "ready", ready);
  write_manifest("proxy.yaml",
                 simple_pod("proxy", kForEver,
                            "  nodeName: node1\n  priorityClassName: system-node-critical\n"));
  wait_for("proxy", "ready", ready);
  const auto low =
      wait_for("low", "ended", [](const api::Pod& seen) { return seen.status.phase == "Failed"; });
  EXPECT_EQ(low.status.reason, "Preempting");
  EXPECT_EQ(low.status.message, "Preempted in order to admit critical pod");
  const auto why = berthctl({"why", "pod/low"});
  EXPECT_NE(why.out.find("it makes room for the critical pod default/proxy-node1"),
            std::string::npos)
      << why.out;
}

TEST_F(Admission, a_budget_keeps_a_pod_from_being_evicted) {
  start_berthd();
  write_manifest("budget.yaml",
                 "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\n"
                 "spec: {maxUnavailable: 0, selector: {}}\n");
  write_manifest("web.yaml", simple_pod("web", kForEver));
  const auto before = wait_for("web", "ready", ready);
  const auto refused = berthctl({"evict", "pod/web"});
  EXPECT_EQ(refused.exit_code, 7);
  EXPECT_EQ(refused.err,
            "error: cannot evict pod \"web-node1\": Cannot evict pod as it would violate the pod's "
            "disruption budget.\n"
            "  The disruption budget web needs 1 healthy pods and has 1 currently\n");
  EXPECT_NE(berthctl({"get", "pdb"}).out.find("web    N/A             0                 0"),
            std::string::npos);
  remove_manifest("budget.yaml");
  run_pod("later", simple_pod("later", kForEver));  // by then berthd has read the folder again
  EXPECT_EQ(berthctl({"get", "pdb"}).out, "");
  EXPECT_EQ(berthctl({"evict", "pod/web", "--dry-run"}).out,
            "pod/web-node1 evicted (dry run): no budget selects the pod\n");
  EXPECT_EQ(wait_for("web", "ready", ready).metadata.uid, before.metadata.uid);
  EXPECT_EQ(berthctl({"evict", "pod/web"}).exit_code, 0);
  wait_for("web", "made anew", [&](const api::Pod& pod) {
    return pod.metadata.uid != before.metadata.uid && ready(pod);
  });
}

}  // namespace
}  // namespace berth::integration
