// SPDX-License-Identifier: Apache-2.0

// Evicts pods under pressure, refuses new ones meanwhile, and brings the evicted back afterwards:
// the eviction manager with its orders to the pod set. Everything of berthd's eviction but the
// machine that is measured and whoever is told; these are given to it.
//
// Loop thread only; what it is given outlives it, and it is stopped before it is destroyed.
#pragma once

#include <functional>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "agent/eviction/eviction_manager.hpp"
#include "agent/eviction/eviction_settings.hpp"
#include "agent/eviction/pod_orders.hpp"
#include "base/task_group.hpp"
#include "lifecycle/admission/pressure_gate.hpp"

namespace berth::agent {

class PodEviction final : public lifecycle::PressureGate {
 public:
  struct Services {
    boost::asio::any_io_executor executor;
    Clock& clock;
    lifecycle::PodSet& pods;
    ReadingSource& readings;
    NodeReclaimer& reclaimer;
    EvictionTeller& teller;
    std::function<void()> looked{};                             // after each look; may be empty
    std::function<void(const eviction::Sample&)> remembered{};  // see the manager's; may be empty
    TaskGroup::FailureHandler on_failure{};
  };
  // `fastest`: how fast each signal can approach its limits on this machine, before anything was
  // seen of it.
  PodEviction(Services services, const EvictionSettings& settings, eviction::Rates fastest);

  // Once what runs is known: before that a pod could look as if it were not there.
  void start();
  [[nodiscard]] boost::asio::awaitable<void> stop();

  [[nodiscard]] EvictionManager& manager() { return manager_; }

  [[nodiscard]] std::optional<lifecycle::Refusal> refusal(const api::Pod& pod) const override;

 private:
  void looked();

  Services services_;
  PodOrders orders_;
  EvictionManager manager_;
  RecreateEvicted recreate_;
  bool had_conditions_ = false;
  TaskGroup tasks_;
};

}  // namespace berth::agent
