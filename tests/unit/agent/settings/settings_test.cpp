// SPDX-License-Identifier: Apache-2.0

#include "agent/settings/settings.hpp"

#include <gtest/gtest.h>

#include "agent/settings/config_text.hpp"

namespace berth::agent {
namespace {

constexpr const char* kKubelet =
    "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";
constexpr const char* kBerth = "apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n";

struct Resolved {
  Settings settings{};
  std::vector<std::string> problems{};
};

Resolved resolve(const std::string& text, const FlagSettings& flags = {}) {
  Resolved resolved;
  const auto parsed = parse_configuration(text, "c.yaml");
  EXPECT_TRUE(parsed.problems.empty()) << text;
  std::vector<ConfigProblem> problems;
  resolved.settings = resolve_settings(parsed.documents, flags, "Host1", problems);
  for (const auto& problem : problems) resolved.problems.push_back(problem.to_string());
  return resolved;
}

TEST(Settings, without_a_file_there_are_defaults) {
  const auto [settings, problems] = resolve("");
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(settings.node_name, "host1");
  EXPECT_EQ(settings.paths.manifests, "/etc/berth/manifests");
  EXPECT_EQ(settings.paths.root, "/var/lib/berth");
  EXPECT_EQ(settings.http.address, "127.0.0.1");
  EXPECT_EQ(settings.http.port, 0);
  EXPECT_EQ(settings.manifest_rules, ManifestRules::kBerth);
  EXPECT_FALSE(settings.static_pods_are_critical);
}

TEST(Settings, flags_win_over_the_file) {
  const auto [settings, problems] =
      resolve(std::string(kBerth) +
                  "rootDirectory: /a\nhostnameOverride: filed\nnodeLabels: {zone: a, rack: r}\n",
              {.root_directory = "/b", .node_name = "Flagged", .node_labels = {{"zone", "b"}}});
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(settings.paths.root, "/b");
  EXPECT_EQ(settings.node_name, "flagged");
  EXPECT_EQ(settings.node_labels.at("zone"), "b");
  EXPECT_EQ(settings.node_labels.at("rack"), "r");
}

TEST(Settings, logs_are_rotated_as_the_kubelet_is_configured) {
  const auto usual = resolve("").settings.pods;
  EXPECT_EQ(usual.log_max_bytes, 10'485'760);
  EXPECT_EQ(usual.log_max_files, 5);
  const auto [settings, problems] =
      resolve(std::string(kKubelet) +
              "containerLogMaxSize: 1Mi\ncontainerLogMaxFiles: 2\ncontainerLogMonitorInterval: 3s\n"
              "containerLogMaxWorkers: 2\n");
  EXPECT_TRUE(problems.empty());
  EXPECT_TRUE(settings.unused_fields.empty());
  EXPECT_EQ(settings.pods.log_max_bytes, 1'048'576);
  EXPECT_EQ(settings.pods.log_max_files, 2);
  EXPECT_EQ(settings.pods.log_look_period, std::chrono::seconds(3));
  EXPECT_EQ(usual.log_workers, 1);
  EXPECT_EQ(settings.pods.log_workers, 2);
  for (const char* wrong : {"containerLogMaxSize: much", "containerLogMaxFiles: 1",
                            "containerLogMonitorInterval: 2s", "containerLogMaxWorkers: 0"})
    EXPECT_EQ(resolve(std::string(kKubelet) + wrong + "\n").problems.size(), 1U) << wrong;
}

TEST(Settings, images_are_collected_as_the_kubelet_is_configured) {
  EXPECT_EQ(resolve("").settings.images, ImageGcSettings{});
  const auto [settings, problems] = resolve(
      std::string(kKubelet) +
      "imageGCHighThresholdPercent: 70\nimageGCLowThresholdPercent: 60\nimageMinimumGCAge: 1m\n"
      "imageMaximumGCAge: 24h\n---\n" +
      kBerth + "imageGCPeriod: 30s\n");
  EXPECT_TRUE(problems.empty());
  EXPECT_TRUE(settings.unused_fields.empty());
  EXPECT_EQ(settings.images, (ImageGcSettings{.high_percent = 70,
                                              .low_percent = 60,
                                              .min_age = std::chrono::minutes(1),
                                              .max_age = std::chrono::hours(24),
                                              .period = std::chrono::seconds(30)}));
  for (const char* wrong : {"imageGCHighThresholdPercent: 101", "imageGCHighThresholdPercent: 80",
                            "imageGCLowThresholdPercent: 90", "imageMaximumGCAge: 2m"})
    EXPECT_EQ(resolve(std::string(kKubelet) + wrong + "\n").problems.size(), 1U) << wrong;
}

TEST(Settings, kubelet_rules_make_static_pods_critical_unless_configured_otherwise) {
  EXPECT_TRUE(
      resolve(std::string(kBerth) + "manifestRules: Kubelet\n").settings.static_pods_are_critical);
  EXPECT_FALSE(
      resolve(std::string(kBerth) + "manifestRules: Kubelet\nstaticPodsAreCritical: false\n")
          .settings.static_pods_are_critical);
}

TEST(Settings, fields_without_effect_are_listed) {
  const auto [settings, problems] =
      resolve(std::string(kKubelet) + "maxPods: 3\neventRecordQPS: 80\n");
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(settings.unused_fields, std::vector<std::string>{"eventRecordQPS"});
}

struct Refused {
  const char* kind;
  const char* line;
  const char* expected;  // the beginning of the reported problem
};

TEST(Settings, what_is_wrong_is_refused_at_its_place) {
  const Refused cases[] = {
      {kKubelet, "cgroupDriver: sysfs",
       "c.yaml:3:1: cgroupDriver: must be one of cgroupfs, systemd"},
      {kKubelet, "maxPods: -1", "c.yaml:3:1: maxPods: must be between 0 and"},
      {kKubelet, "nodeStatusMaxImages: -2", "c.yaml:3:1: nodeStatusMaxImages: must be between -1"},
      {kKubelet, "readOnlyPort: 70000", "c.yaml:3:1: readOnlyPort: must be between 0 and 65535"},
      {kKubelet, "address: here", "c.yaml:3:1: address: must be an IP address"},
      {kKubelet, "staticPodPath: here", "c.yaml:3:1: staticPodPath: must be an absolute path"},
      {kKubelet, "staticPodURL: http://x/", "c.yaml:3:1: staticPodURL: manifests from a URL"},
      {kKubelet, "containerRuntimeEndpoint: tcp://x", "c.yaml:3:1: containerRuntimeEndpoint: must"},
      {kKubelet, "cpuManagerPolicy: static", "c.yaml:3:1: cpuManagerPolicy: static: this version"},
      {kKubelet, "memorySwap: {swapBehavior: LimitedSwap}",
       "c.yaml:3:14: memorySwap.swapBehavior: LimitedSwap: this version"},
      {kKubelet, "systemReserved: {cpu: lots}",
       "c.yaml:3:18: systemReserved[cpu]: must be a quantity"},
      {kKubelet, "enforceNodeAllocatable: [pods, pods]",
       "c.yaml:3:1: enforceNodeAllocatable: duplicated enforcements \"pods\" in"},
      {kKubelet, "runtimeRequestTimeout: -1s", "c.yaml:3:1: runtimeRequestTimeout: must not be"},
      {kKubelet, "clusterDNS: [dns]", "c.yaml:3:1: clusterDNS: must hold IP addresses"},
      {kKubelet, "allowedUnsafeSysctls: [vm.swappiness]",
       "c.yaml:3:1: allowedUnsafeSysctls: the sysctls \"vm.swappiness\" are not known to be"},
      {kBerth, "manifestRules: Mine", "c.yaml:3:1: manifestRules: must be one of Berth, Kubelet"},
      {kBerth, "terminationOnRestart: Again",
       "c.yaml:3:1: terminationOnRestart: must be one of Resume, FullGrace"},
      {kKubelet, "crashLoopBackOff: {maxContainerRestartPeriod: 301s}",
       "c.yaml:3:20: crashLoopBackOff.maxContainerRestartPeriod: must be between 1s and 300s"},
      {kBerth, "relistPeriod: 10ms", "c.yaml:3:1: relistPeriod: must be at least 1s"},
      {kBerth, "hostnameOverride: a_b", "c.yaml:3:1: hostnameOverride: the node's name"},
  };
  for (const auto& c : cases) {
    const auto problems = resolve(std::string(c.kind) + c.line + "\n").problems;
    ASSERT_EQ(problems.size(), 1U) << c.line << ::testing::PrintToString(problems);
    EXPECT_TRUE(problems.front().starts_with(c.expected)) << problems.front();
  }
}

TEST(Settings, a_label_that_a_node_may_not_set_is_refused_by_name) {
  const auto problems =
      resolve(std::string(kBerth) + "nodeLabels: {node-role.kubernetes.io/master: x}\n").problems;
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems.front().find("node-role.kubernetes.io/master"), std::string::npos);
}

}  // namespace
}  // namespace berth::agent
