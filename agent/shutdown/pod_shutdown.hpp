// SPDX-License-Identifier: Apache-2.0

// Stops the pods of the node group by group (lifecycle/shutdown/shutdown_plan.hpp), each by an
// order to the pod set like any other.
//
// The pods of a group are looked up when its turn comes. The next group follows once the end of
// each pod is shown, and therefore stored, and its volumes and cgroup are removed, so that what
// they depend on can be stopped; or when the group's period is over. Loop thread only; its
// arguments outlive it.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "agent/shutdown/shutdown_report.hpp"
#include "base/broadcast.hpp"
#include "base/clock.hpp"
#include "lifecycle/pods/pod_set.hpp"
#include "lifecycle/shutdown/shutdown_plan.hpp"

namespace berth::agent {

class PodShutdown {
 public:
  struct Services {
    Clock& clock;
    lifecycle::PodSet& pods;
    ShutdownReporter& reporter;
    // Rings when a pod changes or is released, and when the result of `goes_on` may have changed.
    Broadcast& changed;
  };
  explicit PodShutdown(Services services) : services_(services) {}

  // Completes when every group has had its turn, or soon after `goes_on` returns false: then no
  // further pod is ordered to stop.
  [[nodiscard]] boost::asio::awaitable<void> run(lifecycle::ShutdownGroups groups,
                                                 std::function<bool()> goes_on);
  // Runs until cancelled: reports each pod that was ordered to stop and is not stopped in time.
  [[nodiscard]] boost::asio::awaitable<void> report_late();

 private:
  struct Awaited {
    lifecycle::PodPtr pod{};
    SteadyTime until{};
  };
  // Forgets those that are reported or stopped; returns when the next one is late.
  SteadyTime report_late_now();
  [[nodiscard]] std::set<std::string> running() const;
  void order(const lifecycle::PlannedGroup& planned);
  [[nodiscard]] LeftBehind left_of(const lifecycle::PlannedGroup& planned) const;

  const Services services_;
  std::map<std::string, Awaited> awaited_{};  // by uid
};

}  // namespace berth::agent
