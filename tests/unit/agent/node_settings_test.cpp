// SPDX-License-Identifier: Apache-2.0

// From the text of the configuration file to the settings of berthd's parts.
#include "agent/node_settings.hpp"

#include <gtest/gtest.h>

#include "agent/settings/config_text.hpp"
#include "node/node_object.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

Settings settings_of(const std::string& text) {
  auto [documents, problems] = parse_configuration(text, "c.yaml");
  Settings settings = resolve_settings(documents, {}, "node1", problems);
  EXPECT_TRUE(problems.empty()) << (problems.empty() ? "" : problems.front().to_string());
  EXPECT_TRUE(settings.unused_fields.empty()) << settings.unused_fields.front();
  return settings;
}

TEST(NodeSettings, the_longest_restart_backoff_reaches_the_pods) {
  EXPECT_EQ(pod_set_options(settings_of("")).restarts, lifecycle::RestartBackoffPolicy{});
  const auto options = pod_set_options(
      settings_of("apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
                  "crashLoopBackOff: {maxContainerRestartPeriod: 4s}\n"));
  EXPECT_EQ(options.restarts.max, 4s);
  EXPECT_EQ(options.restarts.initial, 4s);
  EXPECT_EQ(options.restarts.reset_after, 600s);
}

TEST(NodeSettings, what_a_restart_means_for_stops_reaches_the_pods) {
  const std::string head = "apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n";
  using lifecycle::TerminationOnRestart;
  EXPECT_EQ(pod_set_options(settings_of(head)).termination_on_restart,
            TerminationOnRestart::kResume);
  EXPECT_EQ(
      pod_set_options(settings_of(head + "terminationOnRestart: Resume\n")).termination_on_restart,
      TerminationOnRestart::kResume);
  EXPECT_EQ(pod_set_options(settings_of(head + "terminationOnRestart: FullGrace\n"))
                .termination_on_restart,
            TerminationOnRestart::kFullGrace);
}

TEST(NodeSettings, features_that_kubernetes_has_off_are_on_but_with_the_kubelets_rules) {
  const std::string head = "apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n";
  const auto all_on = [&head](const std::string& rules) {
    const Settings settings = settings_of(head + rules);
    const auto features = pod_set_options(settings).features;
    EXPECT_EQ(features.container_restart_rules, features.container_stop_signals);
    EXPECT_EQ(features.container_stop_signals, node_config(settings).container_stop_signals);
    EXPECT_NE(features.container_stop_signals, features.static_pod_rules);
    return features.container_stop_signals;
  };
  EXPECT_TRUE(all_on(""));
  EXPECT_TRUE(all_on("manifestRules: Berth\n"));
  EXPECT_FALSE(all_on("manifestRules: Kubelet\n"));
}

TEST(NodeSettings, without_isolation_of_local_storage_it_is_no_resource_of_the_node) {
  const node::NodeFacts machine{.cpus = 4, .ephemeral_storage = 100};
  EXPECT_EQ(node_facts(settings_of(""), machine), machine);
  const Settings without = settings_of(
      "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
      "localStorageCapacityIsolation: false\n");
  EXPECT_EQ(node_facts(without, machine), (node::NodeFacts{.cpus = 4}));
}

constexpr const char* kKubelet =
    "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";

TEST(NodeSettings, how_many_images_the_node_shows_and_whom_the_kernel_kills_reach_the_node) {
  const node::NodeConfig usual = node_config(settings_of(""));
  EXPECT_EQ(usual.max_images_reported, 50);
  EXPECT_EQ(usual.single_process_oom_kill, std::nullopt);
  const node::NodeConfig stated = node_config(
      settings_of(std::string(kKubelet) + "nodeStatusMaxImages: 0\nsingleProcessOOMKill: true\n"));
  EXPECT_EQ(stated.max_images_reported, 0);
  EXPECT_EQ(stated.single_process_oom_kill, true);
}

TEST(NodeSettings, that_all_of_a_container_is_killed_at_once_is_refused_with_cgroups_of_version_1) {
  const node::NodeFacts v1{.cgroup_version = 1};
  const node::NodeFacts v2{.cgroup_version = 2};
  const Settings all = settings_of(std::string(kKubelet) + "singleProcessOOMKill: false\n");
  EXPECT_TRUE(fits_machine(all, v2));
  const auto refused = fits_machine(all, v1);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.starts_with("singleProcessOOMKill: false"))
      << refused.error().message;
  EXPECT_TRUE(fits_machine(settings_of(""), v1));
  const Settings one = settings_of(std::string(kKubelet) + "singleProcessOOMKill: true\n");
  EXPECT_TRUE(fits_machine(one, v1));
}

TEST(NodeSettings, what_hard_eviction_keeps_free_is_not_allocatable) {
  const std::string head =
      "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
      "systemReserved: {memory: 1Gi}\n";
  const node::NodeFacts facts{.memory = std::int64_t{16} << 30,
                              .ephemeral_storage = std::int64_t{100} << 30};
  const Settings before = settings_of(head);
  const node::NodeView view = node::make_node_view(node_config(before), facts, {});
  EXPECT_EQ(under_thresholds(view, before.eviction.config.thresholds), view);

  const Settings after = settings_of(
      head +
      "evictionHard: {memory.available: 2Gi, nodefs.available: 20Gi, pid.available: 5%}\n"
      "evictionSoft: {memory.available: 5Gi}\n"
      "evictionSoftGracePeriod: {memory.available: 1m}\n");
  const node::NodeView then = under_thresholds(view, after.eviction.config.thresholds);
  EXPECT_EQ(then, node::make_node_view(node_config(after), facts, {})) << "as after a restart";
  EXPECT_EQ(then.allocatable.at("memory").to_string(), "13Gi");
  EXPECT_EQ(then.allocatable.at("ephemeral-storage").value(), std::int64_t{80} << 30);
}

}  // namespace
}  // namespace berth::agent
