// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <limits>

#include <boost/asio/ip/address.hpp>

#include "agent/settings/settings_check.hpp"
#include "node/admission.hpp"

namespace berth::agent {
namespace {

constexpr std::array<std::string_view, 38> kUsedFields = {
    "address",
    "allowedUnsafeSysctls",
    "apiVersion",
    "cgroupDriver",
    "cgroupRoot",
    "cgroupsPerQOS",
    "clusterDNS",
    "clusterDomain",
    "containerRuntimeEndpoint",
    "cpuCFSQuota",
    "cpuCFSQuotaPeriod",
    "cpuManagerPolicy",
    "enableServer",
    "imageGCHighThresholdPercent",
    "imageGCLowThresholdPercent",
    "imageMaximumGCAge",
    "imageMinimumGCAge",
    "imageServiceEndpoint",
    "kind",
    "kubeReserved",
    "maxParallelImagePulls",
    "maxPods",
    "memoryManagerPolicy",
    "memorySwap",
    "nodeStatusMaxImages",
    "podLogsDir",
    "podPidsLimit",
    "podsPerCore",
    "readOnlyPort",
    "registerWithTaints",
    "registryBurst",
    "resolvConf",
    "runOnce",
    "runtimeRequestTimeout",
    "seccompDefault",
    "serializeImagePulls",
    "singleProcessOOMKill",
    "staticPodPath",
};
// Eviction's fields: agent/eviction/eviction_settings.hpp.
constexpr std::array<std::string_view, 11> kUsedTooOfEviction = {"enforceNodeAllocatable",
                                                                 "evictionHard",
                                                                 "evictionMaxPodGracePeriod",
                                                                 "evictionMinimumReclaim",
                                                                 "evictionPressureTransitionPeriod",
                                                                 "evictionSoft",
                                                                 "evictionSoftGracePeriod",
                                                                 "kernelMemcgNotification",
                                                                 "localStorageCapacityIsolation",
                                                                 "mergeDefaultEvictionSettings",
                                                                 "volumeStatsAggPeriod"};
// Further used fields, some by being refused or combined.
constexpr std::array<std::string_view, 15> kUsedToo = {"containerLogMaxFiles",
                                                       "containerLogMaxSize",
                                                       "containerLogMaxWorkers",
                                                       "containerLogMonitorInterval",
                                                       "crashLoopBackOff",
                                                       "kubeReservedCgroup",
                                                       "registryPullQPS",
                                                       "reservedSystemCPUs",
                                                       "shutdownGracePeriod",
                                                       "shutdownGracePeriodByPodPriority",
                                                       "shutdownGracePeriodCriticalPods",
                                                       "staticPodURL",
                                                       "systemReserved",
                                                       "systemReservedCgroup",
                                                       "topologyManagerPolicy"};

constexpr const char* kNotYet = "this version of berthd does not support it; ";

// Fields that must not be ignored silently: pods would run under other rules than configured.
void refuse_unsupported(const KubeletConfiguration& kubelet, SettingsCheck& check) {
  const auto asks = [](const std::optional<std::string>& value, std::string_view default_value) {
    return value && !value->empty() && *value != default_value;
  };
  if (kubelet.cgroupsPerQOS == false) {
    check.refuse("cgroupsPerQOS", std::string("false: ") + kNotYet + "leave the field out");
  }
  if (asks(kubelet.cpuManagerPolicy, "none")) {
    check.refuse("cpuManagerPolicy", *kubelet.cpuManagerPolicy + ": " + kNotYet + "use none");
  }
  if (asks(kubelet.memoryManagerPolicy, "None")) {
    check.refuse("memoryManagerPolicy", *kubelet.memoryManagerPolicy + ": " + kNotYet + "use None");
  }
  if (asks(kubelet.topologyManagerPolicy, "none")) {
    check.refuse("topologyManagerPolicy",
                 *kubelet.topologyManagerPolicy + ": " + kNotYet + "use none");
  }
  if (kubelet.memorySwap && asks(kubelet.memorySwap->swapBehavior, "NoSwap")) {
    check.refuse("memorySwap.swapBehavior",
                 *kubelet.memorySwap->swapBehavior + ": " + kNotYet + "use NoSwap");
  }
  if (asks(kubelet.staticPodURL, "")) {
    check.refuse("staticPodURL",
                 std::string("manifests from a URL: ") + kNotYet + "use staticPodPath, a folder");
  }
  if (kubelet.runOnce == true) {
    check.refuse("runOnce", std::string("true: ") + kNotYet + "leave the field out");
  }
}

void resolve_endpoints(const KubeletConfiguration& kubelet, SettingsCheck& check,
                       RuntimeSettings& runtime) {
  const auto normal = [&](std::string_view path,
                          const std::optional<std::string>& value) -> std::optional<std::string> {
    if (!value || value->empty()) return std::nullopt;
    if (value->starts_with("unix:///")) return *value;
    if (value->starts_with('/')) return "unix://" + *value;
    check.refuse(path,
                 "must be a unix socket, such as unix:///run/containerd/containerd.sock; not \"" +
                     *value + "\"");
    return std::nullopt;
  };
  const auto endpoint = normal("containerRuntimeEndpoint", kubelet.containerRuntimeEndpoint);
  if (endpoint) runtime.endpoint = *endpoint;
  const auto images = normal("imageServiceEndpoint", kubelet.imageServiceEndpoint);
  if (images && *images != runtime.endpoint) runtime.image_endpoint = *images;
  check.set_positive(runtime.request_timeout, "runtimeRequestTimeout",
                     kubelet.runtimeRequestTimeout);
}

void resolve_http(const KubeletConfiguration& kubelet, SettingsCheck& check, Settings& settings) {
  if (kubelet.address && !kubelet.address->empty()) {
    boost::system::error_code bad;
    const auto address = boost::asio::ip::make_address(*kubelet.address, bad);
    if (bad) {
      check.refuse("address", "must be an IP address, not \"" + *kubelet.address + "\"");
    } else {
      settings.http.address = *kubelet.address;
      if (!address.is_loopback() && kubelet.readOnlyPort.value_or(0) != 0) {
        settings.warnings.push_back(
            "address " + *kubelet.address +
            ": readOnlyPort has no authentication; anyone who can reach it can read every pod");
      }
    }
  }
  check.set_within(settings.http.port, "readOnlyPort", kubelet.readOnlyPort, 0, 65535);
  if (kubelet.enableServer == false) settings.http.port = 0;
}

void resolve_pods(const KubeletConfiguration& kubelet, SettingsCheck& check, PodSettings& pods) {
  constexpr std::int32_t kMost = 1'000'000;
  check.set_nonzero_within(pods.max_pods, "maxPods", kubelet.maxPods, 0, kMost);
  check.set_within(pods.pods_per_core, "podsPerCore", kubelet.podsPerCore, 0, kMost);
  check.set(pods.pids_limit, kubelet.podPidsLimit);
  pods.single_process_oom_kill = kubelet.singleProcessOOMKill;
  check.set(pods.cpu_cfs_quota, kubelet.cpuCFSQuota);
  if (kubelet.cpuCFSQuotaPeriod) pods.cpu_cfs_quota_period = kubelet.cpuCFSQuotaPeriod->value;
  if (pods.cpu_cfs_quota_period < std::chrono::milliseconds(1) ||
      pods.cpu_cfs_quota_period > std::chrono::seconds(1)) {
    check.refuse("cpuCFSQuotaPeriod", "must be between 1ms and 1s");
  }
  check.set(pods.cgroup_root, kubelet.cgroupRoot);
  if (check.choose("cgroupDriver", kubelet.cgroupDriver, {"cgroupfs", "systemd"}) == 1U)
    pods.cgroup_driver = CgroupDriver::kSystemd;
  check.set(pods.cluster_dns, kubelet.clusterDNS);
  check.set(pods.cluster_domain, kubelet.clusterDomain);
  check.set(pods.seccomp_default, kubelet.seccompDefault);
  check.set(pods.allowed_unsafe_sysctls, kubelet.allowedUnsafeSysctls);
  for (const auto& pattern : pods.allowed_unsafe_sysctls) {
    auto problem = node::sysctl_pattern_problem(pattern);
    if (!problem.empty()) check.refuse("allowedUnsafeSysctls", std::move(problem));
  }
  check.set(pods.system_reserved, kubelet.systemReserved);
  check.set(pods.kube_reserved, kubelet.kubeReserved);
  for (const auto& server : pods.cluster_dns) {
    boost::system::error_code bad;
    static_cast<void>(boost::asio::ip::make_address(server, bad));
    if (bad) check.refuse("clusterDNS", "must hold IP addresses, not \"" + server + "\"");
  }
  const auto reserved = [&](std::string_view path, const std::map<std::string, std::string>& list) {
    for (const auto& [resource, amount] : list) {
      const auto quantity = api::Quantity::parse(amount);
      if (!quantity || quantity->sign() < 0) {
        check.refuse(std::string(path) + "[" + resource + "]",
                     "must be a quantity of at least zero, not \"" + amount + "\"");
      }
    }
  };
  reserved("systemReserved", pods.system_reserved);
  reserved("kubeReserved", pods.kube_reserved);
}

void resolve_pulls(const KubeletConfiguration& kubelet, SettingsCheck& check, PodSettings& pods) {
  pods.max_parallel_image_pulls = kubelet.maxParallelImagePulls;
  if (kubelet.maxParallelImagePulls && *kubelet.maxParallelImagePulls < 1) {
    check.refuse("maxParallelImagePulls", "must be at least 1");
  }
  constexpr std::int32_t kMost = 1'000'000;
  check.set_within(pods.registry_pull_qps, "registryPullQPS", kubelet.registryPullQPS, 0, kMost);
  check.set_nonzero_within(pods.registry_burst, "registryBurst", kubelet.registryBurst, 0, kMost);
  // The kubelet's rule: two or more mean that pulls are not serialised.
  const bool parallel = kubelet.maxParallelImagePulls.value_or(0) >= 2;
  pods.serialize_image_pulls = kubelet.serializeImagePulls.value_or(!parallel);
  if (parallel && pods.serialize_image_pulls) {
    check.refuse("serializeImagePulls", "must be false when maxParallelImagePulls is over 1");
  }
}

void resolve_logs(const KubeletConfiguration& kubelet, SettingsCheck& check, PodSettings& pods) {
  if (kubelet.containerLogMaxSize && !kubelet.containerLogMaxSize->empty()) {
    const auto size = api::Quantity::parse(*kubelet.containerLogMaxSize);
    if (size)
      pods.log_max_bytes = size->value();
    else
      check.refuse("containerLogMaxSize", size.error().message);
  }
  constexpr std::int32_t kMost = 1'000'000;
  check.set_within(pods.log_max_files, "containerLogMaxFiles", kubelet.containerLogMaxFiles, 2,
                   kMost);
  check.set_within(pods.log_workers, "containerLogMaxWorkers", kubelet.containerLogMaxWorkers, 1,
                   kMost);
  if (kubelet.containerLogMonitorInterval)
    pods.log_look_period = kubelet.containerLogMonitorInterval->value;
  if (pods.log_look_period < std::chrono::seconds(3))
    check.refuse("containerLogMonitorInterval", "must be at least 3s");
}

// In a kubelet this needs a feature gate; here it does not.
void resolve_restarts(const KubeletConfiguration& kubelet, SettingsCheck& check,
                      PodSettings& pods) {
  if (!kubelet.crashLoopBackOff || !kubelet.crashLoopBackOff->maxContainerRestartPeriod) return;
  const api::Duration& longest = *kubelet.crashLoopBackOff->maxContainerRestartPeriod;
  if (longest.value < std::chrono::seconds(1) || longest.value > std::chrono::seconds(300)) {
    check.refuse("crashLoopBackOff.maxContainerRestartPeriod",
                 "must be between 1s and 300s, not " + longest.to_string());
  } else {
    pods.longest_restart_backoff = longest.value;
  }
}

void resolve_images(const KubeletConfiguration& kubelet, SettingsCheck& check,
                    ImageGcSettings& images) {
  constexpr std::int32_t kMost = 100;
  check.set_within(images.high_percent, "imageGCHighThresholdPercent",
                   kubelet.imageGCHighThresholdPercent, 0, kMost);
  check.set_within(images.low_percent, "imageGCLowThresholdPercent",
                   kubelet.imageGCLowThresholdPercent, 0, kMost);
  if (images.low_percent >= images.high_percent) {
    check.refuse("imageGCLowThresholdPercent",
                 "must be less than imageGCHighThresholdPercent, which is " +
                     std::to_string(images.high_percent) + ", not " +
                     std::to_string(images.low_percent));
  }
  check.set_positive(images.min_age, "imageMinimumGCAge", kubelet.imageMinimumGCAge);
  check.set_positive(images.max_age, "imageMaximumGCAge", kubelet.imageMaximumGCAge);
  if (images.max_age.count() > 0 && images.max_age <= images.min_age) {
    check.refuse("imageMaximumGCAge", "must be longer than imageMinimumGCAge, which is " +
                                          api::Duration{images.min_age}.to_string() +
                                          ", or 0 for no such limit");
  }
}

}  // namespace

bool kubelet_field_is_used(std::string_view field) {
  return std::ranges::find(kUsedFields, field) != kUsedFields.end() ||
         std::ranges::find(kUsedTooOfEviction, field) != kUsedTooOfEviction.end() ||
         std::ranges::find(kUsedToo, field) != kUsedToo.end();
}

void resolve_kubelet(const KubeletConfiguration& kubelet, SettingsCheck& check,
                     Settings& settings) {
  refuse_unsupported(kubelet, check);
  check.set_path(settings.paths.manifests, "staticPodPath", kubelet.staticPodPath);
  check.set_path(settings.paths.pod_logs, "podLogsDir", kubelet.podLogsDir);
  if (kubelet.resolvConf) settings.paths.resolv_conf = *kubelet.resolvConf;
  resolve_endpoints(kubelet, check, settings.runtime);
  resolve_http(kubelet, check, settings);
  resolve_pods(kubelet, check, settings.pods);
  resolve_pulls(kubelet, check, settings.pods);
  resolve_logs(kubelet, check, settings.pods);
  resolve_images(kubelet, check, settings.images);
  resolve_restarts(kubelet, check, settings.pods);
  if (kubelet.registerWithTaints) settings.node_taints = *kubelet.registerWithTaints;
  constexpr std::int32_t kAll = -1;
  check.set_within(settings.images_reported, "nodeStatusMaxImages", kubelet.nodeStatusMaxImages,
                   kAll, std::numeric_limits<std::int32_t>::max());
}

}  // namespace berth::agent
