// SPDX-License-Identifier: Apache-2.0

// Enforces node allocatable: makes the node's cgroups, and writes the limits of all pods and of the
// reserved cgroups.
//
// Loop thread only; the files are written on the blocking pool. Its arguments outlive it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "agent/allocatable/allocatable_settings.hpp"
#include "agent/events/event_recorder.hpp"
#include "base/blocking_pool.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "node/linux_host.hpp"
#include "node/node_config.hpp"

namespace berth::agent {

class NodeLimits {
 public:
  struct Services {
    Clock& clock;
    BlockingPool& pool;
    EventRecorder& events;
    node::LinuxHost& host;
    node::Slices* slices = nullptr;  // for the cgroup driver "systemd"
  };
  NodeLimits(Services services, std::shared_ptr<const node::NodeView> node,
             ReservedEnforcements reserved);

  // Creates what must exist before any pod is run. On an error berthd must not start.
  [[nodiscard]] boost::asio::awaitable<Result<node::Nothing>> prepare();
  // Tries at once, then every minute, until the limit of all pods is in force.
  [[nodiscard]] boost::asio::awaitable<void> limit_pods();

 private:
  using Work = std::function<Result<node::Nothing>()>;
  [[nodiscard]] boost::asio::awaitable<Result<node::Nothing>> limit(
      node::ReservedEnforcement enforcement);

  Services services_;
  std::shared_ptr<const node::NodeView> node_;
  ReservedEnforcements reserved_;
};

}  // namespace berth::agent
