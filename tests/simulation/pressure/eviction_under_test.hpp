// SPDX-License-Identifier: Apache-2.0

// Eviction in one life of berthd: what berthd runs (agent/eviction/pod_eviction.hpp) with its
// journal, over the simulated resources and behind the life's gate.
#pragma once

#include <optional>

#include "agent/events/event_recorder.hpp"
#include "agent/eviction/eviction_journal.hpp"
#include "agent/eviction/pod_eviction.hpp"
#include "tests/simulation/gate.hpp"
#include "tests/simulation/pressure/pressure_invariants.hpp"
#include "tests/simulation/pressure/simulated_resources.hpp"

namespace berth::simulation {

class EvictionUnderTest final : private agent::ReadingSource,
                                private agent::NodeReclaimer,
                                private agent::EvictionReporter,
                                private lifecycle::PressureGate {
 public:
  struct Setup {
    boost::asio::any_io_executor loop;
    Clock& clock;
    Gate& gate;
    Log& log;
    lifecycle::PodSet& pods;
    SimulatedResources& resources;
    PressureInvariants& checks;
    lifecycle::Ledger* ledger = nullptr;  // may be null
    TaskGroup::FailureHandler on_failure{};
  };
  explicit EvictionUnderTest(const Setup& setup);

  void start() { eviction_.start(); }
  [[nodiscard]] boost::asio::awaitable<void> stop() {
    setup_.checks.stops_looking();
    return eviction_.stop();
  }
  [[nodiscard]] const lifecycle::PressureGate& refusals() const { return *this; }

 private:
  boost::asio::awaitable<eviction::NodeReadings> node(agent::Freshness freshness) override;
  [[nodiscard]] std::optional<std::int64_t> memory_in_use() const override {
    return setup_.resources.memory_in_use();
  }
  boost::asio::awaitable<eviction::PodReadings> pods(agent::PodList pods,
                                                     agent::PodDetail detail) override;
  [[nodiscard]] std::optional<eviction::FileSystemLayout> layout() const override {
    return layout_;
  }
  boost::asio::awaitable<void> reclaim(eviction::NodeReclaim what) override;

  void conditions(const std::set<eviction::PressureCondition>& present) override;
  void attempting(const eviction::CycleDecision& decision) override;
  void choosing(const eviction::CycleDecision& decision) override;
  void evicted(const agent::EvictionReport& report) override;
  void exceeded_grace_period(const api::Pod& pod) override;
  void comes_back(const std::string& uid) override;
  void nobody_evictable(const eviction::CycleDecision& decision) override;
  void unmeasured(const std::vector<eviction::Threshold>& skipped) override;
  void blind(eviction::CycleVerdict why) override;
  void sees_again() override;
  void looked();
  [[nodiscard]] std::optional<lifecycle::Refusal> refusal(const api::Pod& pod) const override;

  Setup setup_;
  api::Node node_{};
  agent::EventRecorder events_;
  agent::EvictionJournal journal_;
  std::optional<eviction::FileSystemLayout> layout_{};
  agent::PodEviction eviction_;
};

}  // namespace berth::simulation
