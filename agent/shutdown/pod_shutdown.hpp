// SPDX-License-Identifier: Apache-2.0

// Stops the pods of the node group by group (lifecycle/shutdown/shutdown_plan.hpp), each by an
// order to the pod set like any other.
//
// Which pods are in a group is looked up when its turn comes. A group is waited for until each of
// its pods is shown as it ended, which is then in the store, and its volumes and cgroup are gone,
// so that what they lie on can be stopped; and no longer than its period. Loop thread only; what it
// is given outlives it.
#pragma once

#include <functional>
#include <string>
#include <vector>

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
    ShutdownTeller& teller;
    // Rings when a pod changes or is released, and when `goes_on` may say something else.
    Broadcast& changed;
  };
  explicit PodShutdown(Services services) : services_(services) {}

  // Completes when every group has had its turn, or soon after `goes_on` says no: then no further
  // pod is ordered to stop.
  [[nodiscard]] boost::asio::awaitable<void> run(lifecycle::ShutdownGroups groups,
                                                 std::function<bool()> goes_on);

 private:
  void order(const lifecycle::PlannedGroup& planned);
  [[nodiscard]] LeftBehind left_of(const lifecycle::PlannedGroup& planned) const;

  const Services services_;
};

}  // namespace berth::agent
