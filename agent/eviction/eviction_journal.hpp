// SPDX-License-Identifier: Apache-2.0

// Publishes what the eviction manager does: events of pods and of the node, the ledger, the
// journal, the Node's conditions and taints.
//
// Loop thread only; everything it writes to outlives it.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/events/event_recorder.hpp"
#include "agent/eviction/eviction_metrics.hpp"
#include "agent/eviction/eviction_report.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::agent {

class EvictionJournal final : public EvictionReporter {
 public:
  struct Services {
    Clock& clock;
    Log& log;
    EventRecorder& events;
    lifecycle::Ledger* ledger = nullptr;  // null if nothing is recorded
    std::string node_name{};
    // Sets the Node's pressure conditions; returns the reasons of the events about what changed.
    std::function<std::vector<std::string>(const std::set<eviction::PressureCondition>&)> show{};
  };
  explicit EvictionJournal(Services services) : services_(std::move(services)) {}

  void conditions(const std::set<eviction::PressureCondition>& present) override;
  void attempting(const eviction::CycleDecision& decision) override;
  void choosing(const eviction::CycleDecision& decision) override;
  void evicted(const EvictionReport& report) override;
  void exceeded_grace_period(const api::Pod& pod) override;
  void comes_back(const std::string& uid) override;
  void nobody_evictable(const eviction::CycleDecision& decision) override;
  void unmeasured(const std::vector<eviction::Threshold>& skipped) override;
  void blind(eviction::CycleVerdict why) override;
  void sees_again() override;

  [[nodiscard]] const EvictionMetrics& metrics() const { return metrics_; }

 private:
  void record(const EvictionReport& report, const eviction::Eviction& eviction,
              const api::Pod& pod);

  // The last event of an attempt to reclaim.
  struct Attempt {
    std::string message{};
    SteadyTime at{};
  };

  Services services_;
  Attempt attempt_{};
  std::optional<SteadyTime> chose_at_{};
  EvictionMetrics metrics_{};
};

}  // namespace berth::agent
