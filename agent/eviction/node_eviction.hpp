// SPDX-License-Identifier: Apache-2.0

// All parts of berthd's eviction: readings, the kernel's events, the manager, and what it acts and
// reports through. Connects them, and decides nothing.
//
// Loop thread only; stopped before it is destroyed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/eviction/eviction_journal.hpp"
#include "agent/eviction/eviction_settings.hpp"
#include "agent/eviction/linux_readings.hpp"
#include "agent/eviction/pod_eviction.hpp"
#include "agent/eviction/pressure_events.hpp"
#include "agent/eviction/pressure_store.hpp"
#include "agent/node_state.hpp"
#include "agent/upkeep/image_collector.hpp"
#include "base/task_group.hpp"
#include "node/node_config.hpp"

namespace berth::agent {

class NodeEviction final : public NodeReclaimer {
 public:
  struct Services {
    boost::asio::any_io_executor executor{};
    Clock& clock;
    Log& log;
    BlockingPool& pool;
    cri::Images& runtime_images;
    cri::Statistics& statistics;
    lifecycle::PodSet& pods;
    ImageCollector& images;
    EventRecorder& events;
    lifecycle::Ledger& ledger;
    SqliteStore& store;  // where the history is kept
    NodeState& node_state;
    std::shared_ptr<const node::NodeView> node{};
    TaskGroup::FailureHandler on_failure{};
  };
  NodeEviction(Services services, const EvictionSettings& settings);

  // Call once the running pods are known: before that an existing pod could seem to be missing.
  void start();
  [[nodiscard]] boost::asio::awaitable<void> stop();

  // Why these thresholds may not take effect: they would evict a pod at once, and those in force
  // would not. `std::nullopt` if they may.
  [[nodiscard]] boost::asio::awaitable<Result<std::optional<std::string>>> refusal(
      eviction::EvictionConfig config);

  [[nodiscard]] EvictionManager& manager() { return pods_.manager(); }
  [[nodiscard]] const lifecycle::PressureGate& gate() const { return pods_; }
  [[nodiscard]] const EvictionJournal& journal() const { return journal_; }
  // The sources that report pressure at once: "/proc/pressure/memory", …
  [[nodiscard]] std::vector<std::string> event_sources() const { return events_.sources(); }

  [[nodiscard]] boost::asio::awaitable<void> reclaim(eviction::NodeReclaim what) override;

 private:
  boost::asio::awaitable<void> aim_for_ever();
  void looked();
  boost::asio::awaitable<void> restore_history();

  Services services_;
  LinuxReadings readings_;
  EvictionJournal journal_;
  PressureStore kept_;
  PodEviction pods_;
  PressureEvents events_;
  Notification aim_bell_;
  UsageLevels levels_{};
  TaskGroup tasks_;
};

}  // namespace berth::agent
