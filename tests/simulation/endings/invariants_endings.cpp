// SPDX-License-Identifier: Apache-2.0

// Pods that were ordered to end but are kept: evicted, preempted, or stopped by a node shutdown.
//
// Once none of its containers runs, such a pod is Failed with its reason and message, or Succeeded
// without them if every main container exited 0; either way it has the condition DisruptionTarget,
// if the order set one. It is never started again.
#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/reasons.hpp"
#include "tests/simulation/invariants/invariants.hpp"
#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/simulation/simulated_store.hpp"

namespace berth::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

// If the pod's deadline is over, each container has its own period.
seconds period_of(const lifecycle::PodMemory& memory) {
  return memory.end->grace_seconds == 0 ? own_grace(*memory.pod)
                                        : seconds(memory.end->grace_seconds);
}

}  // namespace

std::vector<EndOrder> PodHistory::all_orders() const {
  std::vector<EndOrder> all;
  if (kept_end) all = kept_end->orders;
  all.insert(all.end(), orders.begin(), orders.end());
  return all;
}

// Called when the order has been accepted.
seconds Invariants::period_of_order(const api::Pod& pod, std::optional<seconds> asked) const {
  if (asked) return *asked;
  const auto known = pods_.find(pod.metadata.uid);
  const auto before = known == pods_.end() ? std::vector<EndOrder>{} : known->second.all_orders();
  return before.empty() ? own_grace(pod) : std::ranges::min(before, {}, &EndOrder::grace).grace;
}

void Invariants::ordered_to_end_and_stay(const std::string& uid, const KeptEnd& end) {
  auto* pod = history(uid);
  if (pod == nullptr || pod->spec_lost) return;
  EndOrder order = end.orders.front();
  order.grace = std::max(order.grace, seconds(1));
  if (!pod->orders.empty()) {
    pod->orders.push_back(order);
    return;
  }
  const auto& mains = pod->pod->spec.containers;
  const bool ran = std::ranges::any_of(mains, [&](const api::Container& main) {
    return std::ranges::any_of(instances(uid, main.name), &Instance::live);
  });
  KeptEnd next = end;
  next.ran = ran && pod->final_phase.empty();
  if (pod->kept_end) {
    next.orders = pod->kept_end->orders;
    next.orders.push_back(order);
    next.ran = pod->kept_end->ran;
    next.earlier = pod->kept_end->earlier;
    next.earlier.insert(pod->kept_end->reason);
    // There is one condition, whichever order set it.
    if (!next.disruption) next.disruption = pod->kept_end->disruption;
  }
  pod->kept_end = std::move(next);
}

// The condition appears with the terminal phase and never before.
void Invariants::check_disruption(const api::Pod& pod, const PodHistory& history) {
  const auto& all = pod.status.conditions;
  const auto found = std::ranges::find(all, "DisruptionTarget", &api::PodCondition::type);
  // The scheduler and the eviction API set it when they order the end; the node with the final
  // status.
  if (found == all.end() || found->reason != lifecycle::kTerminationByKubelet) return;
  if (!is_terminal(pod.status.phase))
    violated(fmt::format("{} is {} and has the condition DisruptionTarget already",
                         pod.metadata.uid, pod.status.phase));
  // It may belong to an earlier life of that uid, which the store could not remove yet.
  const auto* memory = row(pod.metadata.uid);
  const bool is_stored = memory != nullptr && memory->end && memory->end->ending.failure;
  if (history.orders.empty() && !history.kept_end && history.life == 0 && !is_stored)
    violated(fmt::format("{} has the condition DisruptionTarget, and nobody disrupted it",
                         pod.metadata.uid));
}

// The time that a pod has to end only ever shrinks.
void Invariants::check_grace_shown(const api::Pod& pod, PodHistory& history) {
  const auto& shown = pod.metadata.deletionGracePeriodSeconds;
  if (history.grace_shown && (!shown || *shown > *history.grace_shown))
    violated(fmt::format("{} had {} s to end, and is shown with {} s", pod.metadata.uid,
                         *history.grace_shown, shown.value_or(-1)));
  history.grace_shown = shown;
}

// Checks what is shown with the pod's terminal phase.
void Invariants::check_kept_end(const api::Pod& pod, const PodHistory& history) {
  if (!history.kept_end || !history.kept_end->ran || !history.orders.empty()) return;
  const KeptEnd& end = *history.kept_end;
  const auto& status = pod.status;
  const auto& uid = pod.metadata.uid;
  // The deadline makes it Failed for that, whatever else there is.
  if (history.pod->spec.activeDeadlineSeconds) return;
  const auto shown_exit = [&status](const api::Container& main) -> std::optional<std::int32_t> {
    for (const auto& one : status.containerStatuses)
      if (one.name == main.name && one.state.terminated) return one.state.terminated->exitCode;
    return std::nullopt;
  };
  const bool all_succeeded =
      std::ranges::all_of(history.pod->spec.containers,
                          [&](const api::Container& main) { return shown_exit(main) == 0; });
  if (all_succeeded != (status.phase == "Succeeded"))
    violated(fmt::format("{} was ordered to end as {}, and is {}", uid, end.reason, status.phase));
  const bool failed = status.phase == "Failed";
  if (failed && end.earlier.contains(status.reason)) return;
  if (status.reason != (failed ? end.reason : "") || status.message != (failed ? end.message : ""))
    violated(fmt::format("{} was ordered to end as {}, and is {} for \"{}\": {}", uid, end.reason,
                         status.phase, status.reason, status.message));
  const auto found =
      std::ranges::find(status.conditions, "DisruptionTarget", &api::PodCondition::type);
  // The last order was given when all containers had stopped for an earlier one, which may set no
  // condition.
  const SteadyTime last = end.orders.back().at;
  const bool had_stopped =
      std::ranges::all_of(history.pod->spec.containers, [&](const api::Container& main) {
        return std::ranges::all_of(instances(uid, main.name), [last](const Instance* one) {
          return !one->started || (one->exited && *one->exited < last);
        });
      });
  const bool came_late = !end.earlier.empty() && had_stopped;
  if (!end.disruption || (came_late && found == status.conditions.end())) return;
  if (found == status.conditions.end() || found->status != "True" ||
      found->reason != "TerminationByKubelet")
    violated(
        fmt::format("{} was ordered to end as {} and lacks DisruptionTarget", uid, end.reason));
}

// Whether berthd had had time to store the order before it began to stop the pod.
bool Invariants::stop_was_begun(const std::string& uid, const PodHistory& pod,
                                SteadyTime ordered) const {
  const auto from = ordered + milliseconds(100);
  const auto until = clock_.steady_now() - milliseconds(1500);
  const auto& all = world_.runtime->instances();
  return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(pod.life), all.end(),
                     [&](const Instance& one) {
                       return one.pod_uid == uid && one.first_stop_called &&
                              *one.first_stop_called >= from && *one.first_stop_called <= until;
                     });
}

// An order that the store does not have is forgotten.
void Invariants::restarted_kept(const lifecycle::PodMemory* memory, PodHistory& pod) {
  if (!pod.kept_end) return;
  const bool known = memory != nullptr && memory->end && memory->end->ending.failure &&
                     memory->end->ending.failure->reason == pod.kept_end->reason &&
                     !past_deadline(memory->end);
  if (known) {
    // The last order with that reason may be lost with an unfinished write: the store then has the
    // message of an earlier one.
    const auto& failure = *memory->end->ending.failure;
    if (failure.message != pod.kept_end->message) {
      pod.kept_end->message = failure.message;
      pod.kept_end->disruption = failure.disruption;
    }
    const seconds grace(memory->end->grace_seconds);
    std::erase_if(pod.kept_end->orders, [&](const EndOrder& order) {
      if (order.grace >= grace) return false;
      pod.forgotten.push_back(order);
      return true;
    });
    if (pod.kept_end->orders.empty())
      pod.kept_end->orders.push_back({.at = clock_.steady_now(), .grace = grace});
    return;
  }
  const bool still =
      memory != nullptr && memory->end && memory->end->ending.failure && !removes(memory->end);
  auto orders = std::move(pod.kept_end->orders);
  const std::string reason = pod.kept_end->reason;
  pod.forgotten.insert(pod.forgotten.end(), orders.begin(), orders.end());
  if (!still) {
    pod.kept_end.reset();
    return;
  }
  // The store has an earlier order.
  const auto& failure = *memory->end->ending.failure;
  pod.kept_end = KeptEnd{.orders = {{.at = clock_.steady_now(), .grace = period_of(*memory)}},
                         .reason = failure.reason,
                         .message = failure.message,
                         .disruption = failure.disruption,
                         .ran = pod.kept_end->ran};
}

}  // namespace berth::simulation
