// SPDX-License-Identifier: Apache-2.0

// The kubelet's rules on thresholds, implemented independently for the checks: what is met, since
// when, what is due, which conditions follow. Uses the readings alone, never the code under test.
//
// Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "agent/eviction/eviction_settings.hpp"
#include "eviction/readings.hpp"

namespace berth::simulation {

// Bytes, inodes, processes, or the stalled parts of a million.
struct Measured {
  std::int64_t value = 0;
  std::int64_t capacity = 0;
  std::optional<WallTime> time{};
};
[[nodiscard]] std::optional<Measured> measured(eviction::Signal signal,
                                               const eviction::NodeReadings& readings);

class PressureModel {
 public:
  PressureModel(const eviction::EvictionConfig& config, eviction::FileSystemLayout layout);

  // One look: `readings` were requested at `asked`.
  void look(const eviction::NodeReadings& readings, SteadyTime asked);

  // The conditions after the last look.
  [[nodiscard]] const std::set<eviction::PressureCondition>& conditions() const {
    return conditions_;
  }
  // Whether a threshold of that signal has been met for its grace period.
  [[nodiscard]] bool is_due(eviction::Signal signal, Nanoseconds grace_period) const;
  [[nodiscard]] bool is_anything_due() const;
  [[nodiscard]] bool is_a_disk_due() const;
  // Signals that are due and wait for nothing: freshly measured, and not still affected by the last
  // victim.
  [[nodiscard]] std::set<eviction::Signal> ripe() const;
  // A pod was evicted for `signal`; the next look begins when nothing is left of the pod.
  void evicted(eviction::Signal signal) { awaited_ = signal; }
  // Whether the last victim's use may not be freed yet, or is still contained in an average.
  [[nodiscard]] bool contains_victim(eviction::Signal signal) const;
  // Whether the previous look had the same sample of it.
  [[nodiscard]] bool is_stale(eviction::Signal signal) const {
    return stale_.contains(configured(signal));
  }

 private:
  struct Rule {
    eviction::Threshold threshold{};
    std::optional<SteadyTime> met_since{};
    bool due = false;
  };
  void look(Rule& rule, const std::optional<Measured>& value, SteadyTime asked) const;
  [[nodiscard]] eviction::Signal configured(eviction::Signal signal) const;

  eviction::FileSystemLayout layout_;
  Nanoseconds transition_;
  std::vector<Rule> rules_{};
  std::map<eviction::PressureCondition, SteadyTime> last_met_{};
  std::set<eviction::PressureCondition> conditions_{};
  std::map<eviction::Signal, std::optional<WallTime>> samples_{};
  std::set<eviction::Signal> stale_{};
  SteadyTime asked_{};                         // for the last look
  std::optional<eviction::Signal> awaited_{};  // set while a pod that was evicted for it ends
  std::optional<SteadyTime> gone_{};           // when nothing was left of the last victim
  std::optional<SteadyTime> gone_for_disk_{};
};

}  // namespace berth::simulation
