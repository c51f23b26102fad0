// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/admission/admission_invariants.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "tests/simulation/generator.hpp"
#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"

namespace berth::simulation {
namespace {

bool tolerates(const api::Pod& pod) {
  return std::ranges::any_of(pod.spec.tolerations, [](const api::Toleration& toleration) {
    return toleration.key == kTaint && toleration.effect == "NoSchedule";
  });
}

// Evaluates the one anti-affinity term that the generator writes.
bool cannot_stand(const api::Pod& pod, const api::Pod& other) {
  if (!pod.spec.affinity || !pod.spec.affinity->podAntiAffinity) return false;
  const auto& terms =
      pod.spec.affinity->podAntiAffinity->requiredDuringSchedulingIgnoredDuringExecution;
  return std::ranges::any_of(terms, [&](const api::PodAffinityTerm& term) {
    const auto& wanted = term.labelSelector->matchLabels.at(kGroupLabel);
    const auto label = other.metadata.labels.find(kGroupLabel);
    return label != other.metadata.labels.end() && label->second == wanted;
  });
}

// Waits for the scheduler, and no room is being made for it, either.
bool is_pending_for_scheduler(const api::Pod& shown) {
  if (!shown.status.nominatedNodeName.empty()) return false;
  return std::ranges::any_of(shown.status.conditions, [](const api::PodCondition& condition) {
    return condition.type == "PodScheduled" && condition.status == "False";
  });
}

std::int32_t priority_of(const api::Pod& pod) {
  return pod.spec.priority.value_or(0);
}

bool is_critical_of_node(const api::Pod& pod) {
  return !pod.spec.nodeName.empty() && pod.spec.priorityClassName == "system-node-critical";
}

}  // namespace

// As far as the world can know: the pod was admitted, or may have been a moment ago, and has not
// ended.
bool AdmissionInvariants::has_room(const std::string& uid, const PodHistory& history,
                                   When when) const {
  // A pod that waits for its victims already has their room, against pods of no higher priority.
  // The status that an earlier berthd showed does not say which pods have been admitted since.
  const bool is_current = when == When::kAtTheEnd || shown_.contains(uid);
  if (is_current && history.shown && is_pending_for_scheduler(*history.shown))
    return !history.shown->status.nominatedNodeName.empty();
  if (when == When::kAtTheEnd && !history.final_phase.empty()) return false;
  if (history.desired || !history.all_orders().empty()) return true;
  return std::ranges::any_of(runtime_->instances(), [&](const Instance& instance) {
    return instance.pod_uid == uid && !instance.removed;
  });
}

// Whether all pods that may have room leave none for it.
bool AdmissionInvariants::finds_no_room(const api::Pod& pod, When when) const {
  std::int64_t cpus = cpus_of(pod);
  std::int64_t others = 0;
  const auto ports = host_ports_of(pod);
  bool port_taken = false;
  for (const auto& [uid, history] : invariants_.pods()) {
    if (!history.pod || uid == pod.metadata.uid || !has_room(uid, history, when)) continue;
    ++others;
    std::int64_t most = 0;
    // The next life of a pinned uid, from another text of its manifest, may have been let in
    // already.
    for (const PodPtr& life : {history.pod, history.again}) {
      if (!life) continue;
      most = std::max(most, cpus_of(*life));
      for (const auto port : host_ports_of(*life))
        port_taken = port_taken || std::ranges::count(ports, port) > 0;
    }
    cpus += most;
  }
  return port_taken || others >= most_pods_ || (cpus_of(pod) > 0 && cpus > kNodeCpus);
}

// Whether other pods or the node keep it out, whatever room there is.
bool AdmissionInvariants::is_kept_out(const api::Pod& pod, When when) const {
  if (tainted_ && !tolerates(pod)) return true;
  return std::ranges::any_of(invariants_.pods(), [&](const auto& entry) {
    const auto& [uid, history] = entry;
    return history.pod && uid != pod.metadata.uid && has_room(uid, history, when) &&
           (cannot_stand(pod, *history.pod) || cannot_stand(*history.pod, pod));
  });
}

void AdmissionInvariants::agent_restarted() {
  shown_.clear();
  resumed_.clear();
  for (const auto& [uid, history] : invariants_.pods())
    if (invariants_.is_known(uid)) resumed_.insert(uid);
}

void AdmissionInvariants::record(const api::Pod& pod, const lifecycle::PodEvent& event) {
  const auto& uid = pod.metadata.uid;
  if (event.reason == "Preempted") preempted(pod, event.message);
  if (event.reason == "Preempting") preempted_by_node(pod, event.message);
  // Its room is taken from now on, though it is still shown as waiting.
  if (event.reason == "Scheduled") shown_.erase(uid);
  const bool short_of_room = event.reason.starts_with("OutOf") || event.reason == "NodePorts" ||
                             event.reason == "UnexpectedAdmissionError";
  if (short_of_room && !invariants_.disturbances().lost_state() && !finds_no_room(pod, When::kNow))
    invariants_.violated(fmt::format("{} is refused ({}), and there is room", uid, event.reason));
  if (event.reason == "FailedScheduling" && !invariants_.disturbances().lost_state() &&
      !is_kept_out(pod, When::kNow) && !finds_no_room(pod, When::kNow))
    invariants_.violated(fmt::format("{} is unschedulable, and nothing keeps it out", uid));
  events_->record(pod, event);
}

// The agent's own order: its event is published before the order is given.
void AdmissionInvariants::preempted(const api::Pod& victim, const std::string& message) {
  const auto& uid = victim.metadata.uid;
  constexpr std::string_view kBegins = "Preempted by pod ";
  const auto ends = message.find(" on node ");
  const std::string by = message.substr(kBegins.size(), ends - kBegins.size());
  const auto preemptor = invariants_.pods().find(by);
  if (preemptor == invariants_.pods().end()) {
    invariants_.violated(fmt::format("{} goes for {}, which was not desired", uid, by));
  } else if (priority_of(*preemptor->second.pod) <= priority_of(victim)) {
    invariants_.violated(fmt::format("{} of priority {} goes for {} of {}", uid,
                                     priority_of(victim), by, priority_of(*preemptor->second.pod)));
  }
  invariants_.ordered_to_end(uid, std::nullopt);
  const auto known = invariants_.pods().find(uid);
  const bool ended = known != invariants_.pods().end() && known->second.shown &&
                     is_terminal(known->second.shown->status.phase);
  if (ended || own_grace(victim) == std::chrono::seconds(0)) invariants_.forced(uid);
}

// The events of these orders also precede them.
void AdmissionInvariants::preempted_by_node(const api::Pod& victim, const std::string& message) {
  const auto& uid = victim.metadata.uid;
  const bool for_somebody = std::ranges::any_of(invariants_.pods(), [&](const auto& entry) {
    const auto& [other, history] = entry;
    // The edited pod under the same uid begins now.
    const PodPtr& desired = history.again ? history.again : history.pod;
    return (history.desired || history.again) && other != uid && desired &&
           is_critical_of_node(*desired) && priority_of(*desired) > priority_of(victim) &&
           (invariants_.disturbances().lost_state() || finds_no_room(*desired, When::kNow));
  });
  if (!for_somebody)
    invariants_.violated(
        fmt::format("{} of priority {} is ended by the node, and no critical pod lacks room", uid,
                    priority_of(victim)));
  invariants_.ordered_to_end_and_stay(
      uid, {.orders = {{.at = clock_.steady_now(),
                        .grace = invariants_.period_of_order(victim, std::nullopt)}},
            .reason = "Preempting",
            .message = message,
            .disruption = "Pod was preempted by Kubelet to accommodate a critical pod."});
}

void AdmissionInvariants::sandbox_called(const cri::PodSandboxConfig& config) {
  const auto& uid = config.metadata.uid;
  if (!begun_.insert(uid).second || unasked_.contains(uid) ||
      invariants_.disturbances().lost_state())
    return;
  const auto found = invariants_.pods().find(uid);
  if (found == invariants_.pods().end() || found->second.spec_lost) return;
  const api::Pod& pod = *found->second.pod;
  // The scheduling core does not decide on it.
  if (!pod.spec.nodeName.empty()) return;
  if (tainted_ && !tolerates(pod))
    invariants_.violated(fmt::format("{} is let in, and does not tolerate the node's taint", uid));
  for (const auto& instance : runtime_->instances()) {
    if (!instance.live() || instance.pod_uid == uid) continue;
    const auto other = invariants_.pods().find(instance.pod_uid);
    if (other == invariants_.pods().end() || other->second.spec_lost) continue;
    if (!other->second.pod->spec.nodeName.empty()) continue;  // admitted since, perhaps
    // The end of one of them may not have become durable before the other one was admitted.
    if (resumed_.contains(uid) && resumed_.contains(instance.pod_uid)) continue;
    if (cannot_stand(pod, *other->second.pod) || cannot_stand(*other->second.pod, pod))
      invariants_.violated(fmt::format(
          "{} is let in beside {}, and one of them cannot stand the other", uid, instance.pod_uid));
  }
}

std::optional<std::string> AdmissionInvariants::needs_not_wait(const api::Pod& pod) const {
  if (is_kept_out(pod, When::kAtTheEnd) || finds_no_room(pod, When::kAtTheEnd)) return std::nullopt;
  return pod.metadata.uid + " waits to be scheduled, and nothing keeps it out";
}

}  // namespace berth::simulation
