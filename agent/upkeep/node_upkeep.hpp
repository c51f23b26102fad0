// SPDX-License-Identifier: Apache-2.0

// What berthd does for the node beside running its pods: it rotates logs, collects images, evicts
// pods when the node runs short, and stops them in order before the machine shuts down. Connects
// these parts, and decides nothing.
//
// Loop thread only; its arguments outlive it, and it is stopped before it is destroyed.
#pragma once

#include "agent/eviction/node_eviction.hpp"
#include "agent/logs/log_rotator.hpp"
#include "agent/settings/settings.hpp"
#include "agent/shutdown/node_shutdown.hpp"
#include "agent/shutdown/shutdown_journal.hpp"
#include "agent/shutdown/shutdown_times_store.hpp"
#include "agent/upkeep/image_collector.hpp"
#include "base/task_group.hpp"
#include "cri/client.hpp"
#include "systemd/logind.hpp"

namespace berth::agent {

class NodeUpkeep {
 public:
  struct Services {
    boost::asio::any_io_executor executor{};
    Clock& clock;
    Log& log;
    BlockingPool& pool;
    cri::CriClient& runtime;
    lifecycle::PodSet& pods;
    EventRecorder& events;
    SqliteStore& store;
    NodeState& node_state;
    std::shared_ptr<const node::NodeView> node{};
    TaskGroup::FailureHandler on_failure{};
  };
  // The settings outlive it.
  NodeUpkeep(Services services, const Settings& settings);

  // Starts what need not know which pods run; in `tasks`, whose owner joins them first.
  void begin(TaskGroup& tasks);
  // Call once the running pods are known.
  void start();
  [[nodiscard]] boost::asio::awaitable<void> stop();

  [[nodiscard]] NodeEviction& eviction() { return eviction_; }
  [[nodiscard]] NodeShutdown& shutdown() { return shutdown_; }
  void write_metrics(std::string& out) const;

 private:
  [[nodiscard]] boost::asio::awaitable<void> restore_shutdown_times();

  const Services services_;
  const Settings& settings_;
  LogRotator logs_;
  ImageCollector images_;
  NodeEviction eviction_;
  systemd::Logind logind_;
  ShutdownTimesStore shutdown_times_;
  ShutdownJournal shutdown_journal_;
  NodeShutdown shutdown_;
};

}  // namespace berth::agent
