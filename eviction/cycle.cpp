// SPDX-License-Identifier: Apache-2.0

#include "eviction/cycle.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/assertion.hpp"
#include "eviction/local_storage.hpp"

namespace berth::eviction {
namespace {

CycleDecision nothing(const EvictionState& state, CycleVerdict verdict) {
  return {.state = state, .verdict = verdict};
}

void choose_victim(const EvictionConfig& config, CycleDecision& decision, const CycleInput& input) {
  if (input.pods.empty()) {
    decision.verdict = CycleVerdict::kNoPods;
    return;
  }
  decision.ranking =
      rank_pods(input.pods, input.readings->pods, decision.due.front().threshold.signal,
                *decision.state.layout, config.rules);
  const RankedPod* victim = first_victim(decision.ranking);
  if (victim == nullptr) {
    decision.verdict = CycleVerdict::kNobodyEvictable;
    return;
  }
  const api::Pod& pod = *input.pods.at(victim->given_at);
  decision.verdict = CycleVerdict::kEvict;
  decision.state.pressure.last_eviction = input.now;
  decision.evictions.push_back(pressure_eviction(pod, reading_of(input.readings->pods, pod),
                                                 decision.due, config.max_pod_grace_period));
}

}  // namespace

std::string_view to_string(CycleVerdict verdict) {
  switch (verdict) {
    case CycleVerdict::kNothingConfigured:
      return "NothingConfigured";
    case CycleVerdict::kNoLayout:
      return "NoLayout";
    case CycleVerdict::kNoReadings:
      return "NoReadings";
    case CycleVerdict::kNothingMet:
      return "NothingMet";
    case CycleVerdict::kWaiting:
      return "Waiting";
    case CycleVerdict::kLimitsExceeded:
      return "LimitsExceeded";
    case CycleVerdict::kReclaimOnNode:
      return "ReclaimOnNode";
    case CycleVerdict::kReclaimSufficed:
      return "ReclaimSufficed";
    case CycleVerdict::kEvict:
      return "Evict";
    case CycleVerdict::kNobodyEvictable:
      return "NobodyEvictable";
    case CycleVerdict::kNoPods:
      return "NoPods";
  }
  return "";
}

Nanoseconds transition_period(Nanoseconds configured) {
  return configured == Nanoseconds::zero() ? kDefaultPressureTransitionPeriod : configured;
}

std::string attempt_message(StarvedResource resource) {
  return fmt::format("Attempting to reclaim {}", to_string(resource));
}

EvictionState state_under(const EvictionConfig& config, EvictionState state) {
  if (config.thresholds.empty()) return {.layout = state.layout};
  const auto thresholds =
      state.layout ? with_container_fs(config.thresholds, *state.layout) : config.thresholds;
  const auto is_gone = [&thresholds](const Threshold& one) {
    return std::ranges::none_of(
        thresholds, [&one](const Threshold& other) { return same_threshold(one, other); });
  };
  std::erase_if(state.pressure.due, is_gone);
  std::erase_if(state.pressure.first_observed,
                [&is_gone](const FirstObserved& one) { return is_gone(one.threshold); });
  return state;
}

CycleDecision decide_cycle(const EvictionConfig& config, const EvictionState& before,
                           const CycleInput& input) {
  if (config.thresholds.empty() && !config.local_storage_capacity_isolation) {
    return nothing(before, CycleVerdict::kNothingConfigured);
  }
  const bool layout_known = before.layout.has_value();
  EvictionState state = before;
  if (!layout_known) state.layout = input.layout;
  if (!state.layout) return nothing(before, CycleVerdict::kNoLayout);
  if (input.readings == nullptr) return nothing(state, CycleVerdict::kNoReadings);

  const auto thresholds = layout_known
                              ? with_container_fs(config.thresholds, *state.layout)
                              : with_container_fs_overridden(config.thresholds, *state.layout);
  Judgement judgement = judge(state.pressure, thresholds, observe(input.readings->node),
                              config.pressure_transition_period, input.now);
  CycleDecision decision{.state = {.pressure = std::move(judgement.state), .layout = state.layout},
                         .thresholds = std::move(judgement.thresholds)};
  if (config.local_storage_capacity_isolation) {
    decision.evictions =
        local_storage_evictions(input.pods, input.readings->pods, *state.layout, config.rules);
    if (!decision.evictions.empty()) {
      decision.verdict = CycleVerdict::kLimitsExceeded;
      return decision;
    }
  }
  decision.due = in_eviction_order(decision.thresholds);
  if (input.reclaiming) {
    std::erase_if(decision.due, [&](const JudgedThreshold& one) {
      return is_reclaimable(one.threshold, *state.layout);
    });
  }
  if (decision.due.empty()) {
    decision.verdict = std::ranges::any_of(decision.thresholds, is_met) ? CycleVerdict::kWaiting
                                                                        : CycleVerdict::kNothingMet;
    return decision;
  }
  const Signal driver = decision.due.front().threshold.signal;
  decision.attempted = traits(driver).resource;
  decision.reclaims = node_reclaims(driver, *state.layout);
  if (decision.reclaims.empty()) {
    choose_victim(config, decision, input);
  } else {
    decision.verdict = CycleVerdict::kReclaimOnNode;
  }
  return decision;
}

EvictedFor evicted_for(const CycleDecision& decision) {
  if (decision.verdict != CycleVerdict::kEvict) return EvictedFor::kNoPressure;
  const auto file_system = traits(decision.due.front().threshold.signal).file_system;
  return file_system == SignalFileSystem::kNone ? EvictedFor::kOther : EvictedFor::kDisk;
}

void pod_is_gone(EvictedFor pressure, SteadyTime now, PressureState& state) {
  if (pressure != EvictedFor::kNoPressure) state.last_eviction = now;
  if (pressure == EvictedFor::kDisk) state.last_gone_for_disk = now;
}

bool is_reclaimable(const Threshold& threshold, FileSystemLayout layout) {
  return !node_reclaims(threshold.signal, layout).empty();
}

CycleDecision decide_after_reclaim(const EvictionConfig& config, CycleDecision decision,
                                   const CycleInput& input, const NodeReadings* after) {
  assert_that(decision.verdict == CycleVerdict::kReclaimOnNode && !decision.due.empty() &&
                  decision.state.layout.has_value(),
              "what was reclaimed for had been decided");
  assert_that(input.readings != nullptr, "the readings that decided it are at hand");
  if (after != nullptr) {
    // All thresholds count, including other resources': Kubernetes decides it that way.
    decision.unresolved =
        unresolved(with_container_fs(config.thresholds, *decision.state.layout), observe(*after));
    if (decision.unresolved.empty()) {
      decision.verdict = CycleVerdict::kReclaimSufficed;
      return decision;
    }
  }
  choose_victim(config, decision, input);
  return decision;
}

}  // namespace berth::eviction
