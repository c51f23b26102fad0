// SPDX-License-Identifier: Apache-2.0

// The kubelet's rules of thresholds, worked out anew for the checks: what is met, since when, what
// is due, which conditions follow. From the readings that were given, never by asking the code
// under test.
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

// Bytes, inodes, or processes.
struct Measured {
  std::int64_t available = 0;
  std::int64_t capacity = 0;
  std::optional<WallTime> time{};
};
[[nodiscard]] std::optional<Measured> measured(eviction::Signal signal,
                                               const eviction::NodeReadings& readings);

class PressureModel {
 public:
  explicit PressureModel(const eviction::EvictionConfig& config);

  // One look: what was measured, asked for at that instant.
  void look(const eviction::NodeReadings& readings, SteadyTime asked);

  // After the last look.
  [[nodiscard]] const std::set<eviction::PressureCondition>& conditions() const {
    return conditions_;
  }
  // Whether a threshold of that signal is met, for its grace period.
  [[nodiscard]] bool is_due(eviction::Signal signal, Nanoseconds grace_period) const;
  [[nodiscard]] bool is_anything_due() const;
  // Signals of what is due and waits for nothing: measured anew, and not what the last victim may
  // still be seen in.
  [[nodiscard]] std::set<eviction::Signal> ripe() const;
  // Somebody went for that; the next look begins when nothing is left of it.
  void evicted(eviction::Signal signal) { awaited_ = signal; }
  // Whether what the last victim had may not be free yet, or an average still contains it.
  [[nodiscard]] bool contains_victim(eviction::Signal signal) const;
  // Whether the look before had the same sample of it.
  [[nodiscard]] bool is_stale(eviction::Signal signal) const { return stale_.contains(signal); }

 private:
  struct Rule {
    eviction::Threshold threshold{};
    std::optional<SteadyTime> met_since{};
    bool due = false;
  };
  void look(Rule& rule, const std::optional<Measured>& value, SteadyTime asked) const;

  Nanoseconds transition_;
  std::vector<Rule> rules_{};
  std::map<eviction::PressureCondition, SteadyTime> last_met_{};
  std::set<eviction::PressureCondition> conditions_{};
  std::map<eviction::Signal, std::optional<WallTime>> samples_{};
  std::set<eviction::Signal> stale_{};
  SteadyTime asked_{};                         // for the last look
  std::optional<eviction::Signal> awaited_{};  // the end of one that went for it
  std::optional<SteadyTime> gone_{};           // when nothing was left of the last victim
  std::optional<SteadyTime> gone_for_disk_{};
};

}  // namespace berth::simulation
