// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_views.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "lifecycle/worker/pod_worker.hpp"

namespace berth::lifecycle {

PodViews::PodViews(boost::asio::any_io_executor executor, const PodRecords& records)
    : executor_(std::move(executor)), records_(records) {}

std::vector<PodPtr> PodViews::snapshot() const {
  std::vector<PodPtr> pods;
  for (const auto& [uid, record] : records_)
    if (record->shown && !record->hidden) pods.push_back(record->shown);
  std::ranges::sort(pods, [](const PodPtr& a, const PodPtr& b) {
    return std::tie(a->metadata.namespace_, a->metadata.name, a->metadata.uid) <
           std::tie(b->metadata.namespace_, b->metadata.name, b->metadata.uid);
  });
  return pods;
}

std::vector<PodPtr> PodViews::active() const {
  std::vector<PodPtr> active;
  for (const auto& [uid, record] : records_) {
    if (!record->worker || record->unknown || record->hidden) continue;
    const WorkerState state = record->worker->state();
    if (state == WorkerState::kSyncing || state == WorkerState::kEnding)
      active.push_back(shown_or_desired(*record));
  }
  return active;
}

std::vector<HeldPod> PodViews::held() const {
  std::vector<HeldPod> held;
  for (const auto& [uid, record] : records_) {
    if (!record->worker) continue;
    for (Obstacle& obstacle : record->worker->obstacles()) {
      const auto task = lost_task(obstacle.error);
      held.push_back({.pod = shown_or_desired(*record),
                      .obstacle = std::move(obstacle),
                      .lost_task_of = task ? record->worker->container_name(*task) : ""});
    }
  }
  std::ranges::stable_sort(held, {}, [](const HeldPod& one) {
    return std::tie(one.pod->metadata.namespace_, one.pod->metadata.name);
  });
  return held;
}

std::vector<PodActivity> PodViews::activities() const {
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
    activity.pod = shown_or_desired(*record);
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

std::shared_ptr<PodWatch> PodViews::watch() {
  auto watch = std::make_shared<PodWatch>(executor_);
  for (const PodPtr& pod : snapshot()) watch->push({.type = ChangeType::kAdded, .pod = pod});
  if (ended_) watch->end();
  std::erase_if(watches_, [](const auto& weak) { return weak.expired(); });
  watches_.push_back(watch);
  return watch;
}

void PodViews::publish(ChangeType type, const PodPtr& pod) {
  ++version_;
  for (const auto& weak : watches_)
    if (const auto watch = weak.lock()) watch->push({.type = type, .pod = pod});
}

void PodViews::end() {
  ended_ = true;
  for (const auto& weak : watches_)
    if (const auto watch = weak.lock()) watch->end();
}

}  // namespace berth::lifecycle
