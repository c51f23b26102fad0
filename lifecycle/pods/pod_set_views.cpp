// What the pod set shows: listings, decisions, watches.

#include <algorithm>
#include <tuple>
#include <utility>

#include "lifecycle/pods/pod_record.hpp"
#include "lifecycle/pods/pod_set.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {
namespace {

std::string to_string(RecordState state) {
  switch (state) {
    case RecordState::kWaiting:
      return "waiting";
    case RecordState::kWanted:
      return "to be admitted";
    case RecordState::kHeld:
      return "held";
    case RecordState::kRejected:
      return "rejected";
    case RecordState::kWorking:
      return "working";
    case RecordState::kCollected:
      return "collected";
  }
  return {};
}

}  // namespace

std::vector<PodPtr> PodSet::snapshot() const {
  std::vector<PodPtr> pods;
  for (const auto& [uid, record] : records_)
    if (record->shown && !record->hidden) pods.push_back(record->shown);
  std::ranges::sort(pods, [](const PodPtr& a, const PodPtr& b) {
    return std::tie(a->metadata.namespace_, a->metadata.name, a->metadata.uid) <
           std::tie(b->metadata.namespace_, b->metadata.name, b->metadata.uid);
  });
  return pods;
}

std::vector<PodPtr> PodSet::active() const {
  std::vector<PodPtr> active;
  for (const auto& [uid, record] : records_) {
    if (!record->worker || record->unknown || record->hidden) continue;
    const WorkerState state = record->worker->state();
    if (state == WorkerState::kSyncing || state == WorkerState::kEnding)
      active.push_back(record->shown ? record->shown : record->pod);
  }
  return active;
}

PodPtr PodSet::find(const std::string& namespace_, const std::string& name) const {
  const Record* record = find_record(namespace_, name);
  return record == nullptr ? nullptr : record->shown;
}

// The oldest of that name: the one that has it.
PodSet::Record* PodSet::find_record(const std::string& namespace_, const std::string& name) const {
  Record* oldest = nullptr;
  for (const auto& [uid, record] : records_) {
    if (record->unknown || record->hidden || record->pod->metadata.name != name ||
        record->pod->metadata.namespace_ != namespace_)
      continue;
    if (oldest == nullptr || record->sequence < oldest->sequence) oldest = record.get();
  }
  return oldest;
}

std::vector<HeldPod> PodSet::held() const {
  std::vector<HeldPod> held;
  for (const auto& [uid, record] : records_) {
    if (!record->worker) continue;
    for (Obstacle& obstacle : record->worker->obstacles()) {
      const auto task = lost_task(obstacle.error);
      held.push_back({.pod = record->shown ? record->shown : record->pod,
                      .obstacle = std::move(obstacle),
                      .lost_task_of = task ? record->worker->container_name(*task) : ""});
    }
  }
  std::ranges::stable_sort(held, {}, [](const HeldPod& one) {
    return std::tie(one.pod->metadata.namespace_, one.pod->metadata.name);
  });
  return held;
}

std::vector<PodActivity> PodSet::activities() const {
  std::vector<PodActivity> activities;
  activities.reserve(records_.size());
  for (const auto& [uid, record] : records_) {
    PodActivity activity;
    if (record->worker) {
      activity = record->worker->activity();
    } else {
      activity.state = to_string(record->state);
      activity.last = record->last;
    }
    activity.pod = record->shown ? record->shown : record->pod;
    activity.shown = !record->hidden && !record->unknown;
    activities.push_back(std::move(activity));
  }
  std::ranges::sort(activities, [](const PodActivity& a, const PodActivity& b) {
    const auto& [left, right] = std::tie(a.pod->metadata, b.pod->metadata);
    return std::tie(left.namespace_, left.name, left.uid) <
           std::tie(right.namespace_, right.name, right.uid);
  });
  return activities;
}

std::shared_ptr<PodWatch> PodSet::watch() {
  auto watch = std::make_shared<PodWatch>(services_.executor);
  for (const PodPtr& pod : snapshot()) watch->push({.type = ChangeType::kAdded, .pod = pod});
  if (stopping_) watch->end();
  std::erase_if(watches_, [](const auto& weak) { return weak.expired(); });
  watches_.push_back(watch);
  return watch;
}

std::size_t PodSet::workers() const {
  return workers_.size();
}

void PodSet::publish(const std::string& uid, const PodPtr& pod) {
  const auto entry = records_.find(uid);
  if (entry == records_.end() || entry->second->unknown) return;
  Record& record = *entry->second;
  seen(uid);
  const ChangeType type = record.shown ? ChangeType::kModified : ChangeType::kAdded;
  record.shown = pod;
  if (record.hidden) return;  // its last state is recorded, and told to nobody
  services_.sink->published(pod);
  tell(type, pod);
  if (is_terminal_phase(pod->status.phase)) look_for_finished();
}

void PodSet::seen(const std::string& uid) {
  if (unseen_.erase(uid) > 0 && unseen_.empty()) seen_bell_.notify();
}

void PodSet::tell(ChangeType type, const PodPtr& pod) {
  ++version_;
  for (const auto& weak : watches_)
    if (const auto watch = weak.lock()) watch->push({.type = type, .pod = pod});
}

}  // namespace berth::lifecycle
