// SPDX-License-Identifier: Apache-2.0

// BerthConfiguration (berth.dev/v1alpha1): berth's own settings, which no kubelet knows.
//
// A plain value that holds what the file and its drop-ins state; every field is optional, its
// default is named here and applied by settings.cpp. berth-config(5) explains what each means on a
// machine without a control plane.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/affinity.hpp"
#include "api/time.hpp"

namespace berth::agent {

inline constexpr const char* kBerthApiVersion = "berth.dev/v1alpha1";
inline constexpr const char* kBerthKind = "BerthConfiguration";
inline constexpr const char* kKubeletApiVersion = "kubelet.config.k8s.io/v1beta1";
inline constexpr const char* kKubeletKind = "KubeletConfiguration";

struct BerthConfiguration {
  std::optional<std::string> apiVersion{};
  std::optional<std::string> kind{};

  // How manifests are read: "Berth", or "Kubelet" for the kubelet's own behaviour.
  std::optional<std::string> manifestRules{};
  // Unknown, repeated fields: "Strict" refuses, "Warn" reports and continues, "Ignore" tolerates.
  std::optional<std::string> fieldValidation{};
  // Limits of a manifest file; what exceeds one is refused. Defaults: 10485760, also the maximum;
  // 1000; 20000, for each object.
  std::optional<std::int64_t> maxManifestBytes{};
  std::optional<std::int64_t> maxManifestDocuments{};
  std::optional<std::int64_t> maxManifestValues{};
  // true: every manifest pod is critical, as in the kubelet. Default: depends on manifestRules.
  std::optional<bool> staticPodsAreCritical{};
  // A stop that a restart interrupted: "Resume" continues with the recorded deadline, "FullGrace"
  // starts over.
  std::optional<std::string> terminationOnRestart{};
  // An evicted pod's manifest: "WhenPressureClears" or "Never".
  std::optional<std::string> recreateEvicted{};
  // false: a pod within its requests is not evicted, even if no other pod is left. Default true.
  std::optional<bool> evictWithinRequests{};
  // true: a reload accepts thresholds that evict a pod at once. Default false.
  std::optional<bool> evictAtOnce{};
  // Thresholds of berth's own signals, in the kubelet's grammar; Kubernetes' signals belong in
  // KubeletConfiguration.
  std::optional<std::map<std::string, std::string>> ownEvictionHard{};
  std::optional<std::map<std::string, std::string>> ownEvictionSoft{};
  std::optional<std::map<std::string, std::string>> ownEvictionSoftGracePeriod{};
  std::optional<std::map<std::string, std::string>> ownEvictionMinimumReclaim{};

  std::optional<std::map<std::string, std::string>> nodeLabels{};
  std::optional<std::vector<api::Taint>> nodeTaints{};
  // The node's name; default: the host name in lower case. --hostname-override wins.
  std::optional<std::string> hostnameOverride{};

  // Pods' data is below it. Default /var/lib/berth; --root-dir wins.
  std::optional<std::string> rootDirectory{};
  // Links for log collectors. Default /var/log/containers; "" creates none.
  std::optional<std::string> containerLogsDir{};
  // Where cgroups are mounted. Default /sys/fs/cgroup.
  std::optional<std::string> cgroupMount{};

  // Default /run/berth/berthd.sock, 0660.
  std::optional<std::string> controlSocket{};
  // Default "berth" if that group exists.
  std::optional<std::string> controlSocketGroup{};

  // How many finished pods stay listed, like kube-controller-manager's flag of that name: beyond it
  // evicted ones are dropped first, then the oldest. Default 12500; 0 or less: all stay.
  std::optional<std::int64_t> terminatedPodGCThreshold{};
  // How often everything is listed to repair missed events. Default 60s.
  std::optional<api::Duration> relistPeriod{};
  // How often unused images are looked for. Default 5m, as in the kubelet.
  std::optional<api::Duration> imageGCPeriod{};
  // "debug", "info", "warn" or "error". Default "info".
  std::optional<std::string> logLevel{};

  bool operator==(const BerthConfiguration&) const = default;
};

}  // namespace berth::agent
