// SPDX-License-Identifier: Apache-2.0

// KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1): every field with its name and type,
// including the arguments of the plugins.
//
// Plain values with the content of a file: every field is optional, so that set and unset differ.
// resolve_configuration defines the defaults and rules. The field list is that of
// tests/data/wire/scheduler-config.tsv (1.36, a superset of 1.34); a test compares the two.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/affinity.hpp"
#include "api/scalars.hpp"
#include "api/time.hpp"

namespace berth::scheduling::config {

inline constexpr const char* kApiVersion = "kubescheduler.config.k8s.io/v1";
inline constexpr const char* kKind = "KubeSchedulerConfiguration";

struct LeaderElection {
  std::optional<bool> leaderElect{};
  std::optional<api::Duration> leaseDuration{};
  std::optional<api::Duration> renewDeadline{};
  std::optional<api::Duration> retryPeriod{};
  std::optional<std::string> resourceLock{};
  std::optional<std::string> resourceName{};
  std::optional<std::string> resourceNamespace{};
};

struct ClientConnection {
  std::optional<std::string> kubeconfig{};
  std::optional<std::string> acceptContentTypes{};
  std::optional<std::string> contentType{};
  std::optional<double> qps{};
  std::optional<std::int32_t> burst{};
};

struct Plugin {
  std::string name{};
  std::optional<std::int32_t> weight{};
};

struct PluginSet {
  std::vector<Plugin> enabled{};
  std::vector<Plugin> disabled{};
};

// By extension point.
struct Plugins {
  std::optional<PluginSet> preEnqueue{};
  std::optional<PluginSet> queueSort{};
  std::optional<PluginSet> preFilter{};
  std::optional<PluginSet> filter{};
  std::optional<PluginSet> postFilter{};
  std::optional<PluginSet> preScore{};
  std::optional<PluginSet> score{};
  std::optional<PluginSet> reserve{};
  std::optional<PluginSet> permit{};
  std::optional<PluginSet> preBind{};
  std::optional<PluginSet> bind{};
  std::optional<PluginSet> postBind{};
  std::optional<PluginSet> multiPoint{};
};

struct PluginConfig {
  std::string name{};
  std::optional<api::RawJson> args{};
};

struct SchedulerProfile {
  std::optional<std::string> schedulerName{};
  std::optional<std::int32_t> percentageOfNodesToScore{};
  std::optional<Plugins> plugins{};
  std::vector<PluginConfig> pluginConfig{};
};

struct ExtenderTLSConfig {
  std::optional<bool> insecure{};
  std::optional<std::string> serverName{};
  std::optional<std::string> certFile{};
  std::optional<std::string> keyFile{};
  std::optional<std::string> caFile{};
  std::optional<api::Bytes> certData{};
  std::optional<api::Bytes> keyData{};
  std::optional<api::Bytes> caData{};
};

struct ExtenderManagedResource {
  std::optional<std::string> name{};
  std::optional<bool> ignoredByScheduler{};
};

struct Extender {
  std::optional<std::string> urlPrefix{};
  std::optional<std::string> filterVerb{};
  std::optional<std::string> preemptVerb{};
  std::optional<std::string> prioritizeVerb{};
  std::optional<std::int64_t> weight{};
  std::optional<std::string> bindVerb{};
  std::optional<bool> enableHTTPS{};
  std::optional<ExtenderTLSConfig> tlsConfig{};
  std::optional<api::Duration> httpTimeout{};
  std::optional<bool> nodeCacheCapable{};
  std::vector<ExtenderManagedResource> managedResources{};
  std::optional<bool> ignorable{};
};

struct KubeSchedulerConfiguration {
  std::string apiVersion{};
  std::string kind{};
  std::optional<std::int32_t> parallelism{};
  std::optional<LeaderElection> leaderElection{};
  std::optional<ClientConnection> clientConnection{};
  std::optional<bool> enableProfiling{};
  std::optional<bool> enableContentionProfiling{};
  std::optional<std::int32_t> percentageOfNodesToScore{};
  std::optional<std::int64_t> podInitialBackoffSeconds{};
  std::optional<std::int64_t> podMaxBackoffSeconds{};
  std::vector<SchedulerProfile> profiles{};
  std::vector<Extender> extenders{};
  std::optional<bool> delayCacheUntilActive{};
};

}  // namespace berth::scheduling::config
