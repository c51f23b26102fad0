// SPDX-License-Identifier: Apache-2.0

#include "scheduling/queue/scheduling_queue.hpp"

#include <algorithm>
#include <utility>

namespace berth::scheduling {
namespace {

std::string gate_list(const api::Pod& pod) {
  std::string text = "waiting for scheduling gates: [";
  const auto& gates = pod.spec.schedulingGates;
  for (std::size_t i = 0; i < gates.size(); ++i) text += (i == 0 ? "" : " ") + gates[i].name;
  return text + "]";
}

void append(QueueMoves& moves, QueueMoves more) {
  moves.insert(moves.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

}  // namespace

SchedulingQueue::ActiveKey SchedulingQueue::active_key(const QueuedPod& queued) {
  return {-static_cast<std::int64_t>(priority_of(*queued.pod)), queued.since, queued.sequence,
          full_name_of(*queued.pod)};
}

SchedulingQueue::BackoffKey SchedulingQueue::backoff_key(const QueuedPod& queued) const {
  return {expiry_of(queued, settings_.backoff), active_key(queued)};
}

std::optional<PodGate> SchedulingQueue::gate_of(const api::Pod& pod) const {
  if (!pod.spec.schedulingGates.empty()) {
    return PodGate{.plugin = "SchedulingGates", .reason = gate_list(pod)};
  }
  if (preempting_.contains(pod.metadata.uid)) {
    return PodGate{.plugin = "DefaultPreemption",
                   .reason = "waiting for the preemption for this pod to be finished"};
  }
  return std::nullopt;
}

const HintArguments* SchedulingQueue::arguments_for(const api::Pod& pod) const {
  const auto found = settings_.profiles.find(pod.spec.schedulerName);
  return found == settings_.profiles.end() ? nullptr : &found->second;
}

// --- places --------------------------------------------------------------------------------------

QueueMove SchedulingQueue::place(QueuedPod queued, Place place, std::string why) {
  std::string name = full_name_of(*queued.pod);
  QueuePlace shown = QueuePlace::kUnschedulable;
  switch (place) {
    case Place::kActive:
      active_.insert(active_key(queued));
      shown = QueuePlace::kActive;
      break;
    case Place::kBackoff:
      backoff_.insert(backoff_key(queued));
      shown = QueuePlace::kBackoff;
      break;
    case Place::kErrorBackoff:
      error_backoff_.insert(backoff_key(queued));
      shown = QueuePlace::kBackoff;
      break;
    case Place::kUnschedulable:
      break;
  }
  entries_.insert_or_assign(name, Entry{.queued = std::move(queued), .place = place});
  return {.pod = std::move(name), .to = shown, .why = std::move(why)};
}

std::optional<QueuedPod> SchedulingQueue::take(const std::string& name) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::nullopt;
  QueuedPod queued = std::move(found->second.queued);
  switch (found->second.place) {
    case Place::kActive:
      active_.erase(active_key(queued));
      break;
    case Place::kBackoff:
      backoff_.erase(backoff_key(queued));
      break;
    case Place::kErrorBackoff:
      error_backoff_.erase(backoff_key(queued));
      break;
    case Place::kUnschedulable:
      break;
  }
  entries_.erase(found);
  return queued;
}

// A gated pod can only be placed among the unschedulable ones.
QueueMove SchedulingQueue::place_active(QueuedPod queued, std::string why) {
  queued.gate = gate_of(*queued.pod);
  if (!queued.gate) return place(std::move(queued), Place::kActive, std::move(why));
  queued.rejected_by.insert(queued.gate->plugin);
  std::string reason = queued.gate->reason;
  return place(std::move(queued), Place::kUnschedulable, std::move(reason));
}

QueueMove SchedulingQueue::place_by_backoff(QueuedPod queued, std::string why, WallTime now) {
  const bool waits = is_backing_off(expiry_of(queued, settings_.backoff), now);
  if (!waits || gate_of(*queued.pod)) return place_active(std::move(queued), std::move(why));
  queued.gate.reset();
  const Place backoff = queued.rejected_by.empty() ? Place::kErrorBackoff : Place::kBackoff;
  return place(std::move(queued), backoff, std::move(why));
}

// --- pods ----------------------------------------------------------------------------------------

QueueMoves SchedulingQueue::add(const PodPtr& pod, WallTime now) {
  const std::string name = full_name_of(*pod);
  take(name);
  return {place_active({.pod = pod, .since = now, .sequence = next_sequence_++}, "it is new")};
}

QueueMoves SchedulingQueue::update(const PodPtr& before, const PodPtr& after, WallTime now) {
  QueueMoves moves;
  const std::string name = full_name_of(*after);
  const auto found = entries_.find(name);
  if (QueuedPod* flying = in_flight_.find(after->metadata.uid)) {
    flying->pod = after;
    flying->needs.reset();
    for (const ClusterEvent& event : pod_updated(before, after)) in_flight_.record(event);
  } else if (found == entries_.end()) {
    moves = add(after, now);
  } else if (found->second.place == Place::kUnschedulable) {
    moves = update_parked(name, before, after, now);
  } else {
    const Place where = found->second.place;
    QueuedPod queued = *take(name);
    queued.pod = after;
    queued.needs.reset();
    place(std::move(queued), where, "");
  }
  // For other pods, a changed nomination means that a pod leaves that node.
  if (!before->status.nominatedNodeName.empty() &&
      before->status.nominatedNodeName != after->status.nominatedNodeName) {
    append(moves, move_for_lesser(before, now));
  }
  return moves;
}

QueueMoves SchedulingQueue::update_parked(const std::string& name, const PodPtr& before,
                                          const PodPtr& after, WallTime now) {
  QueuedPod& parked = entries_.at(name).queued;
  parked.pod = after;
  parked.needs.reset();
  for (const ClusterEvent& event : pod_updated(before, after)) {
    std::string why = wants_retry(parked, event);
    if (why.empty()) continue;
    return {place_by_backoff(*take(name), std::move(why), now)};
  }
  if (parked.gate) parked.gate = gate_of(*after);
  return {};
}

QueueMoves SchedulingQueue::erase(const PodPtr& pod, WallTime now) {
  QueueMoves moves;
  const std::string name = full_name_of(*pod);
  if (take(name)) moves.push_back({.pod = name, .why = "it was deleted"});
  in_flight_.mark_deleted(pod->metadata.uid);
  if (!pod->status.nominatedNodeName.empty()) append(moves, move_for_lesser(pod, now));
  return moves;
}

std::optional<PoppedPod> SchedulingQueue::pop() {
  std::string name;
  if (!active_.empty()) {
    name = std::get<std::string>(*active_.begin());
  } else if (!backoff_.empty()) {
    name = std::get<std::string>(std::get<ActiveKey>(*backoff_.begin()));
  } else {
    return std::nullopt;
  }
  QueuedPod queued = *take(name);
  ++queued.attempts;
  queued.rejected_by.clear();
  PoppedPod popped{.pod = queued.pod, .attempts = queued.attempts};
  in_flight_.begin(std::move(queued));
  return popped;
}

// --- coming back ---------------------------------------------------------------------------------

QueueMoves SchedulingQueue::return_rejected(const std::string& uid, const PluginNames& plugins,
                                            WallTime now) {
  return return_pod(uid, &plugins, now);
}

QueueMoves SchedulingQueue::return_failed(const std::string& uid, WallTime now) {
  return return_pod(uid, nullptr, now);
}

QueueMoves SchedulingQueue::return_pod(const std::string& uid, const PluginNames* plugins,
                                       WallTime now) {
  QueuedPod* flying = in_flight_.find(uid);
  if (flying == nullptr) return {};
  flying->since = now;
  flying->sequence = next_sequence_++;
  if (plugins == nullptr || plugins->empty()) {
    ++flying->errors;
    flying->rejected_by.clear();
  } else {
    ++flying->rejections;
    flying->errors = 0;
    flying->rejected_by = *plugins;
  }
  std::string why = missed_event(uid, *flying);
  const bool deleted = in_flight_.is_deleted(uid);
  QueuedPod queued = *in_flight_.end(uid);
  // Another pod with that name may have been added meanwhile.
  if (deleted || entries_.contains(full_name_of(*queued.pod))) return {};
  if (!why.empty()) return {place_by_backoff(std::move(queued), std::move(why), now)};
  return {place(std::move(queued), Place::kUnschedulable, "nothing happened that could help")};
}

std::string SchedulingQueue::missed_event(const std::string& uid, QueuedPod& queued) const {
  if (queued.rejected_by.empty()) return "its cycle failed";
  if (in_flight_.is_wanted(uid)) return "it was asked for while in flight";
  for (const ClusterEvent* event : in_flight_.events_for(uid)) {
    if (std::string why = wants_retry(queued, *event); !why.empty()) return why;
  }
  return "";
}

void SchedulingQueue::done(const std::string& uid) {
  static_cast<void>(in_flight_.end(uid));
}

// --- events --------------------------------------------------------------------------------------

std::string SchedulingQueue::wants_retry(QueuedPod& queued, const ClusterEvent& event) const {
  if (event.resource == EventResource::kAny) return label_of(event);
  const HintArguments* arguments = arguments_for(*queued.pod);
  if (arguments == nullptr) return "";
  compile_needs(queued, *arguments);
  const auto reason =
      worth_requeuing(*queued.pod, *queued.needs, queued.rejected_by, event, *arguments);
  if (!reason) return "";
  return reason->plugin.empty() ? label_of(event)
                                : label_of(event) + " may help with " + reason->plugin;
}

void SchedulingQueue::compile_needs(QueuedPod& queued, const HintArguments& arguments) const {
  if (!queued.needs) queued.needs = needs_of(*queued.pod);
  const bool takes_defaults = queued.pod->spec.topologySpreadConstraints.empty() &&
                              !arguments.default_constraints.empty() &&
                              settings_.selectors != nullptr;
  if (!takes_defaults || !queued.rejected_by.contains("PodTopologySpread")) return;
  // Recomputed each time, since services are added and removed.
  queued.needs->spread =
      default_spread(arguments.default_constraints, settings_.selectors->selector_for(*queued.pod));
}

QueueMoves SchedulingQueue::move_unschedulable(const Names& names, const ClusterEvent& event,
                                               WallTime now) {
  QueueMoves moves;
  for (const std::string& name : names) {
    QueuedPod& queued = entries_.at(name).queued;
    // A gated pod is held by its gate, regardless of what rejected it before.
    if (queued.gate && !is_registered(queued.gate->plugin, event)) continue;
    if (std::string why = wants_retry(queued, event); !why.empty()) {
      moves.push_back(place_by_backoff(*take(name), std::move(why), now));
    }
  }
  in_flight_.record(event);
  return moves;
}

QueueMoves SchedulingQueue::on_event(const ClusterEvent& event, WallTime now) {
  Names names;
  for (const auto& [name, entry] : entries_) {
    if (entry.place == Place::kUnschedulable) names.push_back(name);
  }
  return move_unschedulable(names, event, now);
}

// Pods of higher priority ignored the nomination.
QueueMoves SchedulingQueue::move_for_lesser(const PodPtr& nominated, WallTime now) {
  Names names;
  for (const auto& [name, entry] : entries_) {
    const bool counted = priority_of(*entry.queued.pod) <= priority_of(*nominated);
    if (entry.place == Place::kUnschedulable && counted) names.push_back(name);
  }
  return move_unschedulable(names, assigned_pod_deleted(nominated), now);
}

QueueMoves SchedulingQueue::flush_unschedulable(WallTime now) {
  Names names;
  for (const auto& [name, entry] : entries_) {
    const bool waited = now - entry.queued.since > kLongestUnschedulable;
    if (entry.place == Place::kUnschedulable && waited) names.push_back(name);
  }
  if (names.empty()) return {};
  return move_unschedulable(names, unschedulable_timeout(), now);
}

QueueMoves SchedulingQueue::flush_backoff(WallTime now) {
  QueueMoves moves;
  for (std::set<BackoffKey>* heap : {&backoff_, &error_backoff_}) {
    while (!heap->empty() && !is_backing_off(std::get<WallTime>(*heap->begin()), now)) {
      const std::string name = std::get<std::string>(std::get<ActiveKey>(*heap->begin()));
      moves.push_back(place(*take(name), Place::kActive, "its backoff is over"));
    }
  }
  return moves;
}

std::optional<WallTime> SchedulingQueue::next_flush() const {
  std::optional<WallTime> next;
  const auto consider = [&next](WallTime time) {
    if (!next || time < *next) next = time;
  };
  for (const std::set<BackoffKey>* heap : {&backoff_, &error_backoff_}) {
    // The backoff includes its last second.
    if (!heap->empty()) consider(std::get<WallTime>(*heap->begin()) + std::chrono::seconds(1));
  }
  for (const auto& [name, entry] : entries_) {
    if (entry.place == Place::kUnschedulable)
      consider(entry.queued.since + kLongestUnschedulable + std::chrono::nanoseconds(1));
  }
  return next;
}

QueueMoves SchedulingQueue::activate(const std::string& name) {
  const auto found = entries_.find(name);
  if (found == entries_.end() || found->second.place == Place::kActive) return {};
  return {place_active(*take(name), "it was activated")};
}

QueueView SchedulingQueue::view() const {
  QueueView view{.in_flight = in_flight_.names()};
  for (const auto& [name, entry] : entries_) {
    switch (entry.place) {
      case Place::kActive:
        view.active.push_back(name);
        break;
      case Place::kBackoff:
      case Place::kErrorBackoff:
        view.backoff[name] = expiry_of(entry.queued, settings_.backoff);
        break;
      case Place::kUnschedulable:
        if (entry.queued.gate) {
          view.gated[name] = *entry.queued.gate;
        } else {
          view.unschedulable.push_back(name);
        }
        break;
    }
  }
  return view;
}

}  // namespace berth::scheduling
