// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/eviction_settings.hpp"

#include <algorithm>
#include <utility>

#include "eviction/layout.hpp"
#include "eviction/threshold_lint.hpp"

namespace berth::agent {
namespace {

using eviction::SignalValues;
using eviction::Threshold;

constexpr const char* kPods = "pods";

SignalValues values_of(const std::optional<std::map<std::string, std::string>>& map) {
  return map.value_or(SignalValues{});
}

std::string indexed(const std::string& field, const std::string& key) {
  return key.empty() ? field : field + "[" + key + "]";
}

// The field's other values: agent/allocatable.
bool enforces_pods(const KubeletConfiguration& kubelet) {
  const auto& kinds = kubelet.enforceNodeAllocatable;
  return !kinds || std::ranges::count(*kinds, kPods) > 0;
}

std::vector<Threshold> kubelet_thresholds(const KubeletConfiguration& kubelet,
                                          ResolvedEviction& out) {
  const auto use = kubelet.mergeDefaultEvictionSettings.value_or(false)
                       ? eviction::DefaultsUse::kMerged
                       : eviction::DefaultsUse::kReplaced;
  auto parsed = eviction::parse_thresholds(
      {.evictionHard = eviction::effective_eviction_hard(kubelet.evictionHard, use),
       .evictionSoft = values_of(kubelet.evictionSoft),
       .evictionSoftGracePeriod = values_of(kubelet.evictionSoftGracePeriod),
       .evictionMinimumReclaim = values_of(kubelet.evictionMinimumReclaim),
       .enforce_pods_allocatable = out.settings.enforce_pods_allocatable});
  if (parsed) return std::move(*parsed);
  for (auto& problem : parsed.error())
    out.problems.push_back({indexed(problem.field, problem.signal), std::move(problem.message)});
  return {};
}

// "evictionHard" of the decision is ownEvictionHard of the file.
std::string own_field(std::string field) {
  field.front() = 'E';
  return "own" + field;
}

void refuse_kubernetes_signals(const SignalValues& values, const char* field,
                               ResolvedEviction& out) {
  for (const auto& [name, value] : values) {
    if (!eviction::parse_signal(name, false)) continue;
    out.problems.push_back(
        {indexed(own_field(field), name),
         "is a signal of Kubernetes; state it in KubeletConfiguration, as " + std::string(field)});
  }
}

std::vector<Threshold> own_thresholds(const BerthConfiguration& berth, ResolvedEviction& out) {
  const eviction::ThresholdSettings stated{
      .evictionHard = values_of(berth.ownEvictionHard),
      .evictionSoft = values_of(berth.ownEvictionSoft),
      .evictionSoftGracePeriod = values_of(berth.ownEvictionSoftGracePeriod),
      .evictionMinimumReclaim = values_of(berth.ownEvictionMinimumReclaim),
      .own_signals = true};
  refuse_kubernetes_signals(stated.evictionHard, "evictionHard", out);
  refuse_kubernetes_signals(stated.evictionSoft, "evictionSoft", out);
  auto parsed = eviction::parse_thresholds(stated);
  if (parsed) return std::move(*parsed);
  for (auto& problem : parsed.error())
    out.problems.push_back(
        {indexed(own_field(problem.field), problem.signal), std::move(problem.message)});
  return {};
}

void resolve_periods(const KubeletConfiguration& kubelet, ResolvedEviction& out) {
  auto& config = out.settings.config;
  if (kubelet.evictionPressureTransitionPeriod) {
    const Nanoseconds period = kubelet.evictionPressureTransitionPeriod->value;
    if (period < Nanoseconds::zero())
      out.problems.push_back({"evictionPressureTransitionPeriod", "must not be negative"});
    else
      config.pressure_transition_period = eviction::transition_period(period);
  }
  config.max_pod_grace_period = kubelet.evictionMaxPodGracePeriod.value_or(0);
  if (kubelet.evictionMaxPodGracePeriod.value_or(0) < 0)
    out.warnings.emplace_back(
        "evictionMaxPodGracePeriod: a negative one ends pods after one second, as 0 does");
  // Zero counts as unset in the kubelet's defaults; a negative value disables the walks.
  if (kubelet.volumeStatsAggPeriod && kubelet.volumeStatsAggPeriod->value != Nanoseconds::zero())
    out.settings.volume_period = kubelet.volumeStatsAggPeriod->value;
}

void resolve_own_rules(const BerthConfiguration& berth, ResolvedEviction& out) {
  out.settings.config.rules.evict_within_requests = berth.evictWithinRequests.value_or(true);
  if (berth.evictAtOnce.value_or(false)) out.settings.at_once = EvictAtOnce::kAllow;
}

}  // namespace

ResolvedEviction resolve_eviction(const KubeletConfiguration& kubelet,
                                  const BerthConfiguration& berth, bool static_pods_are_critical,
                                  std::int32_t image_gc_high_percent) {
  ResolvedEviction out;
  auto& config = out.settings.config;
  config.rules.static_pods_are_critical = static_pods_are_critical;
  config.local_storage_capacity_isolation = kubelet.localStorageCapacityIsolation.value_or(true);
  out.settings.enforce_pods_allocatable = enforces_pods(kubelet);
  resolve_periods(kubelet, out);
  resolve_own_rules(berth, out);
  config.thresholds = kubelet_thresholds(kubelet, out);
  for (std::string& warning : eviction::ignored_container_fs(config.thresholds))
    out.warnings.push_back(std::move(warning));
  for (Threshold& own : own_thresholds(berth, out)) config.thresholds.push_back(std::move(own));
  if (!out.problems.empty()) return out;
  // Warnings are about configured thresholds: the defaults are no mistake of the operator's.
  const bool configured = kubelet.evictionHard || kubelet.evictionSoft || berth.ownEvictionHard ||
                          berth.ownEvictionSoft;
  if (!configured) return out;
  for (auto& finding : eviction::lint_thresholds(
           {.thresholds = config.thresholds, .image_gc_high_percent = image_gc_high_percent}))
    out.warnings.push_back("eviction: " + std::move(finding.message));
  return out;
}

}  // namespace berth::agent
