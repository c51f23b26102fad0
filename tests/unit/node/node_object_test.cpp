// SPDX-License-Identifier: Apache-2.0

#include "node/node_object.hpp"

#include <gtest/gtest.h>

#include "node/allocatable.hpp"
#include "node/cgroups/cgroup_values.hpp"

namespace berth::node {
namespace {

constexpr std::int64_t kGi = std::int64_t{1} << 30;
constexpr std::int64_t kMi = std::int64_t{1} << 20;

api::Quantity quantity(const char* text) {
  return *api::Quantity::parse(text);
}

NodeFacts sixteen_gigabytes() {
  NodeFacts facts;
  facts.cpus = 4;
  facts.memory = 16 * kGi;
  facts.ephemeral_storage = 100 * kGi;
  facts.max_pids = 32768;
  facts.architecture = "amd64";
  facts.addresses = {"192.0.2.7", "fd00::7"};
  return facts;
}

NodeConfig reserving() {
  NodeConfig config;
  config.node_name = "node1";
  config.kube_reserved = {{"memory", quantity("1Gi")}};
  config.system_reserved = {{"memory", quantity("500Mi")}};
  config.hard_eviction_memory.quantity = quantity("100Mi");
  config.hard_eviction_nodefs.fraction = 0.1;
  return config;
}

TEST(Allocatable, reservations_and_hard_thresholds_are_taken_off) {
  const auto allocatable = node_allocatable(reserving(), sixteen_gigabytes());
  EXPECT_EQ(allocatable.at("memory").value(), 16 * kGi - kGi - 600 * kMi);
  EXPECT_EQ(allocatable.at("ephemeral-storage").value(), 100 * kGi - 10 * kGi);
  EXPECT_EQ(allocatable.at("cpu").to_string(), "4");
  EXPECT_EQ(allocatable.at("pods").value(), 110);
}

TEST(Allocatable, huge_pages_are_taken_off_memory) {
  NodeFacts facts = sixteen_gigabytes();
  facts.huge_pages = {{.page_size = 2 * kMi, .count = 1024}};
  const auto allocatable = node_allocatable(reserving(), facts);
  EXPECT_EQ(allocatable.at("hugepages-2Mi").value(), 2 * kGi);
  EXPECT_EQ(allocatable.at("memory").value(), 16 * kGi - kGi - 600 * kMi - 2 * kGi);
}

TEST(Allocatable, is_never_less_than_nothing) {
  NodeConfig config = reserving();
  config.kube_reserved["memory"] = quantity("20Gi");
  NodeFacts facts = sixteen_gigabytes();
  EXPECT_TRUE(node_allocatable(config, facts).at("memory").is_zero());
  facts.huge_pages = {{.page_size = 2 * kMi, .count = 16 * 512}};
  EXPECT_TRUE(node_allocatable(reserving(), facts).at("memory").is_zero());
}

TEST(Allocatable, pods_per_core_caps_max_pods) {
  NodeConfig config = reserving();
  config.pods_per_core = 10;
  EXPECT_EQ(node_capacity(config, sixteen_gigabytes()).at("pods").value(), 40);
}

TEST(Allocatable, reserving_more_than_there_is_is_refused_by_name) {
  NodeConfig config = reserving();
  config.kube_reserved["cpu"] = quantity("5");
  const auto checked = checked_allocatable(config, sixteen_gigabytes());
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message,
            "invalid Node Allocatable configuration. Resource \"cpu\" has a reservation of 5 but "
            "capacity of 4. Expected capacity >= reservation.");
  config.kube_reserved["cpu"] = quantity("4");
  EXPECT_TRUE(checked_allocatable(config, sixteen_gigabytes())) << "all of it is not more";
  config.system_reserved["pid"] = quantity("1000");
  EXPECT_TRUE(checked_allocatable(config, sixteen_gigabytes())) << "the node publishes no pids";
}

TEST(Allocatable, local_storage_that_is_no_resource_of_the_node_has_nothing_to_reserve) {
  NodeConfig config = reserving();
  config.hard_eviction_nodefs = {.quantity = quantity("1Gi")};
  NodeFacts facts = sixteen_gigabytes();
  facts.ephemeral_storage = 0;
  EXPECT_FALSE(node_capacity(config, facts).contains("ephemeral-storage"));
  const auto checked = checked_allocatable(config, facts);
  ASSERT_TRUE(checked) << "a threshold reserves nothing of what is not there";
  EXPECT_FALSE(checked->contains("ephemeral-storage"));
}

TEST(KubepodsCgroup, thresholds_are_not_taken_off) {
  const auto values = kubepods_cgroup_values(reserving(), sixteen_gigabytes());
  EXPECT_EQ(values.memory_limit, 16 * kGi - kGi - 500 * kMi);
  EXPECT_EQ(values.cpu_shares, 4096);
  EXPECT_EQ(values.pids_limit, 32768);
}

TEST(TierCgroup, burstable_tier_has_the_shares_of_its_pods) {
  api::Pod burstable;
  burstable.spec.containers = {{.name = "c"}};
  burstable.spec.containers[0].resources.requests["cpu"] = quantity("500m");
  api::Pod best_effort;
  best_effort.spec.containers = {{.name = "c"}};
  const auto facts = sixteen_gigabytes();
  EXPECT_EQ(tier_cgroup_values(facts, QosClass::kBurstable, {&burstable, &best_effort, &burstable})
                .cpu_shares,
            1024);
  EXPECT_EQ(tier_cgroup_values(facts, QosClass::kBurstable, {}).cpu_shares, 2);
  EXPECT_EQ(tier_cgroup_values(facts, QosClass::kBestEffort, {&burstable}).cpu_shares, 2);
}

TEST(NodeObject, ready_follows_the_runtime) {
  const NodeView node = make_node_view(reserving(), sixteen_gigabytes(), {});
  NodeObservations observed;
  observed.now = WallTime{std::chrono::seconds(100)};
  const api::Node unknown = node_object(node, observed, nullptr);
  ASSERT_EQ(unknown.status.conditions.size(), 1U);
  EXPECT_EQ(unknown.status.conditions[0].status, "False");
  EXPECT_EQ(unknown.status.conditions[0].message,
            "container runtime status check may not have completed yet");

  observed.now = WallTime{std::chrono::seconds(200)};
  observed.version = cri::Version{.runtime_name = "containerd", .runtime_version = "1.6.20"};
  observed.runtime_health = RuntimeHealth::kReady;
  observed.runtime = cri::RuntimeStatus{.conditions = {{.type = "RuntimeReady", .status = true},
                                                       {.type = "NetworkReady", .status = true}}};
  const api::Node ready = node_object(node, observed, &unknown);
  const auto& conditions = ready.status.conditions;
  ASSERT_EQ(conditions.size(), 1U);
  EXPECT_EQ(conditions[0].type, "Ready");
  EXPECT_EQ(conditions[0].reason, "KubeletReady");
  EXPECT_EQ(conditions[0].lastTransitionTime->unix_seconds(), 200);
  EXPECT_EQ(ready.metadata.creationTimestamp, unknown.metadata.creationTimestamp);
  EXPECT_EQ(ready.status.nodeInfo.containerRuntimeVersion, "containerd://1.6.20");

  observed.now = WallTime{std::chrono::seconds(300)};
  const api::Node still = node_object(node, observed, &ready);
  EXPECT_EQ(still.status.conditions[0].lastTransitionTime->unix_seconds(), 200);
  EXPECT_EQ(still.status.conditions[0].lastHeartbeatTime->unix_seconds(), 300);
}

TEST(NodeObject, network_that_is_not_ready_is_reported) {
  const NodeView node = make_node_view(reserving(), sixteen_gigabytes(), {});
  NodeObservations observed;
  observed.runtime_health = RuntimeHealth::kReady;
  observed.runtime = cri::RuntimeStatus{
      .conditions = {{.type = "NetworkReady", .reason = "NoCni", .message = "no network config"},
                     {.type = "RuntimeReady", .status = true}}};
  observed.shutting_down = true;
  EXPECT_EQ(node_object(node, observed, nullptr).status.conditions[0].message,
            "[container runtime network not ready: NetworkReady=false reason:NoCni message:no "
            "network config, node is shutting down]");
  EXPECT_EQ(network_error(observed.runtime),
            "container runtime network not ready: NetworkReady=false reason:NoCni message:no "
            "network config");
  observed.runtime->conditions[0].status = true;
  EXPECT_EQ(network_error(observed.runtime), "");
  EXPECT_EQ(network_error(std::nullopt), "") << "who does not answer says nothing of it";
}

TEST(NodeObject, a_runtime_that_was_ready_long_ago_is_down_whatever_it_last_reported) {
  const NodeView node = make_node_view(reserving(), sixteen_gigabytes(), {});
  NodeObservations observed;
  observed.runtime_health = RuntimeHealth::kDown;
  observed.runtime = cri::RuntimeStatus{.conditions = {{.type = "RuntimeReady", .status = true},
                                                       {.type = "NetworkReady", .status = true}}};
  const auto shown = [&] { return node_object(node, observed, nullptr).status.conditions[0]; };
  EXPECT_EQ(shown().reason, "KubeletNotReady");
  EXPECT_EQ(shown().message, "container runtime is down");
  observed.runtime->conditions.clear();
  EXPECT_EQ(shown().message,
            "[container runtime is down, container runtime not ready: RuntimeReady=false reason: "
            "message:, container runtime network not ready: NetworkReady=false reason: message:]");
}

TEST(NodeObject, shows_addresses_labels_and_taints) {
  NodeConfig config = reserving();
  config.node_labels = {{"disk", "ssd"}, {"kubernetes.io/arch", "other"}};
  config.node_taints = {{.key = "k", .effect = "NoExecute"}};
  const api::Node node = node_object(make_node_view(config, sixteen_gigabytes(), {}), {}, nullptr);
  EXPECT_EQ(node.metadata.labels.at("kubernetes.io/hostname"), "node1");
  EXPECT_EQ(node.metadata.labels.at("kubernetes.io/os"), "linux");
  EXPECT_EQ(node.metadata.labels.at("kubernetes.io/arch"), "other");
  EXPECT_EQ(node.metadata.labels.at("disk"), "ssd");
  EXPECT_EQ(node.spec.taints, config.node_taints);
  ASSERT_EQ(node.status.addresses.size(), 2U);
  EXPECT_EQ(node.status.addresses[0].address, "192.0.2.7");
  EXPECT_EQ(node.status.addresses[1].type, "Hostname");
}

TEST(NodeObject, images_are_the_largest_with_digests_first) {
  NodeConfig config = reserving();
  config.max_images_reported = 1;
  NodeObservations observed;
  observed.images = {
      {.id = "a", .repo_tags = {"small:1"}, .size = 5},
      {.id = "b", .repo_tags = {"t1", "t2", "t3", "t4", "t5"}, .repo_digests = {"d1"}, .size = 50}};
  const auto images =
      node_object(make_node_view(config, sixteen_gigabytes(), {}), observed, nullptr).status.images;
  ASSERT_EQ(images.size(), 1U);
  EXPECT_EQ(images[0].names, (std::vector<std::string>{"d1", "t1", "t2", "t3", "t4"}));
}

TEST(NodeLabels, keys_a_node_may_not_set_are_named) {
  const std::map<std::string, std::string> labels = {{"disk", ""},
                                                     {"example.com/x", ""},
                                                     {"kubernetes.io/hostname", ""},
                                                     {"node.kubernetes.io/pool", ""},
                                                     {"x.kubelet.kubernetes.io/y", ""},
                                                     {"topology.kubernetes.io/zone", ""},
                                                     {"node-restriction.kubernetes.io/a", ""},
                                                     {"kubernetes.io/role", ""},
                                                     {"k8s.io/x", ""},
                                                     {"notk8s.io/x", ""},
                                                     {"a.node-restriction.kubernetes.io/b", ""}};
  EXPECT_EQ(forbidden_label_keys(labels),
            (std::vector<std::string>{"a.node-restriction.kubernetes.io/b", "k8s.io/x",
                                      "kubernetes.io/role", "node-restriction.kubernetes.io/a"}));
}

TEST(NodeLabels, every_problem_is_listed) {
  const auto problems = node_label_problems(
      {{"kubernetes.io/role", "x"}, {"bad key", "v"}, {"good", "not good!"}},
      {{.key = "k", .effect = "NoExecute"}, {.key = "k", .effect = "NoExecute"}, {.key = "k"}});
  ASSERT_EQ(problems.size(), 5U);
  EXPECT_EQ(problems[3],
            "nodeTaints[1]: Duplicate value: taints must be unique by key and effect pair");
}

TEST(NodeName, is_trimmed_and_lower_case) {
  EXPECT_EQ(node_name("  Node-1\n"), "node-1");
}

}  // namespace
}  // namespace berth::node
