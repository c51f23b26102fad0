// SPDX-License-Identifier: Apache-2.0

#include "agent/settings/changed_settings.hpp"

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "api/time.hpp"

namespace berth::agent {
namespace {

struct Value {
  std::optional<std::string> text{};  // unset if the field is missing
  TakesEffect takes_effect = TakesEffect::kAtRestart;
};

std::string word(const std::optional<std::string>& text) {
  if (!text) return "none";
  return text->empty() || *text == "none" ? "\"" + *text + "\"" : *text;
}

// Every field that influences berthd, by name, with its value in effect.
class Fields {
 public:
  // An empty text means that the field is missing.
  void put(std::string name, std::string text, TakesEffect when = TakesEffect::kAtRestart) {
    values_[std::move(name)] = {
        .text = text.empty() ? std::nullopt : std::optional(std::move(text)), .takes_effect = when};
  }
  // A key of a map, whose value may be empty.
  void put_key(const std::string& name, std::string_view key, std::string value) {
    values_[keyed(name, key)] = {.text = std::move(value)};
  }
  void put(std::string name, const char* text, TakesEffect when = TakesEffect::kAtRestart) {
    put(std::move(name), std::string(text), when);
  }
  void put(std::string name, bool value, TakesEffect when = TakesEffect::kAtRestart) {
    put(std::move(name), value ? "true" : "false", when);
  }
  void put(std::string name, std::int64_t value, TakesEffect when = TakesEffect::kAtRestart) {
    put(std::move(name), std::to_string(value), when);
  }
  void put(std::string name, Nanoseconds value, TakesEffect when = TakesEffect::kAtRestart) {
    put(std::move(name), api::Duration{value}.to_string(), when);
  }
  void put(const std::string& name, const std::vector<std::string>& list) {
    std::string text;
    for (const auto& item : list) text += (text.empty() ? "" : ", ") + item;
    put(name, std::move(text));
  }
  void put(const std::string& name, const std::map<std::string, std::string>& map) {
    for (const auto& [key, value] : map) put_key(name, key, value);
  }

  static std::string keyed(const std::string& name, std::string_view key) {
    return name + "[" + std::string(key) + "]";
  }

  [[nodiscard]] const std::map<std::string, Value>& values() const { return values_; }

 private:
  std::map<std::string, Value> values_{};
};

const char* word(LogLevel level) {
  constexpr const char* kWords[] = {"debug", "info", "warn", "error"};
  return kWords[static_cast<std::size_t>(level)];
}

const char* word(UnknownFields rule) {
  constexpr const char* kWords[] = {"Strict", "Warn", "Ignore"};
  return kWords[static_cast<std::size_t>(rule)];
}

void put_places(const Settings& settings, Fields& out) {
  out.put("hostnameOverride", settings.node_name);
  out.put("rootDirectory", settings.paths.root);
  out.put("staticPodPath", settings.paths.manifests);
  out.put("controlSocket", settings.paths.control_socket);
  out.put("controlSocketGroup", settings.control_socket_group);
  out.put("podLogsDir", settings.paths.pod_logs);
  out.put("containerLogsDir", settings.paths.container_logs);
  out.put("cgroupMount", settings.paths.cgroup_mount);
  out.put("resolvConf", settings.paths.resolv_conf);
  out.put("containerRuntimeEndpoint", settings.runtime.endpoint);
  out.put("imageServiceEndpoint", settings.runtime.image_endpoint);
  out.put("runtimeRequestTimeout", settings.runtime.request_timeout);
  out.put("address", settings.http.address);
  // enableServer: false is equivalent to port 0.
  out.put("readOnlyPort", std::int64_t{settings.http.port});
}

void put_pods(const PodSettings& pods, Fields& out) {
  out.put("maxPods", std::int64_t{pods.max_pods});
  out.put("podsPerCore", std::int64_t{pods.pods_per_core});
  out.put("podPidsLimit", pods.pids_limit);
  if (const auto& single = pods.single_process_oom_kill) out.put("singleProcessOOMKill", *single);
  out.put("cpuCFSQuota", pods.cpu_cfs_quota);
  out.put("cpuCFSQuotaPeriod", pods.cpu_cfs_quota_period);
  out.put("cgroupRoot", pods.cgroup_root);
  out.put("cgroupDriver", pods.cgroup_driver == CgroupDriver::kSystemd ? "systemd" : "cgroupfs");
  out.put("clusterDNS", pods.cluster_dns);
  out.put("clusterDomain", pods.cluster_domain);
  out.put("seccompDefault", pods.seccomp_default);
  out.put("serializeImagePulls", pods.serialize_image_pulls);
  out.put("maxParallelImagePulls", pods.max_parallel_image_pulls
                                       ? std::to_string(*pods.max_parallel_image_pulls)
                                       : std::string());
  out.put("allowedUnsafeSysctls", pods.allowed_unsafe_sysctls);
  out.put("systemReserved", pods.system_reserved);
  out.put("kubeReserved", pods.kube_reserved);
  out.put("registryPullQPS", std::int64_t{pods.registry_pull_qps});
  out.put("registryBurst", std::int64_t{pods.registry_burst});
  out.put("containerLogMaxSize", pods.log_max_bytes);
  out.put("containerLogMaxFiles", std::int64_t{pods.log_max_files});
  out.put("containerLogMaxWorkers", std::int64_t{pods.log_workers});
  out.put("containerLogMonitorInterval", pods.log_look_period);
  out.put("crashLoopBackOff.maxContainerRestartPeriod", pods.longest_restart_backoff);
}

void put_images(const ImageGcSettings& images, Fields& out) {
  out.put("imageGCHighThresholdPercent", std::int64_t{images.high_percent});
  out.put("imageGCLowThresholdPercent", std::int64_t{images.low_percent});
  out.put("imageMinimumGCAge", images.min_age);
  out.put("imageMaximumGCAge", images.max_age);
  out.put("imageGCPeriod", images.period);
}

void put_threshold(const eviction::Threshold& threshold, Fields& out) {
  // A threshold that the limit of all pods implies has no entry of its own.
  if (threshold.origin == eviction::ThresholdOrigin::kNodeAllocatable) return;
  const auto signal = to_string(threshold.signal);
  const bool own = eviction::traits(threshold.signal).origin == eviction::SignalOrigin::kBerth;
  const std::string head = own ? "ownEviction" : "eviction";
  const auto put = [&](const char* field, const auto& value) {
    out.put(Fields::keyed(head + field, signal), value, TakesEffect::kAtOnce);
  };
  const bool soft = threshold.origin == eviction::ThresholdOrigin::kEvictionSoft;
  put(soft ? "Soft" : "Hard", to_string(threshold.value));
  if (soft) put("SoftGracePeriod", threshold.grace_period);
  if (threshold.min_reclaim) put("MinimumReclaim", to_string(*threshold.min_reclaim));
}

void put_eviction(const EvictionSettings& eviction, Fields& out) {
  const auto& config = eviction.config;
  for (const auto& threshold : config.thresholds) put_threshold(threshold, out);
  out.put("evictionPressureTransitionPeriod", config.pressure_transition_period,
          TakesEffect::kAtOnce);
  out.put("evictionMaxPodGracePeriod", config.max_pod_grace_period, TakesEffect::kAtOnce);
  out.put("localStorageCapacityIsolation", config.local_storage_capacity_isolation);
  out.put("evictWithinRequests", config.rules.evict_within_requests, TakesEffect::kAtOnce);
  out.put("evictAtOnce", eviction.at_once == EvictAtOnce::kAllow, TakesEffect::kAtOnce);
  out.put("volumeStatsAggPeriod", eviction.volume_period);
  out.put("recreateEvicted",
          eviction.recreate == RecreateEvicted::kNever ? "Never" : "WhenPressureClears");
}

void put_allocatable(const Settings& settings, Fields& out) {
  std::vector<std::string> kinds;
  if (settings.eviction.enforce_pods_allocatable) kinds.emplace_back("pods");
  for (const auto& enforcement : settings.reserved) {
    const bool system = enforcement.whom == node::ReservedFor::kSystem;
    const bool all = enforcement.limits == node::ReservedLimits::kAll;
    kinds.push_back(std::string(system ? "system-reserved" : "kube-reserved") +
                    (all ? "" : "-compressible"));
    out.put(system ? "systemReservedCgroup" : "kubeReservedCgroup", enforcement.cgroup);
  }
  out.put("enforceNodeAllocatable", kinds);
}

void put_rules(const Settings& settings, Fields& out) {
  out.put("manifestRules",
          settings.manifest_rules == ManifestRules::kKubelet ? "Kubelet" : "Berth");
  out.put("fieldValidation", word(settings.unknown_fields));
  out.put("maxManifestBytes", settings.max_manifest_bytes);
  out.put("maxManifestDocuments", settings.max_manifest_documents);
  out.put("maxManifestValues", settings.max_manifest_values);
  out.put("staticPodsAreCritical", settings.static_pods_are_critical);
  out.put("terminationOnRestart",
          settings.interrupted_stops == InterruptedStops::kResume ? "Resume" : "FullGrace");
  out.put("nodeLabels", settings.node_labels);
  out.put("nodeStatusMaxImages", std::int64_t{settings.images_reported});
  for (const auto& taint : settings.node_taints)
    out.put_key("nodeTaints", taint.key + ":" + taint.effect, taint.value);
  out.put("terminatedPodGCThreshold", settings.terminated_pods_kept);
  out.put("relistPeriod", settings.relist_period);
  out.put("logLevel", word(settings.log_level), TakesEffect::kAtOnce);
  for (const auto& group : settings.shutdown.groups)
    out.put(Fields::keyed(settings.shutdown.field, "priority " + std::to_string(group.priority)),
            group.period);
}

Fields fields_of(const Settings& settings) {
  Fields out;
  put_places(settings, out);
  put_pods(settings.pods, out);
  put_images(settings.images, out);
  put_eviction(settings.eviction, out);
  put_allocatable(settings, out);
  put_rules(settings, out);
  return out;
}

}  // namespace

std::string to_string(const SettingChange& change) {
  return change.field + ": " + change.before + " -> " + change.after;
}

std::vector<SettingChange> changed_settings(const Settings& before, const Settings& after) {
  const Fields old_fields = fields_of(before);
  const Fields new_fields = fields_of(after);
  std::map<std::string, std::pair<Value, Value>> fields;
  for (const auto& [field, value] : old_fields.values()) fields[field].first = value;
  for (const auto& [field, value] : new_fields.values()) fields[field].second = value;
  std::vector<SettingChange> out;
  for (const auto& [field, values] : fields) {
    const auto& [old_value, new_value] = values;
    if (old_value.text == new_value.text) continue;
    out.push_back({.field = field,
                   .before = word(old_value.text),
                   .after = word(new_value.text),
                   .takes_effect = (new_value.text ? new_value : old_value).takes_effect});
  }
  if (before.scheduler != after.scheduler)
    out.push_back({.field = "KubeSchedulerConfiguration",
                   .before = "as at berthd's start",
                   .after = "as configured"});
  return out;
}

}  // namespace berth::agent
