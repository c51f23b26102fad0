// SPDX-License-Identifier: Apache-2.0

#include "agent/shutdown/pod_shutdown.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "lifecycle/reasons.hpp"

namespace berth::agent {

using lifecycle::PlannedGroup;
using lifecycle::PlannedStop;

boost::asio::awaitable<void> PodShutdown::run(lifecycle::ShutdownGroups groups,
                                              std::function<bool()> goes_on) {
  for (const lifecycle::ShutdownGroup& group : groups) {
    const auto plan = shutdown_plan(groups, services_.pods.placed());
    const auto planned = std::ranges::find(plan, group, &PlannedGroup::group);
    if (planned == plan.end()) continue;
    const SteadyTime until = services_.clock.steady_now() + group.period;
    order(*planned);
    while (goes_on() && services_.clock.steady_now() < until && !running(*planned).empty())
      co_await services_.changed.wait_until(services_.clock, until);
    if (!goes_on()) co_return;
    if (const auto left = running(*planned); !left.empty())
      services_.teller.left_behind(group, left);
  }
}

void PodShutdown::order(const PlannedGroup& planned) {
  for (const PlannedStop& stop : planned.pods) {
    const auto ending = lifecycle::node_shutdown(stop.grace, services_.clock.wall_now());
    if (services_.pods.order(stop.pod->metadata.uid, ending))
      services_.teller.ordered(stop, planned.group, ending);
  }
}

// Those that are not shown as over yet, which is when the store has it; and those of which nothing
// is shown yet. By name.
std::vector<std::string> PodShutdown::running(const PlannedGroup& planned) const {
  std::set<std::string> uids;
  for (const PlannedStop& stop : planned.pods) uids.insert(stop.pod->metadata.uid);
  std::set<std::string> names;
  const auto add = [&](const lifecycle::PodPtr& pod) {
    if (uids.contains(pod->metadata.uid) && !lifecycle::is_terminal_phase(pod->status.phase))
      names.insert(pod->metadata.namespace_ + "/" + pod->metadata.name);
  };
  for (const auto& pod : services_.pods.snapshot()) add(pod);
  for (const auto& pod : services_.pods.active()) add(pod);
  return {names.begin(), names.end()};
}

}  // namespace berth::agent
