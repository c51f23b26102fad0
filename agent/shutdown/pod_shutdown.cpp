// SPDX-License-Identifier: Apache-2.0

#include "agent/shutdown/pod_shutdown.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "lifecycle/grace_period.hpp"
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
    while (goes_on() && services_.clock.steady_now() < until && !left_of(*planned).nobody())
      co_await services_.changed.wait_until(services_.clock, until);
    if (!goes_on()) co_return;
    if (const LeftBehind left = left_of(*planned); !left.nobody())
      services_.reporter.left_behind(group, left);
  }
}

void PodShutdown::order(const PlannedGroup& planned) {
  for (const PlannedStop& stop : planned.pods) {
    const auto ending = lifecycle::node_shutdown(stop.grace, services_.clock.wall_now());
    const std::string& uid = stop.pod->metadata.uid;
    if (!services_.pods.order(uid, ending)) continue;
    services_.reporter.ordered(stop, planned.group, ending);
    const SteadyTime late =
        services_.clock.steady_now() + lifecycle::longest_end(stop.grace.count());
    awaited_.insert_or_assign(uid, Awaited{.pod = stop.pod, .until = late});
  }
  services_.changed.ring();
}

boost::asio::awaitable<void> PodShutdown::report_late() {
  for (;;) {
    const SteadyTime next = report_late_now();
    co_await services_.changed.wait_until(services_.clock, next);
  }
}

SteadyTime PodShutdown::report_late_now() {
  const SteadyTime now = services_.clock.steady_now();
  SteadyTime next = now + std::chrono::hours(24);
  if (awaited_.empty()) return next;
  const std::set<std::string> still = running();
  std::erase_if(awaited_, [&](const auto& entry) {
    const auto& [uid, one] = entry;
    const bool runs = still.contains(uid);
    if (runs && one.until <= now) services_.reporter.exceeded_grace_period(*one.pod);
    return !runs || one.until <= now;
  });
  for (const auto& [uid, one] : awaited_) next = std::min(next, one.until);
  return next;
}

// A pod counts as running until it is shown as ended, which requires the store's commit; so does
// one of which nothing is shown yet.
std::set<std::string> PodShutdown::running() const {
  std::set<std::string> running;
  const auto add = [&running](const lifecycle::PodPtr& pod) {
    if (!lifecycle::is_terminal_phase(pod->status.phase)) running.insert(pod->metadata.uid);
  };
  for (const auto& pod : services_.pods.snapshot()) add(pod);
  for (const auto& pod : services_.pods.active()) add(pod);
  return running;
}

LeftBehind PodShutdown::left_of(const PlannedGroup& planned) const {
  const std::set<std::string> running = this->running();
  LeftBehind left;
  for (const PlannedStop& stop : planned.pods) {
    const auto& meta = stop.pod->metadata;
    std::string name = meta.namespace_ + "/" + meta.name;
    if (running.contains(meta.uid))
      left.running.push_back(std::move(name));
    else if (!services_.pods.is_released(meta.uid))
      left.unreleased.push_back(std::move(name));
  }
  std::ranges::sort(left.running);
  std::ranges::sort(left.unreleased);
  return left;
}

}  // namespace berth::agent
