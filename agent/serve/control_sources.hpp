// SPDX-License-Identifier: Apache-2.0

// What the control API and the HTTP port show and act upon. References; everything outlives the
// servers. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "agent/events/event_recorder.hpp"
#include "agent/node_state.hpp"
#include "agent/serve/pods_known.hpp"
#include "agent/settings/settings.hpp"
#include "agent/sources/manifest_report.hpp"
#include "agent/store/ledger_reader.hpp"
#include "base/blocking_pool.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "cri/event_stream.hpp"
#include "cri/runtime.hpp"
#include "lifecycle/pods/pod_set.hpp"

namespace berth::probes {
class NodeHandlers;
}

namespace berth::scheduling {
class BudgetBook;
}

namespace berth::agent {

class EvictionManager;
class NodeShutdown;
class Reloading;
class SqliteStore;

// The manifest folder, as the servers see it.
class ManifestView {
 public:
  ManifestView() = default;
  ManifestView(const ManifestView&) = delete;
  ManifestView& operator=(const ManifestView&) = delete;
  virtual ~ManifestView() = default;

  [[nodiscard]] virtual const ManifestReport& report() const = 0;
  // The file that defines the pod; empty if it is no longer in any file.
  [[nodiscard]] virtual std::string file_of(const api::Pod& pod) const = 0;
  // Why its priority class would refuse the pod if it were new; empty if it would not.
  [[nodiscard]] virtual std::string class_refusal(const api::Pod& pod) const = 0;
};

struct ControlSources {
  boost::asio::any_io_executor executor{};
  const Settings& settings;
  Clock& clock;
  Log& log;
  BlockingPool& pool;
  lifecycle::PodSet& pods;
  PodsKnown& known;
  const probes::NodeHandlers& handlers;
  EventRecorder& events;
  NodeState& node;
  ManifestView& manifests;
  scheduling::BudgetBook& budgets;
  cri::Runtime& runtime;
  cri::Images& images;
  cri::EventStream& stream;
  LedgerReader* ledger = nullptr;  // null if there is no store
  const SqliteStore* store = nullptr;
  EvictionManager* evictions = nullptr;  // null if eviction has not started yet
  NodeShutdown* shutdown = nullptr;      // null if nothing stops pods before the machine shuts down
  Reloading* reloading = nullptr;        // null if the configuration is not read again
  std::string kernel_version{};
  WallTime started_at{};
  std::string http_address{};  // "127.0.0.1:10255"; empty if not served
};

// A v1 PodList with every pod's whole status, like the kubelet's /pods.
[[nodiscard]] std::string pod_list_json(const lifecycle::PodSet& pods);

// What berthd waits for before it is ready; empty if it is ready.
[[nodiscard]] std::vector<std::string> waiting_for(const ControlSources& sources);

}  // namespace berth::agent
