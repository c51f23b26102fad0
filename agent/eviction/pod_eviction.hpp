// SPDX-License-Identifier: Apache-2.0

// Evicts pods under pressure, refuses new ones meanwhile, and recreates the evicted ones
// afterwards: the eviction manager with its orders to the pod set. All of berthd's eviction except
// for the measured machine and the recipients of reports, which are passed in.
//
// Loop thread only; its arguments outlive it, and it is stopped before it is destroyed.
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
    EvictionReporter& reporter;
    std::function<void()> looked{};                             // after each look; may be empty
    std::function<void(const eviction::Sample&)> remembered{};  // see the manager's; may be empty
    TaskGroup::FailureHandler on_failure{};
  };
  // `fastest`: how fast each signal can approach its limits on this machine, assumed until samples
  // of it exist.
  PodEviction(Services services, const EvictionSettings& settings, eviction::Rates fastest);

  // Call once the running pods are known: before that an existing pod could seem to be missing.
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
