// SPDX-License-Identifier: Apache-2.0

#include "agent/node_settings.hpp"

#include <utility>

#include "agent/settings/options.hpp"
#include "node/allocatable.hpp"

namespace berth::agent {
namespace {

// Already checked when the settings were resolved.
std::map<std::string, api::Quantity> quantities(const std::map<std::string, std::string>& texts) {
  std::map<std::string, api::Quantity> amounts;
  for (const auto& [resource, text] : texts) {
    if (const auto amount = api::Quantity::parse(text)) amounts[resource] = *amount;
  }
  return amounts;
}

// What evictionHard keeps free of each resource, by which allocatable is reduced.
node::HardEviction hard_eviction(const std::vector<eviction::Threshold>& thresholds,
                                 eviction::Signal signal) {
  node::HardEviction kept_free;
  for (const eviction::Threshold& threshold : thresholds) {
    if (threshold.signal != signal || threshold.origin != eviction::ThresholdOrigin::kEvictionHard)
      continue;
    if (const auto* amount = std::get_if<api::Quantity>(&threshold.value))
      kept_free.quantity = *amount;
    else
      kept_free.fraction = std::get<eviction::Share>(threshold.value).of_capacity;
  }
  return kept_free;
}

void keep_free(const std::vector<eviction::Threshold>& thresholds, node::NodeConfig& config) {
  config.hard_eviction_memory = hard_eviction(thresholds, eviction::Signal::kMemoryAvailable);
  config.hard_eviction_nodefs = hard_eviction(thresholds, eviction::Signal::kNodeFsAvailable);
}

}  // namespace

node::NodeView under_thresholds(node::NodeView view,
                                const std::vector<eviction::Threshold>& thresholds) {
  keep_free(thresholds, view.config);
  view.allocatable = node::node_allocatable(view.config, view.facts);
  return view;
}

node::NodeFacts node_facts(const Settings& settings, node::NodeFacts machine) {
  if (!settings.eviction.config.local_storage_capacity_isolation) machine.ephemeral_storage = 0;
  return machine;
}

Result<void> fits_machine(const Settings& settings, const node::NodeFacts& machine) {
  if (settings.pods.single_process_oom_kill == false && machine.cgroup_version != 2)
    return fail(ErrorCode::kUnimplemented,
                "singleProcessOOMKill: false, but this machine has cgroups of version 1, where the "
                "kernel cannot kill all processes of a container at once; leave the field out, or "
                "start the machine with cgroups of version 2");
  return {};
}

node::NodeConfig node_config(const Settings& settings) {
  node::NodeConfig config{.node_name = settings.node_name};
  config.paths = {.root = settings.paths.root,
                  .pod_logs = settings.paths.pod_logs,
                  .container_logs = settings.paths.container_logs,
                  .cgroup_mount = settings.paths.cgroup_mount,
                  .resolv_conf = settings.paths.resolv_conf};
  const auto& pods = settings.pods;
  if (!pods.cgroup_root.empty()) config.cgroup_root = pods.cgroup_root;
  if (pods.cgroup_driver == CgroupDriver::kSystemd)
    config.cgroup_driver = node::CgroupDriver::kSystemd;
  config.cpu_cfs_quota = pods.cpu_cfs_quota;
  config.cpu_cfs_quota_period =
      std::chrono::duration_cast<std::chrono::microseconds>(pods.cpu_cfs_quota_period).count();
  config.pod_pids_limit = pods.pids_limit;
  config.single_process_oom_kill = pods.single_process_oom_kill;
  config.cluster_domain = pods.cluster_domain;
  config.cluster_dns = pods.cluster_dns;
  config.max_pods = pods.max_pods;
  config.pods_per_core = pods.pods_per_core;
  config.kube_reserved = quantities(pods.kube_reserved);
  config.system_reserved = quantities(pods.system_reserved);
  keep_free(settings.eviction.config.thresholds, config);
  config.enforce_pods_allocatable = settings.eviction.enforce_pods_allocatable;
  config.node_labels = settings.node_labels;
  config.node_taints = settings.node_taints;
  config.max_images_reported = settings.images_reported;
  config.version = "berth-" BERTH_VERSION;
  config.seccomp_default = pods.seccomp_default;
  config.allowed_unsafe_sysctls = pods.allowed_unsafe_sysctls;
  config.static_pods_are_critical = settings.static_pods_are_critical;
  config.container_stop_signals = settings.manifest_rules == ManifestRules::kBerth;
  return config;
}

Result<api::ResourceList> allocatable_on(const Settings& settings, node::NodeFacts machine) {
  auto fits = fits_machine(settings, machine);
  auto allocatable =
      node::checked_allocatable(node_config(settings), node_facts(settings, std::move(machine)));
  if (!allocatable)
    allocatable.error().message += " Lower systemReserved, kubeReserved or evictionHard";
  if (fits) return allocatable;
  if (!allocatable) fits.error().message += "; " + allocatable.error().message;
  return fail(std::move(fits.error()));
}

lifecycle::PodSetOptions pod_set_options(const Settings& settings) {
  lifecycle::PodSetOptions options{.node_name = settings.node_name};
  options.config_file = settings.config_file.empty() ? kDefaultConfigFile : settings.config_file;
  const bool kubelet = settings.manifest_rules == ManifestRules::kKubelet;
  options.features = {.container_restart_rules = !kubelet,
                      .container_stop_signals = !kubelet,
                      .static_pod_rules = kubelet};
  options.restarts = lifecycle::restart_backoff_policy(settings.pods.longest_restart_backoff);
  if (settings.interrupted_stops == InterruptedStops::kFullGrace)
    options.termination_on_restart = lifecycle::TerminationOnRestart::kFullGrace;
  options.images.serialize = settings.pods.serialize_image_pulls;
  options.images.max_parallel = settings.pods.max_parallel_image_pulls;
  options.images.qps = settings.pods.registry_pull_qps;
  options.images.burst = settings.pods.registry_burst;
  options.terminated_pods_kept = settings.terminated_pods_kept;
  options.relist_period = std::chrono::ceil<std::chrono::seconds>(settings.relist_period);
  return options;
}

node::ImageGcPolicy image_gc_policy(const Settings& settings) {
  return {.high_percent = settings.images.high_percent,
          .low_percent = settings.images.low_percent,
          .min_age = settings.images.min_age,
          .max_age = settings.images.max_age};
}

node::LogRotationPolicy log_rotation_policy(const Settings& settings) {
  return {.max_bytes = settings.pods.log_max_bytes, .max_files = settings.pods.log_max_files};
}

}  // namespace berth::agent
