// SPDX-License-Identifier: Apache-2.0

// What the eviction manager requires of the owners of pods, images and dead containers.
//
// Interfaces that the manager declares, so that an eviction is merely an order to the component
// that ends pods. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "agent/eviction/reading_source.hpp"
#include "base/clock_types.hpp"
#include "eviction/eviction.hpp"
#include "eviction/node_reclaim.hpp"

namespace berth::agent {

class EvictionOrders {
 public:
  EvictionOrders() = default;
  EvictionOrders(const EvictionOrders&) = delete;
  EvictionOrders& operator=(const EvictionOrders&) = delete;
  virtual ~EvictionOrders() = default;

  // The candidates for an eviction, in a defined order, each in the form in which it is allocated:
  // pods that have not finished, including terminating ones, without those that were refused.
  [[nodiscard]] virtual PodList active() const = 0;
  // Orders the pod's end. False if it no longer exists, or has finished.
  virtual bool evict(const eviction::Eviction& eviction) = 0;
  // Completes when nothing of these pods (by uid) runs any more and their volumes and cgroups are
  // removed, so that the next measurement excludes them, or at the deadline.
  [[nodiscard]] virtual boost::asio::awaitable<void> until_released(std::vector<std::string> uids,
                                                                    SteadyTime deadline) = 0;
};

class NodeReclaimer {
 public:
  NodeReclaimer() = default;
  NodeReclaimer(const NodeReclaimer&) = delete;
  NodeReclaimer& operator=(const NodeReclaimer&) = delete;
  virtual ~NodeReclaimer() = default;

  // Best effort; the implementation logs failures, and the manager measures what was gained.
  [[nodiscard]] virtual boost::asio::awaitable<void> reclaim(eviction::NodeReclaim what) = 0;
};

}  // namespace berth::agent
