// SPDX-License-Identifier: Apache-2.0

#include "agent/admission/node_admission.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "agent/metrics/metric_text.hpp"
#include "lifecycle/grace_period.hpp"
#include "node/critical_preemption.hpp"
#include "scheduling/cycle/failure_text.hpp"

namespace berth::agent {

using lifecycle::AdmissionAnswer;
using lifecycle::AdmissionOutcome;
using lifecycle::NodeCheck;
using lifecycle::Occupant;
using lifecycle::Occupants;
using lifecycle::PodPtr;
using lifecycle::RefusedToday;
using lifecycle::WhenShort;

namespace {

constexpr const char* kUnschedulable = "Unschedulable";
constexpr const char* kSchedulerError = "SchedulerError";

constexpr const char* kUnexpectedAdmissionError = "UnexpectedAdmissionError";

Nanoseconds longest_end(const api::Pod& pod) {
  return lifecycle::longest_end(pod.spec.terminationGracePeriodSeconds.value_or(0));
}

// The queue uses wall time, but must not wait longer because the clock is set.
WallTime queue_time(SteadyTime time) {
  return WallTime{time.time_since_epoch()};
}

std::vector<PodPtr> pods_of(const Occupants& occupants) {
  std::vector<PodPtr> pods;
  pods.reserve(occupants.size());
  for (const Occupant& occupant : occupants) pods.push_back(occupant.pod);
  return pods;
}

std::vector<PodPtr> shown_of(const Occupants& occupants) {
  std::vector<PodPtr> pods;
  for (const Occupant& occupant : occupants)
    pods.push_back(occupant.shown ? occupant.shown : occupant.pod);
  return pods;
}

std::vector<const api::Pod*> raw(const std::vector<PodPtr>& pods) {
  std::vector<const api::Pod*> list;
  list.reserve(pods.size());
  for (const PodPtr& pod : pods) list.push_back(pod.get());
  return list;
}

}  // namespace

NodeAdmission::NodeAdmission(scheduling::SchedulerSettings settings,
                             const scheduling::BudgetBook& budgets,
                             std::shared_ptr<const node::NodeView> view,
                             std::shared_ptr<const api::Node> node)
    : settings_(std::move(settings)),
      budgets_(budgets),
      view_(std::move(view)),
      node_(std::move(node)),
      scheduler_(settings_),
      queue_(scheduling::queue_settings(settings_, scheduler_.selector_sources())) {
  static_cast<void>(scheduler_.set_node(*node_));
}

void NodeAdmission::set_namespaces(std::vector<api::Namespace> stated) {
  namespaces_ = std::move(stated);
  scheduler_.set_namespaces(namespaces_);
}

void NodeAdmission::set_node(std::shared_ptr<const node::NodeView> view,
                             std::shared_ptr<const api::Node> node, SteadyTime now) {
  view_ = std::move(view);
  node_ = std::move(node);
  notify_queue(scheduler_.set_node(*node_), now);
}

void NodeAdmission::notify_queue(const NodeScheduler::Events& events, SteadyTime now) {
  bool somebody_left = false;
  for (const scheduling::ClusterEvent& event : events) {
    queue_.on_event(event, queue_time(now));
    somebody_left = somebody_left || (event.resource == scheduling::EventResource::kAssignedPod &&
                                      event.action == scheduling::EventAction::kDelete);
  }
  if (somebody_left) retry_kept_away();
}

// Kubernetes' hints only consider the waiting pod's own anti-affinity: a pod that another pod's
// anti-affinity keeps away would only be retried after five minutes.
void NodeAdmission::retry_kept_away() {
  for (const auto& [uid, wanted] : wanted_)
    if (wanted.is_kept_away) queue_.activate(scheduling::full_name_of(*wanted.pod));
}

void NodeAdmission::want(PodPtr pod, WhenShort when_short, SteadyTime now) {
  const std::string uid = pod->metadata.uid;
  const bool ours = pod->spec.nodeName.empty() &&
                    scheduling::profile_for(settings_, pod->spec.schedulerName) != nullptr;
  if (ours)
    queue_.add(pod, queue_time(now));
  else
    at_once_.push_back(uid);
  wanted_.insert_or_assign(uid, Wanted{.pod = std::move(pod), .when_short = when_short});
}

void NodeAdmission::withdraw(const std::string& uid, SteadyTime now) {
  const auto found = wanted_.find(uid);
  if (found == wanted_.end()) return;
  scheduler_.remove_nomination(uid);
  queue_.erase(found->second.pod, queue_time(now));
  std::erase(at_once_, uid);
  making_room_.erase(uid);
  const bool was_nominated = !found->second.pod->status.nominatedNodeName.empty();
  wanted_.erase(found);
  if (was_nominated) retry_kept_away();
}

std::optional<AdmissionAnswer> NodeAdmission::next(const Occupants& occupants, SteadyTime now,
                                                   WallTime wall) {
  if (wanted_.empty()) return std::nullopt;
  asked_at_ = now;
  notice_ended_victims(occupants);
  if (held_back_until(now)) return std::nullopt;
  if (auto answer = answer_at_once(occupants, now)) return answer;
  notify_queue(scheduler_.apply_occupants(occupants), now);
  queue_.flush_backoff(queue_time(now));
  queue_.flush_unschedulable(queue_time(now));
  const auto popped = queue_.pop();
  if (!popped) return std::nullopt;
  return try_pod(popped->pod, occupants, now, wall);
}

std::optional<SteadyTime> NodeAdmission::look_again() const {
  if (const auto until = held_back_until(asked_at_)) return until;
  const auto next = queue_.next_flush();
  if (!next) return std::nullopt;
  return SteadyTime{next->time_since_epoch()};
}

NodeCheck NodeAdmission::check(const PodPtr& pod, std::vector<PodPtr> active) const {
  NodeCheck made{.view = view_, .node = node_, .active = std::move(active)};
  made.admission =
      node::admit_pod(view_->config, view_->facts.confinement, *node_, raw(made.active), *pod);
  return made;
}

// If so, other pods stand in its way.
bool NodeAdmission::fits_empty_node(const api::Pod& pod) const {
  return node::admit_pod(view_->config, view_->facts.confinement, *node_, {}, pod).admitted;
}

// Pods that the scheduling core does not decide about.
std::optional<AdmissionAnswer> NodeAdmission::answer_at_once(const Occupants& occupants,
                                                             SteadyTime now) {
  if (at_once_.empty()) return std::nullopt;
  const std::string uid = std::move(at_once_.front());
  at_once_.pop_front();
  AdmissionAnswer answer{.pod = wanted_.at(uid).pod};
  answer.check = check(answer.pod, pods_of(occupants));
  if (!answer.check.admission.admitted) {
    if (make_room(answer, now)) return answer;
    answer.outcome = AdmissionOutcome::kRefused;
  } else if (answer.pod->spec.nodeName.empty()) {
    // The pod stays wanted: in Kubernetes no scheduler would place it either.
    answer.outcome = AdmissionOutcome::kUnschedulable;
    answer.reason = kUnschedulable;
    answer.message = no_profile(*answer.pod);
    answer.event_message = answer.message;
    return answer;
  }
  wanted_.erase(uid);
  return answer;
}

// Whether pods are terminated to make room. Never for a pod that no scheduler has placed here yet.
bool NodeAdmission::make_room(AdmissionAnswer& answer, SteadyTime now) {
  const api::Pod& pod = *answer.pod;
  if (pod.spec.nodeName.empty()) return false;
  const node::NodeConfig& config = view_->config;
  const auto active = raw(answer.check.active);
  const auto shortages = node::shortages_to_preempt_for(config, *node_, active, pod);
  if (shortages.empty()) return false;
  const auto victims =
      node::choose_critical_victims({.static_pods_are_critical = config.static_pods_are_critical},
                                    pod, active, node::missing_amounts(shortages));
  if (!victims) {
    answer.reason = kUnexpectedAdmissionError;
    answer.message = node::unexpected_admission_message(victims.error());
    return false;
  }
  answer.outcome = AdmissionOutcome::kMakesRoom;
  RoomMade& made = making_room_[pod.metadata.uid];
  made = {.until = now};
  for (const node::CriticalVictim& victim : *victims) {
    made.until = std::max(made.until, now + longest_end(*victim.pod));
    made.victims.push_back(victim.pod->metadata.uid);
  }
  answer.victims = made.victims;
  preemptions_[shortages.front().resource] += made.victims.size();
  return true;
}

void NodeAdmission::write_metrics(std::string& out) const {
  constexpr const char* kPreemptions = "kubelet_preemptions";
  if (preemptions_.empty()) return;
  write_metric_head(out, kPreemptions, "counter",
                    "[ALPHA] Cumulative number of pod preemptions by preemption resource");
  for (const auto& [resource, count] : preemptions_)
    out += std::string(kPreemptions) + "{preemption_signal=\"" + metric_label(resource) + "\"} " +
           metric_number(count) + "\n";
}

// The pod that waited for them is next.
void NodeAdmission::notice_ended_victims(const Occupants& occupants) {
  std::set<std::string> there;
  if (!making_room_.empty())
    for (const Occupant& occupant : occupants) there.insert(occupant.pod->metadata.uid);
  for (auto& [uid, made] : making_room_)
    std::erase_if(made.victims, [&there](const std::string& one) { return !there.contains(one); });
  std::erase_if(making_room_, [&](const auto& entry) {
    if (!entry.second.victims.empty()) return false;
    at_once_.push_front(entry.first);
    return true;
  });
}

std::vector<std::string> NodeAdmission::newly_late_victims(SteadyTime now) {
  std::vector<std::string> late;
  for (auto& [uid, made] : making_room_)
    if (made.until <= now && !std::exchange(made.late, true))
      late.insert(late.end(), made.victims.begin(), made.victims.end());
  return late;
}

std::optional<SteadyTime> NodeAdmission::held_back_until(SteadyTime now) const {
  std::optional<SteadyTime> until;
  for (const auto& [uid, made] : making_room_)
    if (made.until > now && (!until || made.until > *until)) until = made.until;
  return until;
}

AdmissionAnswer NodeAdmission::try_pod(const PodPtr& pod, const Occupants& occupants,
                                       SteadyTime now, WallTime wall) {
  const std::string& uid = pod->metadata.uid;
  AdmissionAnswer answer{.pod = pod};
  answer.check = check(pod, pods_of(occupants));
  const bool admitted = answer.check.admission.admitted;
  if (!admitted && !fits_empty_node(*pod)) {
    answer.outcome = AdmissionOutcome::kRefused;
    settle(uid);
    return answer;
  }
  const Placement placement = scheduler_.place(*pod, budgets_.look(shown_of(occupants), wall));
  const bool placed = placement.outcome == Placement::Outcome::kPlaced;
  const bool may_wait = wanted_.at(uid).when_short == WhenShort::kWaits ||
                        !placement.victims.empty() || placement.waits_for_victims;
  if (admitted ? placed : placed || !may_wait) {
    answer.outcome = admitted ? AdmissionOutcome::kAdmitted : AdmissionOutcome::kRefused;
    answer.scheduled = admitted;
    settle(uid);
    return answer;
  }
  keep_waiting(answer, placement, now);
  return answer;
}

// The answer is final.
void NodeAdmission::settle(const std::string& uid) {
  queue_.done(uid);
  scheduler_.remove_nomination(uid);
  wanted_.erase(uid);
}

void NodeAdmission::keep_waiting(AdmissionAnswer& answer, const Placement& placement,
                                 SteadyTime now) {
  const std::string uid = answer.pod->metadata.uid;
  const bool is_error = placement.outcome != Placement::Outcome::kUnschedulable;
  answer.outcome = AdmissionOutcome::kUnschedulable;
  answer.reason = is_error ? kSchedulerError : kUnschedulable;
  answer.message = placement.message;
  answer.event_message = scheduling::event_text(answer.message);
  answer.victims = placement.victims;
  // As in Kubernetes, the scheduler handles the pod from now on, and it waits for resources as for
  // anything else.
  wanted_.at(uid).when_short = WhenShort::kWaits;
  wanted_.at(uid).is_kept_away =
      placement.rejected_by.contains(std::string(name_of(scheduling::Plugin::kInterPodAffinity)));
  for (const std::string& other : placement.outbid) set_nomination(other, "", now);
  if (!answer.victims.empty()) {
    scheduler_.preempted(answer.victims);
    const std::string& scheduler = answer.pod->spec.schedulerName;
    answer.victim_message = (scheduler.empty() ? "default-scheduler" : scheduler) +
                            ": preempting to accommodate a higher priority pod";
    set_nomination(uid, node_->metadata.name, now);
  } else if (placement.clears_nomination) {
    set_nomination(uid, "", now);
  }
  answer.nominated_node = wanted_.at(uid).pod->status.nominatedNodeName;
  if (is_error)
    queue_.return_failed(uid, queue_time(now));
  else
    queue_.return_rejected(uid, placement.rejected_by, queue_time(now));
}

void NodeAdmission::set_nomination(const std::string& uid, const std::string& node_name,
                                   SteadyTime now) {
  Wanted& wanted = wanted_.at(uid);
  if (wanted.pod->status.nominatedNodeName == node_name) return;
  auto changed = std::make_shared<api::Pod>(*wanted.pod);
  changed->status.nominatedNodeName = node_name;
  const PodPtr before = std::exchange(wanted.pod, changed);
  if (node_name.empty())
    scheduler_.remove_nomination(uid);
  else
    scheduler_.nominate(*changed);
  queue_.update(before, changed, queue_time(now));
  if (node_name.empty()) retry_kept_away();
}

// The scheduling core has to place a pod beside all others, or at least beside those before it:
// pods that it has affinity to may come after it, and so may pods that stand in its way.
std::vector<RefusedToday> NodeAdmission::refused_today(const std::vector<PodPtr>& running) const {
  NodeScheduler beside_all(settings_);
  NodeScheduler beside_earlier(settings_);
  for (NodeScheduler* one : {&beside_all, &beside_earlier}) {
    one->set_namespaces(namespaces_);
    static_cast<void>(one->set_node(*node_));
  }
  for (const PodPtr& pod : running) static_cast<void>(beside_all.add({.pod = pod}));
  std::vector<RefusedToday> refused;
  std::vector<PodPtr> earlier;
  for (const PodPtr& pod : running) {
    node::Admission admission = check(pod, earlier).admission;
    if (admission.admitted && pod->spec.nodeName.empty()) {
      static_cast<void>(beside_all.remove(pod->metadata.uid));
      Placement placement = beside_all.place(*pod, {});
      if (placement.outcome != Placement::Outcome::kPlaced)
        placement = beside_earlier.place(*pod, {});
      static_cast<void>(beside_all.add({.pod = pod}));
      if (placement.outcome != Placement::Outcome::kPlaced)
        admission = {.admitted = false, .reason = kUnschedulable, .message = placement.message};
    }
    if (admission.admitted) {
      earlier.push_back(pod);
      static_cast<void>(beside_earlier.add({.pod = pod}));
      continue;
    }
    refused.push_back({.uid = pod->metadata.uid,
                       .reason = std::move(admission.reason),
                       .message = std::move(admission.message)});
  }
  return refused;
}

}  // namespace berth::agent
