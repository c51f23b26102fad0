// BerthConfiguration (berth.dev/v1alpha1): what is ours and no kubelet knows.
//
// A plain value that says what the file says; every field is optional, its default is named here
// and applied by settings.cpp. What each means on a machine without a control plane is explained
// in the README of this folder.
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

  // How manifests are read: "Berth", or "Kubelet" for the kubelet's own manners.
  std::optional<std::string> manifestRules{};
  // Unknown, repeated fields: "Strict" refuses, "Warn" lists and goes on, "Ignore" tolerates.
  std::optional<std::string> fieldValidation{};
  // A larger file, or one of more documents, is refused. Default, and at most, 10485760; 1000.
  std::optional<std::int64_t> maxManifestBytes{};
  std::optional<std::int64_t> maxManifestDocuments{};
  std::optional<std::int64_t> maxManifestValues{};
  // true: every manifest pod counts as critical, as the kubelet has it. Default: manifestRules.
  std::optional<bool> staticPodsAreCritical{};
  // A stop that a restart interrupted: "Resume" goes on with the recorded deadline, "FullGrace"
  // begins again.
  std::optional<std::string> terminationOnRestart{};
  // An evicted pod's manifest: "WhenPressureClears" or "Never".
  std::optional<std::string> recreateEvicted{};
  // false: a pod within its requests is not evicted, even if nobody else is left. Default true.
  std::optional<bool> evictWithinRequests{};
  // true: a reload takes over thresholds that evict somebody at once. Default false.
  std::optional<bool> evictAtOnce{};
  // Thresholds of berth's own signals, in the kubelet's grammar; Kubernetes' signals belong into
  // KubeletConfiguration.
  std::optional<std::map<std::string, std::string>> ownEvictionHard{};
  std::optional<std::map<std::string, std::string>> ownEvictionSoft{};
  std::optional<std::map<std::string, std::string>> ownEvictionSoftGracePeriod{};
  std::optional<std::map<std::string, std::string>> ownEvictionMinimumReclaim{};

  std::optional<std::map<std::string, std::string>> nodeLabels{};
  std::optional<std::vector<api::Taint>> nodeTaints{};
  // The node's name; default: the host name in lower case. --hostname-override wins.
  std::optional<std::string> hostnameOverride{};

  // Pods' data below it. Default /var/lib/berth; --root-dir wins.
  std::optional<std::string> rootDirectory{};
  // Links that log collectors follow. Default /var/log/containers; "" makes none.
  std::optional<std::string> containerLogsDir{};
  // Where control groups are mounted. Default /sys/fs/cgroup.
  std::optional<std::string> cgroupMount{};

  // Default /run/berth/berthd.sock, 0660.
  std::optional<std::string> controlSocket{};
  // Default "berth" if there is such a group.
  std::optional<std::string> controlSocketGroup{};

  // How many finished pods stay listed, as kube-controller-manager's flag of that name: beyond it
  // evicted ones vanish first, then the oldest. Default 12500; 0 or less: all stay.
  std::optional<std::int64_t> terminatedPodGCThreshold{};
  // How often everything is listed to repair what events missed. Default 60s.
  std::optional<api::Duration> relistPeriod{};
  // How often images are looked through for those that can go. Default 5m, as the kubelet.
  std::optional<api::Duration> imageGCPeriod{};
  // "debug", "info", "warn" or "error". Default "info".
  std::optional<std::string> logLevel{};

  bool operator==(const BerthConfiguration&) const = default;
};

}  // namespace berth::agent
