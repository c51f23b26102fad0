// SPDX-License-Identifier: Apache-2.0

// Describes KubeletConfiguration for the codec. Included only by the configuration's codec.
#pragma once

#include <boost/describe.hpp>

#include "agent/settings/kubelet_configuration.hpp"

namespace berth::agent {

BOOST_DESCRIBE_STRUCT(VModuleItem, (), (filePattern, verbosity))
BOOST_DESCRIBE_STRUCT(KubeletX509Authentication, (), (clientCAFile))
BOOST_DESCRIBE_STRUCT(KubeletWebhookAuthentication, (), (enabled, cacheTTL))
BOOST_DESCRIBE_STRUCT(KubeletAnonymousAuthentication, (), (enabled))
BOOST_DESCRIBE_STRUCT(KubeletAuthentication, (), (x509, webhook, anonymous))
BOOST_DESCRIBE_STRUCT(KubeletWebhookAuthorization, (), (cacheAuthorizedTTL, cacheUnauthorizedTTL))
BOOST_DESCRIBE_STRUCT(KubeletAuthorization, (), (mode, webhook))
BOOST_DESCRIBE_STRUCT(MemorySwapConfiguration, (), (swapBehavior))
BOOST_DESCRIBE_STRUCT(LogTextOptions, (), (splitStream, infoBufferSize))
BOOST_DESCRIBE_STRUCT(LogJsonOptions, (), (splitStream, infoBufferSize))
BOOST_DESCRIBE_STRUCT(LogOptions, (), (text, json))
BOOST_DESCRIBE_STRUCT(LoggingConfiguration, (),
                      (format, flushFrequency, verbosity, vmodule, options))
BOOST_DESCRIBE_STRUCT(ShutdownGracePeriodByPodPriority, (), (priority, shutdownGracePeriodSeconds))
BOOST_DESCRIBE_STRUCT(CrashLoopBackOffConfig, (), (maxContainerRestartPeriod))
BOOST_DESCRIBE_STRUCT(MemoryReservation, (), (numaNode, limits))
BOOST_DESCRIBE_STRUCT(TracingConfiguration, (), (endpoint, samplingRatePerMillion))
BOOST_DESCRIBE_STRUCT(UserNamespaces, (), (idsPerPod))
BOOST_DESCRIBE_STRUCT(KubeletServing, (),
                      (apiVersion, kind, enableServer, staticPodPath, podLogsDir, syncFrequency,
                       fileCheckFrequency, httpCheckFrequency, staticPodURL, staticPodURLHeader,
                       address, port, readOnlyPort, tlsCertFile, tlsPrivateKeyFile, tlsCipherSuites,
                       tlsCurvePreferences, tlsMinVersion, rotateCertificates, serverTLSBootstrap,
                       authentication, authorization))
BOOST_DESCRIBE_STRUCT(
    KubeletHousekeeping, (),
    (registryPullQPS, registryBurst, imagePullCredentialsVerificationPolicy,
     preloadedImagesVerificationAllowlist, eventRecordQPS, eventBurst, enableDebuggingHandlers,
     enableContentionProfiling, healthzPort, healthzBindAddress, oomScoreAdj, clusterDomain,
     clusterDNS, streamingConnectionIdleTimeout, nodeStatusUpdateFrequency,
     nodeStatusReportFrequency, nodeLeaseDurationSeconds, imageMinimumGCAge, imageMaximumGCAge,
     imageGCHighThresholdPercent, imageGCLowThresholdPercent, volumeStatsAggPeriod, kubeletCgroups,
     systemCgroups, cgroupRoot, cgroupsPerQOS, cgroupDriver, cpuManagerPolicy, singleProcessOOMKill,
     cpuManagerPolicyOptions, cpuManagerReconcilePeriod, memoryManagerPolicy, topologyManagerPolicy,
     topologyManagerScope, topologyManagerPolicyOptions, qosReserved))
BOOST_DESCRIBE_STRUCT(KubeletPods, (),
                      (runtimeRequestTimeout, hairpinMode, maxPods, podCIDR, podPidsLimit,
                       resolvConf, runOnce, cpuCFSQuota, cpuCFSQuotaPeriod, nodeStatusMaxImages,
                       maxOpenFiles, contentType, kubeAPIQPS, kubeAPIBurst, serializeImagePulls,
                       maxParallelImagePulls, evictionHard, evictionSoft, evictionSoftGracePeriod,
                       evictionPressureTransitionPeriod, evictionMaxPodGracePeriod,
                       evictionMinimumReclaim, mergeDefaultEvictionSettings, podsPerCore,
                       enableControllerAttachDetach, protectKernelDefaults, makeIPTablesUtilChains,
                       iptablesMasqueradeBit, iptablesDropBit))
BOOST_DESCRIBE_STRUCT(
    KubeletLimits, (),
    (featureGates, failSwapOn, memorySwap, containerLogMaxSize, containerLogMaxFiles,
     containerLogMaxWorkers, containerLogMonitorInterval, configMapAndSecretChangeDetectionStrategy,
     systemReserved, kubeReserved, reservedSystemCPUs, showHiddenMetricsForVersion,
     systemReservedCgroup, kubeReservedCgroup, enforceNodeAllocatable, allowedUnsafeSysctls,
     volumePluginDir, providerID, kernelMemcgNotification, logging, enableSystemLogHandler,
     enableSystemLogQuery, shutdownGracePeriod, shutdownGracePeriodCriticalPods,
     shutdownGracePeriodByPodPriority, crashLoopBackOff, reservedMemory, enableProfilingHandler,
     enableDebugFlagsHandler, seccompDefault, memoryThrottlingFactor, memoryReservationPolicy,
     registerWithTaints, registerNode, tracing, localStorageCapacityIsolation,
     containerRuntimeEndpoint, imageServiceEndpoint, failCgroupV1, userNamespaces))
BOOST_DESCRIBE_STRUCT(KubeletConfiguration,
                      (KubeletServing, KubeletHousekeeping, KubeletPods, KubeletLimits), ())

}  // namespace berth::agent
