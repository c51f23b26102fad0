// SPDX-License-Identifier: Apache-2.0

// The differences between two configurations, field by field.
#include "agent/settings/changed_settings.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "agent/settings/config_text.hpp"
#include "agent/settings/settings_check.hpp"
#include "tests/test_paths.hpp"

namespace berth::agent {
namespace {

constexpr const char* kKubelet =
    "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";
constexpr const char* kBerth = "apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n";

Settings settings_of(const std::string& text) {
  auto parsed = parse_configuration(text, "c.yaml");
  auto problems = std::move(parsed.problems);
  auto settings = resolve_settings(parsed.documents, {}, "host1", problems);
  for (const auto& problem : problems) ADD_FAILURE() << problem.to_string();
  return settings;
}

struct Row {
  const char* lines;     // of the changed file; the previous file has none
  const char* expected;  // the changes, joined by ", "; " !" marks what takes effect at once
};

constexpr Row kOfKubelet[] = {
    {"address: 127.0.0.2", "address: 127.0.0.1 -> 127.0.0.2"},
    {"allowedUnsafeSysctls: [net.ipv4.tcp_syncookies]",
     "allowedUnsafeSysctls: none -> net.ipv4.tcp_syncookies"},
    {"cgroupDriver: systemd", "cgroupDriver: cgroupfs -> systemd"},
    {"cgroupRoot: /a", "cgroupRoot: none -> /a"},
    {"clusterDNS: [10.0.0.1, 10.0.0.2]", "clusterDNS: none -> 10.0.0.1, 10.0.0.2"},
    {"clusterDomain: a.b", "clusterDomain: none -> a.b"},
    {"containerLogMaxFiles: 2", "containerLogMaxFiles: 5 -> 2"},
    {"containerLogMaxSize: 1Mi", "containerLogMaxSize: 10485760 -> 1048576"},
    {"containerLogMaxWorkers: 2", "containerLogMaxWorkers: 1 -> 2"},
    {"containerLogMonitorInterval: 3s", "containerLogMonitorInterval: 10s -> 3s"},
    {"containerRuntimeEndpoint: /run/x.sock",
     "containerRuntimeEndpoint: unix:///run/containerd/containerd.sock -> unix:///run/x.sock"},
    {"cpuCFSQuota: false", "cpuCFSQuota: true -> false"},
    {"cpuCFSQuotaPeriod: 5ms", "cpuCFSQuotaPeriod: 100ms -> 5ms"},
    {"crashLoopBackOff: {maxContainerRestartPeriod: 10s}",
     "crashLoopBackOff.maxContainerRestartPeriod: 5m0s -> 10s"},
    {"enforceNodeAllocatable: [none]", "enforceNodeAllocatable: pods -> none"},
    {"evictionHard: {memory.available: 200Mi, nodefs.available: 10%, nodefs.inodesFree: 5%, "
     "imagefs.available: 15%, imagefs.inodesFree: 5%}",
     "evictionHard[memory.available]: 100Mi -> 200Mi !"},
    {"evictionHard: {memory.available: 5%}\nmergeDefaultEvictionSettings: true",
     "evictionHard[memory.available]: 100Mi -> 5% !"},
    {"evictionMaxPodGracePeriod: 7", "evictionMaxPodGracePeriod: 0 -> 7 !"},
    {"evictionMinimumReclaim: {nodefs.available: 1Gi}",
     "evictionMinimumReclaim[nodefs.available]: none -> 1Gi !"},
    {"evictionPressureTransitionPeriod: 1m", "evictionPressureTransitionPeriod: 5m0s -> 1m0s !"},
    {"evictionSoft: {memory.available: 1Gi}\nevictionSoftGracePeriod: {memory.available: 30s}",
     "evictionSoftGracePeriod[memory.available]: none -> 30s !, "
     "evictionSoft[memory.available]: none -> 1Gi !"},
    {"imageGCHighThresholdPercent: 90", "imageGCHighThresholdPercent: 85 -> 90"},
    {"imageGCLowThresholdPercent: 70", "imageGCLowThresholdPercent: 80 -> 70"},
    {"imageMaximumGCAge: 24h", "imageMaximumGCAge: 0s -> 24h0m0s"},
    {"imageMinimumGCAge: 5m", "imageMinimumGCAge: 2m0s -> 5m0s"},
    {"imageServiceEndpoint: /run/x.sock", "imageServiceEndpoint: none -> unix:///run/x.sock"},
    {"kubeReserved: {cpu: 100m}", "kubeReserved[cpu]: none -> 100m"},
    {"kubeReserved: {cpu: 100m}\nkubeReservedCgroup: /k\n"
     "enforceNodeAllocatable: [pods, kube-reserved]",
     "enforceNodeAllocatable: pods -> pods, kube-reserved, kubeReservedCgroup: none -> /k, "
     "kubeReserved[cpu]: none -> 100m"},
    {"localStorageCapacityIsolation: false", "localStorageCapacityIsolation: true -> false"},
    {"maxParallelImagePulls: 2",
     "maxParallelImagePulls: none -> 2, serializeImagePulls: true -> false"},
    {"maxPods: 3", "maxPods: 110 -> 3"},
    {"nodeStatusMaxImages: -1", "nodeStatusMaxImages: 50 -> -1"},
    {"podLogsDir: /l", "podLogsDir: /var/log/pods -> /l"},
    {"podPidsLimit: 9", "podPidsLimit: -1 -> 9"},
    {"podsPerCore: 9", "podsPerCore: 0 -> 9"},
    {"readOnlyPort: 10255", "readOnlyPort: 0 -> 10255"},
    {"readOnlyPort: 10255\nenableServer: false", ""},
    {"registerWithTaints: [{key: a, value: b, effect: NoSchedule}]",
     "nodeTaints[a:NoSchedule]: none -> b"},
    {"registryBurst: 2", "registryBurst: 10 -> 2"},
    {"registryPullQPS: 2", "registryPullQPS: 5 -> 2"},
    {"reservedSystemCPUs: \"0,2\"\nsystemReserved: {cpu: 100m}\nkubeReserved: {cpu: \"1\"}",
     "systemReserved[cpu]: none -> 2"},
    {"resolvConf: /r", "resolvConf: /etc/resolv.conf -> /r"},
    {"runtimeRequestTimeout: 1m", "runtimeRequestTimeout: 2m0s -> 1m0s"},
    {"seccompDefault: true", "seccompDefault: false -> true"},
    {"serializeImagePulls: false", "serializeImagePulls: true -> false"},
    {"shutdownGracePeriod: 30s\nshutdownGracePeriodCriticalPods: 10s",
     "shutdownGracePeriod[priority 0]: none -> 20s, "
     "shutdownGracePeriod[priority 2000000000]: none -> 10s"},
    {"shutdownGracePeriodByPodPriority: [{priority: 7, shutdownGracePeriodSeconds: 9}]",
     "shutdownGracePeriodByPodPriority[priority 7]: none -> 9s"},
    {"singleProcessOOMKill: true", "singleProcessOOMKill: none -> true"},
    {"staticPodPath: /m", "staticPodPath: /etc/berth/manifests -> /m"},
    {"systemReserved: {cpu: 100m}\nsystemReservedCgroup: /s\n"
     "enforceNodeAllocatable: [pods, system-reserved-compressible]",
     "enforceNodeAllocatable: pods -> pods, system-reserved-compressible, "
     "systemReservedCgroup: none -> /s, systemReserved[cpu]: none -> 100m"},
    {"volumeStatsAggPeriod: 2m", "volumeStatsAggPeriod: 1m0s -> 2m0s"},
    // Other spellings of the current values, values that berth uses in any case, and fields that it
    // does not use.
    {"kernelMemcgNotification: true", ""},
    {"maxPods: 110\ncgroupDriver: cgroupfs", ""},
    {"eventRecordQPS: 9", ""},
};

constexpr Row kOfBerth[] = {
    {"cgroupMount: /c", "cgroupMount: /sys/fs/cgroup -> /c"},
    {"containerLogsDir: ''", "containerLogsDir: /var/log/containers -> none"},
    {"controlSocket: /s", "controlSocket: /run/berth/berthd.sock -> /s"},
    {"controlSocketGroup: g", "controlSocketGroup: none -> g"},
    {"evictAtOnce: true", "evictAtOnce: false -> true !"},
    {"evictWithinRequests: false", "evictWithinRequests: true -> false !"},
    {"fieldValidation: Warn", "fieldValidation: Strict -> Warn"},
    {"hostnameOverride: b", "hostnameOverride: host1 -> b"},
    {"imageGCPeriod: 1m", "imageGCPeriod: 5m0s -> 1m0s"},
    {"logLevel: debug", "logLevel: info -> debug !"},
    {"manifestRules: Kubelet",
     "manifestRules: Berth -> Kubelet, staticPodsAreCritical: false -> true"},
    {"maxManifestBytes: 9", "maxManifestBytes: 10485760 -> 9"},
    {"maxManifestDocuments: 9", "maxManifestDocuments: 1000 -> 9"},
    {"nodeLabels: {a: b}", "nodeLabels[a]: none -> b"},
    {"nodeLabels: {a: ''}", "nodeLabels[a]: none -> \"\""},
    {"nodeLabels: {a: none}", "nodeLabels[a]: none -> \"none\""},
    {"nodeTaints: [{key: a, effect: NoSchedule}]", "nodeTaints[a:NoSchedule]: none -> \"\""},
    {"ownEvictionHard: {memory.availableWithCache: 1Gi}",
     "ownEvictionHard[memory.availableWithCache]: none -> 1Gi !"},
    {"recreateEvicted: Never", "recreateEvicted: WhenPressureClears -> Never"},
    {"relistPeriod: 9s", "relistPeriod: 1m0s -> 9s"},
    {"rootDirectory: /r", "rootDirectory: /var/lib/berth -> /r"},
    {"staticPodsAreCritical: true", "staticPodsAreCritical: false -> true"},
    {"terminatedPodGCThreshold: 9", "terminatedPodGCThreshold: 12500 -> 9"},
    {"terminationOnRestart: FullGrace", "terminationOnRestart: Resume -> FullGrace"},
};

std::set<std::string> parts(const std::string& expected) {
  std::set<std::string> out;
  // A piece without an arrow belongs to the preceding list.
  std::string rest = expected;
  std::string current;
  while (!rest.empty()) {
    const auto comma = rest.find(", ");
    const std::string piece = rest.substr(0, comma);
    if (piece.contains(" -> ") && !current.empty()) {
      out.insert(current);
      current.clear();
    }
    current += (current.empty() ? "" : ", ") + piece;
    rest = comma == std::string::npos ? "" : rest.substr(comma + 2);
  }
  if (!current.empty()) out.insert(current);
  return out;
}

std::set<std::string> changes_by(const std::string& head, const std::string& lines) {
  std::set<std::string> out;
  for (const auto& change : changed_settings(settings_of(""), settings_of(head + lines + "\n")))
    out.insert(to_string(change) + (change.takes_effect == TakesEffect::kAtOnce ? " !" : ""));
  return out;
}

TEST(ChangedSettings, are_named_with_both_values_and_when_they_take_effect) {
  for (const auto& row : kOfKubelet)
    EXPECT_EQ(changes_by(kKubelet, row.lines), parts(row.expected)) << row.lines;
  for (const auto& row : kOfBerth)
    EXPECT_EQ(changes_by(kBerth, row.lines), parts(row.expected)) << row.lines;
}

TEST(ChangedSettings, cover_every_field_that_influences_berthd) {
  std::string tried;
  for (const auto& row : kOfKubelet) tried += std::string("\n") + row.lines;
  // berthd refuses all values of these but one.
  const std::set<std::string> one_value = {
      "apiVersion",          "kind",    "cgroupsPerQOS", "cpuManagerPolicy",
      "memoryManagerPolicy", "runOnce", "staticPodURL",  "topologyManagerPolicy"};
  std::ifstream catalogue(test_data() / "wire/kubelet-config.tsv");
  int fields = 0;
  for (std::string line; std::getline(catalogue, line);) {
    const std::string path = line.substr(0, line.find('\t'));
    const std::string field = path.substr(0, path.find_first_of(".["));
    if (!kubelet_field_is_used(field) || one_value.contains(field) || field == "memorySwap")
      continue;
    ++fields;
    EXPECT_TRUE(tried.contains("\n" + field + ":")) << field;
  }
  EXPECT_GT(fields, 40);
}

TEST(ChangedSettings, of_equal_settings_are_none) {
  EXPECT_TRUE(changed_settings(settings_of(""), settings_of("")).empty());
}

TEST(ChangedSettings, name_what_is_gone) {
  const auto before = settings_of(std::string(kKubelet) + "systemReserved: {cpu: 100m}\n");
  EXPECT_EQ(changed_settings(before, settings_of("")),
            (std::vector<SettingChange>{
                {.field = "systemReserved[cpu]", .before = "100m", .after = "none"}}));
}

TEST(ChangedSettings, name_the_scheduler_as_a_whole) {
  const auto after = settings_of(
      "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
      "podInitialBackoffSeconds: 2\n");
  const auto changes = changed_settings(settings_of(""), after);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].field, "KubeSchedulerConfiguration");
  EXPECT_EQ(changes[0].takes_effect, TakesEffect::kAtRestart);
}

}  // namespace
}  // namespace berth::agent
