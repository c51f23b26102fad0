// SPDX-License-Identifier: Apache-2.0

// KubeletConfiguration (kubelet.config.k8s.io/v1beta1), every field by its name and type.
//
// A plain value that holds what the file and its drop-ins state: every field is optional, so that
// set and unset differ; settings.hpp has the defaults. The field list is that of
// tests/data/wire/kubelet-config.tsv (1.36, a superset of 1.34); a test compares the two. Split
// into several bases, because Boost.Describe takes at most fifty members.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/affinity.hpp"
#include "api/quantity.hpp"
#include "api/resources.hpp"
#include "api/scalars.hpp"
#include "api/time.hpp"

namespace berth::agent {

struct VModuleItem {
  std::optional<std::string> filePattern{};
  std::optional<std::uint32_t> verbosity{};

  bool operator==(const VModuleItem&) const = default;
};

struct KubeletX509Authentication {
  std::optional<std::string> clientCAFile{};

  bool operator==(const KubeletX509Authentication&) const = default;
};

struct KubeletWebhookAuthentication {
  std::optional<bool> enabled{};
  std::optional<api::Duration> cacheTTL{};

  bool operator==(const KubeletWebhookAuthentication&) const = default;
};

struct KubeletAnonymousAuthentication {
  std::optional<bool> enabled{};

  bool operator==(const KubeletAnonymousAuthentication&) const = default;
};

struct KubeletAuthentication {
  std::optional<KubeletX509Authentication> x509{};
  std::optional<KubeletWebhookAuthentication> webhook{};
  std::optional<KubeletAnonymousAuthentication> anonymous{};

  bool operator==(const KubeletAuthentication&) const = default;
};

struct KubeletWebhookAuthorization {
  std::optional<api::Duration> cacheAuthorizedTTL{};
  std::optional<api::Duration> cacheUnauthorizedTTL{};

  bool operator==(const KubeletWebhookAuthorization&) const = default;
};

struct KubeletAuthorization {
  std::optional<std::string> mode{};
  std::optional<KubeletWebhookAuthorization> webhook{};

  bool operator==(const KubeletAuthorization&) const = default;
};

struct MemorySwapConfiguration {
  std::optional<std::string> swapBehavior{};

  bool operator==(const MemorySwapConfiguration&) const = default;
};

struct LogTextOptions {
  std::optional<bool> splitStream{};
  std::optional<api::Quantity> infoBufferSize{};

  bool operator==(const LogTextOptions&) const = default;
};

struct LogJsonOptions {
  std::optional<bool> splitStream{};
  std::optional<api::Quantity> infoBufferSize{};

  bool operator==(const LogJsonOptions&) const = default;
};

struct LogOptions {
  std::optional<LogTextOptions> text{};
  std::optional<LogJsonOptions> json{};

  bool operator==(const LogOptions&) const = default;
};

struct LoggingConfiguration {
  std::optional<std::string> format{};
  std::optional<api::RawJson> flushFrequency{};
  std::optional<std::uint32_t> verbosity{};
  std::optional<std::vector<VModuleItem>> vmodule{};
  std::optional<LogOptions> options{};

  bool operator==(const LoggingConfiguration&) const = default;
};

struct ShutdownGracePeriodByPodPriority {
  std::optional<std::int32_t> priority{};
  std::optional<std::int64_t> shutdownGracePeriodSeconds{};

  bool operator==(const ShutdownGracePeriodByPodPriority&) const = default;
};

struct CrashLoopBackOffConfig {
  std::optional<api::Duration> maxContainerRestartPeriod{};

  bool operator==(const CrashLoopBackOffConfig&) const = default;
};

struct MemoryReservation {
  std::optional<std::int32_t> numaNode{};
  std::optional<api::ResourceList> limits{};

  bool operator==(const MemoryReservation&) const = default;
};

struct TracingConfiguration {
  std::optional<std::string> endpoint{};
  std::optional<std::int32_t> samplingRatePerMillion{};

  bool operator==(const TracingConfiguration&) const = default;
};

struct UserNamespaces {
  std::optional<std::int64_t> idsPerPod{};

  bool operator==(const UserNamespaces&) const = default;
};

// How the kubelet serves and whom it admits.
struct KubeletServing {
  std::optional<std::string> apiVersion{};
  std::optional<std::string> kind{};
  std::optional<bool> enableServer{};
  std::optional<std::string> staticPodPath{};
  std::optional<std::string> podLogsDir{};
  std::optional<api::Duration> syncFrequency{};
  std::optional<api::Duration> fileCheckFrequency{};
  std::optional<api::Duration> httpCheckFrequency{};
  std::optional<std::string> staticPodURL{};
  std::optional<std::map<std::string, std::vector<std::string>>> staticPodURLHeader{};
  std::optional<std::string> address{};
  std::optional<std::int32_t> port{};
  std::optional<std::int32_t> readOnlyPort{};
  std::optional<std::string> tlsCertFile{};
  std::optional<std::string> tlsPrivateKeyFile{};
  std::optional<std::vector<std::string>> tlsCipherSuites{};
  std::optional<std::vector<std::int32_t>> tlsCurvePreferences{};
  std::optional<std::string> tlsMinVersion{};
  std::optional<bool> rotateCertificates{};
  std::optional<bool> serverTLSBootstrap{};
  std::optional<KubeletAuthentication> authentication{};
  std::optional<KubeletAuthorization> authorization{};

  bool operator==(const KubeletServing&) const = default;
};

// Rates, periods, images, cgroups and the resource managers.
struct KubeletHousekeeping {
  std::optional<std::int32_t> registryPullQPS{};
  std::optional<std::int32_t> registryBurst{};
  std::optional<std::string> imagePullCredentialsVerificationPolicy{};
  std::optional<std::vector<std::string>> preloadedImagesVerificationAllowlist{};
  std::optional<std::int32_t> eventRecordQPS{};
  std::optional<std::int32_t> eventBurst{};
  std::optional<bool> enableDebuggingHandlers{};
  std::optional<bool> enableContentionProfiling{};
  std::optional<std::int32_t> healthzPort{};
  std::optional<std::string> healthzBindAddress{};
  std::optional<std::int32_t> oomScoreAdj{};
  std::optional<std::string> clusterDomain{};
  std::optional<std::vector<std::string>> clusterDNS{};
  std::optional<api::Duration> streamingConnectionIdleTimeout{};
  std::optional<api::Duration> nodeStatusUpdateFrequency{};
  std::optional<api::Duration> nodeStatusReportFrequency{};
  std::optional<std::int32_t> nodeLeaseDurationSeconds{};
  std::optional<api::Duration> imageMinimumGCAge{};
  std::optional<api::Duration> imageMaximumGCAge{};
  std::optional<std::int32_t> imageGCHighThresholdPercent{};
  std::optional<std::int32_t> imageGCLowThresholdPercent{};
  std::optional<api::Duration> volumeStatsAggPeriod{};
  std::optional<std::string> kubeletCgroups{};
  std::optional<std::string> systemCgroups{};
  std::optional<std::string> cgroupRoot{};
  std::optional<bool> cgroupsPerQOS{};
  std::optional<std::string> cgroupDriver{};
  std::optional<std::string> cpuManagerPolicy{};
  std::optional<bool> singleProcessOOMKill{};
  std::optional<std::map<std::string, std::string>> cpuManagerPolicyOptions{};
  std::optional<api::Duration> cpuManagerReconcilePeriod{};
  std::optional<std::string> memoryManagerPolicy{};
  std::optional<std::string> topologyManagerPolicy{};
  std::optional<std::string> topologyManagerScope{};
  std::optional<std::map<std::string, std::string>> topologyManagerPolicyOptions{};
  std::optional<std::map<std::string, std::string>> qosReserved{};

  bool operator==(const KubeletHousekeeping&) const = default;
};

// What pods get, eviction thresholds, network plumbing.
struct KubeletPods {
  std::optional<api::Duration> runtimeRequestTimeout{};
  std::optional<std::string> hairpinMode{};
  std::optional<std::int32_t> maxPods{};
  std::optional<std::string> podCIDR{};
  std::optional<std::int64_t> podPidsLimit{};
  std::optional<std::string> resolvConf{};
  std::optional<bool> runOnce{};
  std::optional<bool> cpuCFSQuota{};
  std::optional<api::Duration> cpuCFSQuotaPeriod{};
  std::optional<std::int32_t> nodeStatusMaxImages{};
  std::optional<std::int64_t> maxOpenFiles{};
  std::optional<std::string> contentType{};
  std::optional<std::int32_t> kubeAPIQPS{};
  std::optional<std::int32_t> kubeAPIBurst{};
  std::optional<bool> serializeImagePulls{};
  std::optional<std::int32_t> maxParallelImagePulls{};
  std::optional<std::map<std::string, std::string>> evictionHard{};
  std::optional<std::map<std::string, std::string>> evictionSoft{};
  std::optional<std::map<std::string, std::string>> evictionSoftGracePeriod{};
  std::optional<api::Duration> evictionPressureTransitionPeriod{};
  std::optional<std::int32_t> evictionMaxPodGracePeriod{};
  std::optional<std::map<std::string, std::string>> evictionMinimumReclaim{};
  std::optional<bool> mergeDefaultEvictionSettings{};
  std::optional<std::int32_t> podsPerCore{};
  std::optional<bool> enableControllerAttachDetach{};
  std::optional<bool> protectKernelDefaults{};
  std::optional<bool> makeIPTablesUtilChains{};
  std::optional<std::int32_t> iptablesMasqueradeBit{};
  std::optional<std::int32_t> iptablesDropBit{};

  bool operator==(const KubeletPods&) const = default;
};

// Logs, reservations, shutdown and later additions.
struct KubeletLimits {
  std::optional<std::map<std::string, bool>> featureGates{};
  std::optional<bool> failSwapOn{};
  std::optional<MemorySwapConfiguration> memorySwap{};
  std::optional<std::string> containerLogMaxSize{};
  std::optional<std::int32_t> containerLogMaxFiles{};
  std::optional<std::int32_t> containerLogMaxWorkers{};
  std::optional<api::Duration> containerLogMonitorInterval{};
  std::optional<std::string> configMapAndSecretChangeDetectionStrategy{};
  std::optional<std::map<std::string, std::string>> systemReserved{};
  std::optional<std::map<std::string, std::string>> kubeReserved{};
  std::optional<std::string> reservedSystemCPUs{};
  std::optional<std::string> showHiddenMetricsForVersion{};
  std::optional<std::string> systemReservedCgroup{};
  std::optional<std::string> kubeReservedCgroup{};
  std::optional<std::vector<std::string>> enforceNodeAllocatable{};
  std::optional<std::vector<std::string>> allowedUnsafeSysctls{};
  std::optional<std::string> volumePluginDir{};
  std::optional<std::string> providerID{};
  std::optional<bool> kernelMemcgNotification{};
  std::optional<LoggingConfiguration> logging{};
  std::optional<bool> enableSystemLogHandler{};
  std::optional<bool> enableSystemLogQuery{};
  std::optional<api::Duration> shutdownGracePeriod{};
  std::optional<api::Duration> shutdownGracePeriodCriticalPods{};
  std::optional<std::vector<ShutdownGracePeriodByPodPriority>> shutdownGracePeriodByPodPriority{};
  std::optional<CrashLoopBackOffConfig> crashLoopBackOff{};
  std::optional<std::vector<MemoryReservation>> reservedMemory{};
  std::optional<bool> enableProfilingHandler{};
  std::optional<bool> enableDebugFlagsHandler{};
  std::optional<bool> seccompDefault{};
  std::optional<double> memoryThrottlingFactor{};
  std::optional<std::string> memoryReservationPolicy{};
  std::optional<std::vector<api::Taint>> registerWithTaints{};
  std::optional<bool> registerNode{};
  std::optional<TracingConfiguration> tracing{};
  std::optional<bool> localStorageCapacityIsolation{};
  std::optional<std::string> containerRuntimeEndpoint{};
  std::optional<std::string> imageServiceEndpoint{};
  std::optional<bool> failCgroupV1{};
  std::optional<UserNamespaces> userNamespaces{};

  bool operator==(const KubeletLimits&) const = default;
};

struct KubeletConfiguration : KubeletServing, KubeletHousekeeping, KubeletPods, KubeletLimits {
  bool operator==(const KubeletConfiguration&) const = default;
};

}  // namespace berth::agent
