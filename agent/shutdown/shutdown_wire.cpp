// SPDX-License-Identifier: Apache-2.0

#include "agent/shutdown/shutdown_wire.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "agent/shutdown/shutdown_complaint.hpp"
#include "lifecycle/pods/begin_order.hpp"

namespace berth::agent {
namespace {

// How long a shutdown of the machine waits for berthd. Once one is under way the lock is released
// when all is done, so that no pod is lost.
std::optional<Nanoseconds> granted_by(const systemd::LoginState& login) {
  if (!login.delayed() && !login.shutting_down) return Nanoseconds::zero();
  return login.longest_delay;
}

void put(const lifecycle::PlannedGroup& planned, const systemd::LoginState& login,
         wire::ShutdownGroup& out) {
  out.set_priority(planned.group.priority);
  out.set_period_seconds(planned.group.period.count());
  out.set_begins_seconds(planned.begins.count());
  const std::optional<Nanoseconds> granted = granted_by(login);
  for (const lifecycle::PlannedStop& stop : planned.pods) {
    const api::Pod& pod = *stop.pod;
    const std::chrono::seconds ends = planned.begins + stop.grace;
    auto& to = *out.add_pods();
    to.set_namespace_(pod.metadata.namespace_);
    to.set_name(pod.metadata.name);
    to.set_uid(pod.metadata.uid);
    to.set_priority(pod.spec.priority.value_or(0));
    if (const auto& own = pod.spec.terminationGracePeriodSeconds) to.set_own_seconds(*own);
    to.set_grace_seconds(stop.grace.count());
    to.set_ends_seconds(ends.count());
    to.set_cut_short(stop.cut_short);
    to.set_lost(granted && ends > *granted);
  }
}

}  // namespace

void put(const ConfiguredShutdown& configured, const std::vector<lifecycle::PodPtr>& pods,
         const systemd::LoginState& login, wire::PlanShutdownReply& out) {
  std::vector<lifecycle::PodPtr> sorted = pods;
  std::ranges::sort(sorted, lifecycle::begins_before);
  const lifecycle::ShutdownGroups& groups = configured.groups;
  const lifecycle::ShutdownPlan plan = shutdown_plan(groups, sorted);
  std::chrono::seconds begins{};
  for (const lifecycle::ShutdownGroup& group : groups) {
    const auto planned = std::ranges::find(plan, group, &lifecycle::PlannedGroup::group);
    if (planned == plan.end()) {
      put({.group = group, .begins = begins}, login, *out.add_groups());
    } else {
      put(*planned, login, *out.add_groups());
      begins = planned->begins + group.period;
    }
  }
  out.set_needed_seconds(shutdown_budget(plan, login.longest_delay).needed.count());
  out.set_configured_seconds(longest_shutdown(groups).count());
  if (login.longest_delay)
    out.set_granted_ms(
        std::chrono::duration_cast<std::chrono::milliseconds>(*login.longest_delay).count());
  out.set_delayed(login.delayed());
  out.set_shutting_down(login.shutting_down);
  out.set_complaint(shutdown_complaint(configured, login).sentence());
}

}  // namespace berth::agent
