// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "agent/settings/settings_check.hpp"

namespace berth::agent {

void resolve_berth(const BerthConfiguration& berth, SettingsCheck& check, Settings& settings) {
  if (check.choose("manifestRules", berth.manifestRules, {"Berth", "Kubelet"}) == 1U) {
    settings.manifest_rules = ManifestRules::kKubelet;
  }
  if (const auto word =
          check.choose("fieldValidation", berth.fieldValidation, {"Strict", "Warn", "Ignore"})) {
    settings.unknown_fields = static_cast<UnknownFields>(*word);
  }
  settings.static_pods_are_critical =
      berth.staticPodsAreCritical.value_or(settings.manifest_rules == ManifestRules::kKubelet);
  if (const auto word = check.choose("terminationOnRestart", berth.terminationOnRestart,
                                     {"Resume", "FullGrace"})) {
    settings.interrupted_stops = static_cast<InterruptedStops>(*word);
  }
  if (check.choose("recreateEvicted", berth.recreateEvicted, {"WhenPressureClears", "Never"}) ==
      1U) {
    settings.eviction.recreate = RecreateEvicted::kNever;
  }
  check.set(settings.node_labels, berth.nodeLabels);
  if (berth.nodeTaints) {
    settings.node_taints.insert(settings.node_taints.end(), berth.nodeTaints->begin(),
                                berth.nodeTaints->end());
  }
  check.set(settings.node_name, berth.hostnameOverride);
  check.set_path(settings.paths.root, "rootDirectory", berth.rootDirectory);
  check.set_path(settings.paths.container_logs, "containerLogsDir", berth.containerLogsDir);
  if (berth.containerLogsDir == "") settings.paths.container_logs.clear();
  check.set_path(settings.paths.cgroup_mount, "cgroupMount", berth.cgroupMount);
  check.set_path(settings.paths.control_socket, "controlSocket", berth.controlSocket);
  check.set(settings.control_socket_group, berth.controlSocketGroup);
  // sockaddr_un holds 108 bytes with the terminating zero.
  if (settings.paths.control_socket.size() > 107) {
    check.refuse("controlSocket", "must be at most 107 bytes long: the kernel takes no more");
  }
  check.set(settings.max_manifest_bytes, berth.maxManifestBytes);
  constexpr std::int64_t kMostBytes = api::kManifestBytesLimit;
  if (settings.max_manifest_bytes < 1 || settings.max_manifest_bytes > kMostBytes)
    check.refuse("maxManifestBytes", fmt::format("must be from 1 to {}", kMostBytes));
  check.set(settings.max_manifest_documents, berth.maxManifestDocuments);
  if (settings.max_manifest_documents < 1)
    check.refuse("maxManifestDocuments", "must be at least 1");
  check.set(settings.max_manifest_values, berth.maxManifestValues);
  if (settings.max_manifest_values < 1) check.refuse("maxManifestValues", "must be at least 1");
  check.set(settings.terminated_pods_kept, berth.terminatedPodGCThreshold);
  check.set_positive(settings.relist_period, "relistPeriod", berth.relistPeriod);
  if (settings.relist_period < std::chrono::seconds(1)) {
    check.refuse("relistPeriod", "must be at least 1s");
  }
  check.set_positive(settings.images.period, "imageGCPeriod", berth.imageGCPeriod);
  if (settings.images.period < std::chrono::seconds(1)) {
    check.refuse("imageGCPeriod", "must be at least 1s");
  }
  if (const auto level =
          check.choose("logLevel", berth.logLevel, {"debug", "info", "warn", "error"})) {
    settings.log_level = static_cast<LogLevel>(*level);
  }
}

}  // namespace berth::agent
