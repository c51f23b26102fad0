// SPDX-License-Identifier: Apache-2.0

// What the eviction manager did and why, for those who record it and those who read it.
//
// Plain values.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock_types.hpp"
#include "eviction/cycle.hpp"

namespace berth::agent {

// A look that evicted pods, with everything that the decision was made from.
struct EvictionReport {
  WallTime at{};
  std::vector<std::string> evicted{};  // uids of the pods that still existed
  eviction::CycleDecision decision{};
  eviction::EvictionConfig config{.rules = {.static_pods_are_critical = false}};
  eviction::EvictionState before{};
  eviction::Readings readings{};
  std::optional<eviction::FileSystemLayout> layout{};
  std::vector<std::shared_ptr<const api::Pod>> pods{};  // the active ones
  SteadyTime now{};
  std::optional<eviction::NodeReadings> after_reclaim{};
};

class EvictionReporter {
 public:
  EvictionReporter() = default;
  EvictionReporter(const EvictionReporter&) = delete;
  EvictionReporter& operator=(const EvictionReporter&) = delete;
  virtual ~EvictionReporter() = default;

  // The node's pressure conditions from now on: called at the first look, and whenever they change.
  virtual void conditions(const std::set<eviction::PressureCondition>& present) = 0;
  // A threshold is due, and the node is about to act on it.
  virtual void attempting(const eviction::CycleDecision& decision) = 0;
  // Pods are ranked for the due thresholds, and the first that may go is about to, if any may.
  virtual void choosing(const eviction::CycleDecision& decision) = 0;
  virtual void evicted(const EvictionReport& report) = 0;
  // An evicted pod, as it is shown, was not stopped in time; called once for each order.
  virtual void exceeded_grace_period(const api::Pod& pod) = 0;
  // An evicted pod, by its uid, is about to make room for its next incarnation.
  virtual void comes_back(const std::string& uid) = 0;
  // A pod should be evicted, but none can be; called once until that changes.
  virtual void nobody_evictable(const eviction::CycleDecision& decision) = 0;
  // These thresholds are skipped, because what they are about cannot be measured. Called when they
  // change; empty once everything is measured again.
  virtual void unmeasured(const std::vector<eviction::Threshold>& skipped) = 0;
  // No decision is possible, and why; or one is possible again. Called once each.
  virtual void blind(eviction::CycleVerdict why) = 0;
  virtual void sees_again() = 0;
};

}  // namespace berth::agent
