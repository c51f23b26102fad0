// SPDX-License-Identifier: Apache-2.0

// The pods of the node as eviction sees them, and the way in which it ends them: an order to the
// pod set, like any other.
//
// Also recreates evicted pods: the failed incarnation makes room for a new one, whether it is still
// shown or has been collected since.
//
// Loop thread only; the pod set outlives it.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "agent/eviction/evicted_pods.hpp"
#include "agent/eviction/eviction_orders.hpp"
#include "agent/eviction/kill_deadlines.hpp"
#include "base/broadcast.hpp"
#include "base/clock.hpp"
#include "lifecycle/pods/pod_set.hpp"

namespace berth::agent {

class PodOrders final : public EvictionOrders {
 public:
  PodOrders(boost::asio::any_io_executor executor, Clock& clock, lifecycle::PodSet& pods)
      : clock_(clock), pods_(pods), changed_(std::move(executor)) {}

  // Runs until cancelled: follows what becomes of pods, including those whose eviction an earlier
  // berthd ordered.
  [[nodiscard]] boost::asio::awaitable<void> follow();
  // Runs until cancelled: recreates the pods that are due, as long as `may` allows it. `returning`
  // is called for each before it makes room.
  [[nodiscard]] boost::asio::awaitable<void> bring_back(
      std::function<bool()> may, std::function<void(const std::string& uid)> returning);
  // Runs until cancelled: calls `late` for each evicted pod, as it is shown, that is not stopped in
  // time.
  [[nodiscard]] boost::asio::awaitable<void> report_late(
      std::function<void(const api::Pod& pod)> late);
  // Call when the result of `may` may have changed.
  void reconsider() { changed_.ring(); }

  [[nodiscard]] PodList active() const override;
  bool evict(const eviction::Eviction& eviction) override;
  [[nodiscard]] boost::asio::awaitable<void> until_released(std::vector<std::string> uids,
                                                            SteadyTime deadline) override;

 private:
  void resume_ordered();
  void report_late_now(const std::function<void(const api::Pod& pod)>& late);
  void disappeared(const std::string& uid);
  void is_shown(const std::string& uid);
  // False if nothing is left that could make room, or if the pod is being removed anyway.
  [[nodiscard]] bool still_waits(const std::string& uid);
  // The pod as it was when its eviction was ordered; null if it was not.
  [[nodiscard]] const api::Pod* ordered(const std::string& uid) const;

  Clock& clock_;
  lifecycle::PodSet& pods_;
  Broadcast changed_;
  EvictedPods evicted_{};
  KillDeadlines deadlines_{};
  std::set<std::string> collected_{};  // uids of evicted pods that are no longer shown
  // By uid: the pods whose eviction was ordered, as they were then, until they are gone.
  std::map<std::string, lifecycle::PodPtr> ordered_{};
};

}  // namespace berth::agent
