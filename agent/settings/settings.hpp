// SPDX-License-Identifier: Apache-2.0

// berthd's settings: the configuration documents, the flags and the defaults, resolved.
//
// A plain value made once at start (and again at a reload, to find what changed). Every path is
// absolute. The source of each number stands beside it; "kubelet" means the default of
// KubeletConfiguration.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/allocatable/allocatable_settings.hpp"
#include "agent/eviction/eviction_settings.hpp"
#include "agent/settings/berth_configuration.hpp"
#include "agent/settings/kubelet_configuration.hpp"
#include "agent/shutdown/configured_shutdown.hpp"
#include "api/affinity.hpp"
#include "api/manifest/manifest_limits.hpp"
#include "base/log.hpp"
#include "scheduling/configuration/read_configuration.hpp"

namespace berth::agent {

// /etc/berth/config.yaml, unless berthd was built for another folder than /etc.
extern const char* const kDefaultConfigFile;

enum class ManifestRules { kBerth, kKubelet };
enum class UnknownFields { kStrict, kWarn, kIgnore };
enum class InterruptedStops { kResume, kFullGrace };
enum class CgroupDriver { kCgroupfs, kSystemd };

struct Paths {
  std::string root = "/var/lib/berth";
  std::string manifests = "/etc/berth/manifests";
  std::string control_socket = "/run/berth/berthd.sock";
  std::string pod_logs = "/var/log/pods";              // kubelet
  std::string container_logs = "/var/log/containers";  // the kubelet's fixed path
  std::string cgroup_mount = "/sys/fs/cgroup";
  std::string resolv_conf = "/etc/resolv.conf";  // kubelet; "" disables

  bool operator==(const Paths&) const = default;
};

struct RuntimeSettings {
  std::string endpoint = "unix:///run/containerd/containerd.sock";     // kubelet
  std::string image_endpoint{};                                        // empty: same as `endpoint`
  std::chrono::nanoseconds request_timeout = std::chrono::minutes(2);  // kubelet

  bool operator==(const RuntimeSettings&) const = default;
};

struct HttpSettings {
  std::string address = "127.0.0.1";  // the kubelet's is 0.0.0.0; ours has no authentication
  std::int32_t port = 0;              // 0: not served; kubelet

  bool operator==(const HttpSettings&) const = default;
};

struct PodSettings {
  std::int32_t max_pods = 110;  // kubelet
  std::int32_t pods_per_core = 0;
  std::int64_t pids_limit = -1;
  std::optional<bool> single_process_oom_kill{};  // kubelet; unset: only on cgroup v1
  bool cpu_cfs_quota = true;
  std::chrono::nanoseconds cpu_cfs_quota_period = std::chrono::milliseconds(100);
  std::string cgroup_root{};
  CgroupDriver cgroup_driver = CgroupDriver::kCgroupfs;  // kubelet
  std::vector<std::string> cluster_dns{};
  std::string cluster_domain{};
  bool seccomp_default = false;
  bool serialize_image_pulls = true;
  std::optional<std::int32_t> max_parallel_image_pulls{};
  std::vector<std::string> allowed_unsafe_sysctls{};
  std::map<std::string, std::string> system_reserved{};
  std::map<std::string, std::string> kube_reserved{};
  std::int32_t registry_pull_qps = 5;  // kubelet; 0: no limit
  std::int32_t registry_burst = 10;
  std::int64_t log_max_bytes = std::int64_t{10} << 20U;  // kubelet; negative: no rotation
  std::int32_t log_max_files = 5;                        // kubelet
  std::int32_t log_workers = 1;                          // kubelet
  std::chrono::nanoseconds log_look_period = std::chrono::seconds(10);  // kubelet
  // The maximum restart backoff of a container; kubelet, with KubeletCrashLoopBackOffMax.
  std::chrono::nanoseconds longest_restart_backoff = std::chrono::seconds(300);

  bool operator==(const PodSettings&) const = default;
};

// KubeletConfiguration's image garbage collection, and how often it runs.
struct ImageGcSettings {
  std::int32_t high_percent = 85;
  std::int32_t low_percent = 80;
  std::chrono::nanoseconds min_age = std::chrono::minutes(2);
  std::chrono::nanoseconds max_age{0};  // 0: unlimited
  std::chrono::nanoseconds period = std::chrono::minutes(5);

  bool operator==(const ImageGcSettings&) const = default;
};

struct Settings {
  std::string node_name{};
  std::string config_file{};            // empty: built-in defaults
  std::vector<std::string> drop_ins{};  // files that apply over it, in order
  Paths paths{};
  RuntimeSettings runtime{};
  HttpSettings http{};
  PodSettings pods{};
  ImageGcSettings images{};
  scheduling::SchedulerSettings scheduler{};
  EvictionSettings eviction{};
  ConfiguredShutdown shutdown{};    // kubelet: no pod is stopped before the machine shuts down
  ReservedEnforcements reserved{};  // the part of enforceNodeAllocatable that is not about pods
  ManifestRules manifest_rules = ManifestRules::kBerth;
  UnknownFields unknown_fields = UnknownFields::kStrict;
  std::int64_t max_manifest_bytes = api::kManifestBytesLimit;
  std::int64_t max_manifest_documents = api::kManifestDocumentsLimit;
  std::int64_t max_manifest_values = api::kManifestValuesLimit;
  bool static_pods_are_critical = false;
  InterruptedStops interrupted_stops = InterruptedStops::kResume;
  std::map<std::string, std::string> node_labels{};
  std::vector<api::Taint> node_taints{};
  std::int32_t images_reported = 50;          // kubelet; -1: all
  std::string control_socket_group{};         // empty: "berth" if it exists, else the process's own
  std::int64_t terminated_pods_kept = 12500;  // kube-controller-manager; 0 or less: all
  std::chrono::nanoseconds relist_period = std::chrono::seconds(60);
  LogLevel log_level = LogLevel::kInfo;

  // Fields that the file sets and berth does not use, by path; reported once at start.
  std::vector<std::string> unused_fields{};
  std::vector<std::string> warnings{};

  bool operator==(const Settings&) const = default;
};

// Values of flags; they override the file.
struct FlagSettings {
  std::optional<std::string> root_directory{};
  std::optional<std::string> node_name{};
  std::map<std::string, std::string> node_labels{};
};

// One problem of the configuration.
struct ConfigProblem {
  std::string file{};
  int line = 0;  // 0: unknown
  int column = 0;
  std::string path{};  // "maxPods"; empty: the whole document
  std::string message{};

  // "/etc/berth/config.yaml:3:1: maxPods: must not be negative"
  [[nodiscard]] std::string to_string() const;
  bool operator==(const ConfigProblem&) const = default;
};

struct Place {
  std::string file{};
  int line = 0;
  int column = 0;

  bool operator==(const Place&) const = default;
};

// The documents as decoded; each is optional.
struct ConfigDocuments {
  std::string file{};                   // empty: no file, built-in defaults
  std::vector<std::string> drop_ins{};  // files that apply over it, in order
  KubeletConfiguration kubelet{};
  BerthConfiguration berth{};
  std::vector<std::string> kubelet_fields{};  // top-level fields that the files state
  std::map<std::string, Place> places{};      // of every field that they state, by path
  scheduling::SchedulerSettings scheduler{};  // already checked and defaulted
  std::vector<std::string> warnings{};        // of what is stated where it has no effect
};

// Checks every value and resolves the defaults. Appends to `problems`. Pure: `host_name` is the
// machine's.
[[nodiscard]] Settings resolve_settings(const ConfigDocuments& documents, const FlagSettings& flags,
                                        const std::string& host_name,
                                        std::vector<ConfigProblem>& problems);

}  // namespace berth::agent
