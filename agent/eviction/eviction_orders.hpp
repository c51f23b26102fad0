// SPDX-License-Identifier: Apache-2.0

// What the eviction manager asks of those who own pods, images and dead containers.
//
// Interfaces that it declares, so that an eviction is nothing but an order to whoever ends pods.
// Loop thread only.
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

  // The candidates of an eviction, in a certain order, each in the form in which it is allocated:
  // pods that have not finished; those that are terminating count, those that were refused do not.
  [[nodiscard]] virtual PodList active() const = 0;
  // Orders the pod's end. False: it is gone, or has finished, by now.
  virtual bool evict(const eviction::Eviction& eviction) = 0;
  // Completes when nothing of these pods runs any more and their volumes and cgroups are gone, so
  // that what is measured next is without them, or at the deadline; by uid.
  [[nodiscard]] virtual boost::asio::awaitable<void> until_released(std::vector<std::string> uids,
                                                                    SteadyTime deadline) = 0;
};

class NodeReclaimer {
 public:
  NodeReclaimer() = default;
  NodeReclaimer(const NodeReclaimer&) = delete;
  NodeReclaimer& operator=(const NodeReclaimer&) = delete;
  virtual ~NodeReclaimer() = default;

  // As far as it goes; failures are logged by whoever does it, and what was gained is measured.
  [[nodiscard]] virtual boost::asio::awaitable<void> reclaim(eviction::NodeReclaim what) = 0;
};

}  // namespace berth::agent
