// SPDX-License-Identifier: Apache-2.0

#include "node/admission.hpp"

#include <gtest/gtest.h>

namespace berth::node {
namespace {

api::Node node_with(api::ResourceList allocatable) {
  api::Node node;
  node.metadata.name = "node1";
  node.metadata.labels = {{"kubernetes.io/os", "linux"}, {"disk", "ssd"}};
  allocatable.emplace("pods", api::Quantity::from_int(3));
  node.status.allocatable = std::move(allocatable);
  node.status.nodeInfo.kernelVersion = "6.1.0-18-amd64";
  return node;
}

api::Node usual_node() {
  return node_with(
      {{"cpu", api::Quantity::from_milli(1000)}, {"memory", *api::Quantity::parse("1Gi")}});
}

api::Pod pod_asking(const std::string& resource, const std::string& amount) {
  api::Pod pod;
  pod.metadata.name = "web";
  api::Container container{.name = "c"};
  if (!resource.empty()) container.resources.requests[resource] = *api::Quantity::parse(amount);
  pod.spec.containers.push_back(std::move(container));
  return pod;
}

api::Pod pod_with_host_port(std::int32_t port, const std::string& ip = "") {
  api::Pod pod = pod_asking("", "");
  pod.spec.containers[0].ports.push_back({.hostPort = port, .containerPort = 80, .hostIP = ip});
  return pod;
}

TEST(Admission, pod_that_fits_is_admitted) {
  const auto verdict = admit_pod({}, {}, usual_node(), {}, pod_asking("cpu", "1"));
  EXPECT_TRUE(verdict.admitted) << verdict.message;
}

TEST(Admission, shortage_is_reported_with_its_numbers) {
  struct Case {
    const char* resource;
    const char* amount;
    const char* reason;
    const char* message;
  };
  const Case cases[] = {
      {"cpu", "1500m", "OutOfcpu",
       "Node didn't have enough resource: cpu, requested: 1500, used: 200, capacity: 1000"},
      {"memory", "2Gi", "OutOfmemory",
       "Node didn't have enough resource: memory, requested: 2147483648, used: 0, capacity: "
       "1073741824"},
      {"hugepages-2Mi", "4Mi", "OutOfhugepages-2Mi",
       "Node didn't have enough resource: hugepages-2Mi, requested: 4194304, used: 0, capacity: "
       "0"},
  };
  const api::Pod other = pod_asking("cpu", "200m");
  for (const auto& c : cases) {
    const auto verdict =
        admit_pod({}, {}, usual_node(), {&other}, pod_asking(c.resource, c.amount));
    EXPECT_FALSE(verdict.admitted);
    EXPECT_EQ(verdict.reason, c.reason);
    EXPECT_EQ(verdict.message, c.message);
  }
}

TEST(Admission, node_takes_no_more_than_its_number_of_pods) {
  const api::Pod other = pod_asking("", "");
  const auto verdict = admit_pod({}, {}, usual_node(), {&other, &other, &other}, other);
  EXPECT_EQ(verdict.reason, "OutOfpods");
  EXPECT_EQ(verdict.message,
            "Node didn't have enough resource: pods, requested: 1, used: 3, capacity: 3");
}

TEST(Admission, best_effort_pod_fits_a_node_that_is_full) {
  const api::Pod greedy = pod_asking("cpu", "5");
  EXPECT_TRUE(admit_pod({}, {}, usual_node(), {&greedy}, pod_asking("", "")).admitted);
}

TEST(Admission, extended_resource_that_the_node_does_not_know_is_ignored) {
  EXPECT_TRUE(admit_pod({}, {}, usual_node(), {}, pod_asking("example.com/gpu", "1")).admitted);
}

TEST(Admission, host_ports_conflict_by_address_and_protocol) {
  struct Case {
    const char* taken;
    const char* wanted;
    bool admitted;
  };
  const Case cases[] = {{"", "", false},
                        {"10.0.0.1", "", false},
                        {"", "10.0.0.1", false},
                        {"10.0.0.1", "10.0.0.2", true},
                        {"10.0.0.1", "10.0.0.1", false},
                        {"::", "10.0.0.1", true}};
  for (const auto& c : cases) {
    const api::Pod other = pod_with_host_port(8080, c.taken);
    const auto verdict =
        admit_pod({}, {}, usual_node(), {&other}, pod_with_host_port(8080, c.wanted));
    EXPECT_EQ(verdict.admitted, c.admitted) << c.taken << " / " << c.wanted;
    if (!c.admitted) {
      EXPECT_EQ(verdict.reason, "NodePorts");
      EXPECT_EQ(
          verdict.message,
          "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports");
    }
  }
}

TEST(Admission, node_selector_of_other_labels_is_refused) {
  api::Pod pod = pod_asking("", "");
  pod.spec.nodeSelector = {{"disk", "hdd"}};
  const auto verdict = admit_pod({}, {}, usual_node(), {}, pod);
  EXPECT_EQ(verdict.reason, "NodeAffinity");
  EXPECT_EQ(verdict.message,
            "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector");
}

TEST(Admission, first_failure_decides_and_all_are_listed) {
  api::Pod pod = pod_asking("cpu", "9");
  pod.spec.nodeName = "node2";
  const auto verdict = admit_pod({}, {}, usual_node(), {}, pod);
  EXPECT_EQ(verdict.reason, "OutOfcpu");
  EXPECT_EQ(verdict.failures.size(), 2U);
}

TEST(Admission, critical_pod_is_refused_for_what_room_cannot_mend) {
  api::Pod pod = pod_asking("cpu", "9");
  pod.spec.nodeName = "node2";
  pod.spec.priority = 2'000'000'000;
  EXPECT_EQ(admit_pod({}, {}, usual_node(), {}, pod).reason, "NodeName");
}

TEST(Admission, no_execute_taints_refuse_who_does_not_tolerate_them) {
  api::Node node = usual_node();
  node.spec.taints = {{.key = "maintenance", .value = "yes", .effect = "NoExecute"},
                      {.key = "soft", .effect = "NoSchedule"}};
  api::Pod pod = pod_asking("", "");
  const auto verdict = admit_pod({}, {}, node, {}, pod);
  EXPECT_EQ(verdict.reason, "TaintToleration");
  EXPECT_EQ(verdict.message,
            "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate");
  pod.spec.tolerations = {{.key = "maintenance", .operator_ = "Exists"}};
  EXPECT_TRUE(admit_pod({}, {}, node, {}, pod).admitted);
}

TEST(Admission, static_pods_ignore_taints_only_by_the_kubelets_rule) {
  api::Node node = usual_node();
  node.spec.taints = {{.key = "maintenance", .effect = "NoExecute"}};
  api::Pod pod = pod_asking("", "");
  pod.metadata.annotations["kubernetes.io/config.source"] = "file";
  EXPECT_FALSE(admit_pod({}, {}, node, {}, pod).admitted);
  EXPECT_TRUE(admit_pod({.static_pods_are_critical = true}, {}, node, {}, pod).admitted);
}

TEST(Admission, other_operating_systems_are_refused) {
  api::Pod pod = pod_asking("", "");
  pod.spec.os = api::PodOS{.name = "windows"};
  EXPECT_EQ(admit_pod({}, {}, usual_node(), {}, pod).reason, "PodOSNotSupported");
}

TEST(Sysctls, safe_ones_pass_and_others_need_the_configuration) {
  struct Case {
    const char* name;
    bool host_network;
    std::vector<std::string> allowed;
    const char* text;
  };
  const Case cases[] = {
      {"net.ipv4.ip_unprivileged_port_start", false, {}, ""},
      {"net/ipv4/tcp_syncookies", false, {}, ""},
      {"net.ipv4.tcp_rmem", false, {}, ""},
      {"net.ipv4.tcp_syncookies",
       true,
       {},
       "forbidden sysctl: \"net.ipv4.tcp_syncookies\" not allowed with host Net enabled"},
      {"kernel.msgmax", false, {}, "forbidden sysctl: \"kernel.msgmax\" not allowlisted"},
      {"kernel.msgmax", false, {"kernel.msg*"}, ""},
      {"net.core.somaxconn", false, {"net.core.somaxconn"}, ""},
      {"net.core.somaxconn", false, {"net/core/*"}, ""},
  };
  for (const auto& c : cases) {
    api::Pod pod = pod_asking("", "");
    pod.spec.hostNetwork = c.host_network;
    pod.spec.securityContext = api::PodSecurityContext{.sysctls = {{.name = c.name, .value = "1"}}};
    const NodeConfig config{.allowed_unsafe_sysctls = c.allowed};
    EXPECT_EQ(forbidden_sysctl(config, usual_node(), pod), c.text);
  }
}

TEST(Sysctls, only_what_each_pod_has_its_own_of_can_be_allowed) {
  for (const char* pattern : {"net.core.somaxconn", "net.*", "kernel.msg*", "kernel/shmmax",
                              "kernel.sem", "fs.mqueue.*"}) {
    EXPECT_EQ(sysctl_pattern_problem(pattern), "");
  }
  for (const std::string pattern : {"vm.swappiness", "kernel.*", "*", ""}) {
    EXPECT_EQ(sysctl_pattern_problem(pattern),
              "the sysctls \"" + pattern + "\" are not known to be namespaced");
  }
}

TEST(Sysctls, old_kernels_have_fewer_safe_ones) {
  api::Node node = usual_node();
  node.status.nodeInfo.kernelVersion = "4.14.9";
  api::Pod pod = pod_asking("", "");
  pod.spec.securityContext =
      api::PodSecurityContext{.sysctls = {{.name = "net.ipv4.tcp_wmem", .value = "1"}}};
  EXPECT_EQ(forbidden_sysctl({}, node, pod),
            "forbidden sysctl: \"net.ipv4.tcp_wmem\" not allowlisted");
}

}  // namespace
}  // namespace berth::node
