// SPDX-License-Identifier: Apache-2.0

// A reload in the agent: what it reads, where settings take effect, and whom it notifies.
#pragma once

#include <memory>

#include "agent/eviction/node_eviction.hpp"
#include "agent/node_state.hpp"
#include "agent/service/reload.hpp"
#include "agent/service/service_life.hpp"
#include "lifecycle/pods/pod_set.hpp"

namespace berth::agent {

// The parts in which new settings take effect. All of them outlive the reload.
struct ReloadedParts {
  NodeEviction& eviction;
  std::shared_ptr<const node::NodeView>& view;  // the agent's, which other parts receive later
  NodeState& node_state;
  lifecycle::PodSet& pods;
  Log& log;  // of make_log
};
[[nodiscard]] Reloading::Ports reload_ports(const Options& options, ReloadedParts parts);

// Runs until cancelled: reloads whenever SIGHUP was received. The service manager is notified of
// the reload only once it knows that berthd is ready.
[[nodiscard]] boost::asio::awaitable<void> reload_on_request(Reloading& reloading,
                                                             ServiceLife& life, Clock& clock);

}  // namespace berth::agent
