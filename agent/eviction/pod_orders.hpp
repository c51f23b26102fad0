// SPDX-License-Identifier: Apache-2.0

// The pods of the node as eviction sees them, and the way in which it ends them: an order to the
// pod set, like any other.
//
// Also brings evicted pods back: the incarnation that failed makes room for a new one, whether it
// is still shown or has been collected since.
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

  // Until cancelled: hears of what becomes of pods, of those among them as well that an earlier
  // berthd ordered to go.
  [[nodiscard]] boost::asio::awaitable<void> follow();
  // Until cancelled: brings back those whose time has come, as long as `may` says so. `returning`
  // hears of each before it makes room.
  [[nodiscard]] boost::asio::awaitable<void> bring_back(
      std::function<bool()> may, std::function<void(const std::string& uid)> returning);
  // Until cancelled: `late` hears of each evicted pod that is not stopped in time, as it is shown.
  [[nodiscard]] boost::asio::awaitable<void> report_late(
      std::function<void(const api::Pod& pod)> late);
  // What `may` says may be another thing now.
  void reconsider() { changed_.ring(); }

  [[nodiscard]] PodList active() const override;
  bool evict(const eviction::Eviction& eviction) override;
  [[nodiscard]] boost::asio::awaitable<void> until_released(std::vector<std::string> uids,
                                                            SteadyTime deadline) override;

 private:
  void take_up_ordered();
  void report_late_now(const std::function<void(const api::Pod& pod)>& late);
  void disappeared(const std::string& uid);
  void is_shown(const std::string& uid);
  // False: nothing is left that could make room, or the pod is being removed anyway.
  [[nodiscard]] bool still_waits(const std::string& uid);
  // As it was when it was ordered to go; null: it was not.
  [[nodiscard]] const api::Pod* ordered(const std::string& uid) const;

  Clock& clock_;
  lifecycle::PodSet& pods_;
  Broadcast changed_;
  EvictedPods evicted_{};
  KillDeadlines deadlines_{};
  std::set<std::string> collected_{};  // uids of evicted pods that nobody is shown any more
  // By uid: those that were ordered to go, as they were then, until they are gone.
  std::map<std::string, lifecycle::PodPtr> ordered_{};
};

}  // namespace berth::agent
