// SPDX-License-Identifier: Apache-2.0

#include "tests/integration/kill_record.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace berth::integration {
namespace {

constexpr int kKilled = 137;
// The shim waits this long for the output of a command to be opened.
constexpr std::chrono::seconds kHeldBackAtMost{30};
// Longer than it takes to persist what is shown.
constexpr std::chrono::seconds kStoredWithin{1};

void append(Differences& to, Differences more) {
  std::ranges::move(more, std::back_inserter(to));
}

std::string text(WallTime at) {
  return api::Time{at}.to_string();
}

// The id without the runtime's name.
std::string bare(const std::string& container_id) {
  const auto at = container_id.find("://");
  return at == std::string::npos ? container_id : container_id.substr(at + 3);
}

bool is_past_deadline(const api::Pod& pod, WallTime now) {
  const auto& deadline = pod.metadata.deletionTimestamp;
  return deadline && now > deadline->at;
}

const api::ContainerStatus* status_named(const api::Pod& pod, const std::string& name) {
  for (const auto* status : container_statuses(pod))
    if (status->name == name) return status;
  return nullptr;
}

}  // namespace

void KillRecord::killed(WallTime now) {
  ++life_;
  killed_at_ = now;
  kills_.push_back(now);
}

Differences KillRecord::look(const api::Pod& shown, WallTime now) {
  const std::string& uid = shown.metadata.uid;
  ++compared_.looks;
  const ShownAt at{.now = now,
                   .undisturbed_since = killed_at_ + kShortestStop,
                   .ends_held_back = is_past_deadline(shown, now) && !runs_on(shown)};
  Differences found = impossible(shown, at);
  if (shown.metadata.deletionTimestamp && !may_go(shown))
    found.push_back(shown.metadata.name + ": it is being stopped, and nobody asked for that");
  // The watch of the same berthd may still report the pod's end.
  const auto gone = gone_.find(uid);
  if (gone != gone_.end() && gone->second != life_)
    found.push_back(shown.metadata.name + ": it was gone, and is there again with the same uid");
  const auto known = pods_.find(uid);
  if (known == pods_.end()) {
    pods_.emplace(uid, Known{.shown = shown, .life = life_, .since = now});
  } else {
    compare(known->second, shown, at, found);
  }
  for (const auto* status : container_statuses(shown))
    if (!status->containerID.empty()) containers_[bare(status->containerID)] = uid;
  return found;
}

void KillRecord::compare(Known& known, const api::Pod& shown, ShownAt at, Differences& found) {
  // Later lives may have been too short to show the pod.
  at.stored_before = known.life == life_ ||
                     kills_.at(static_cast<std::size_t>(known.life)) - known.since >= kStoredWithin;
  Differences changes = forbidden_changes(known.shown, shown, at);
  if (!changes.empty())
    changes.push_back(fmt::format("  before, in life {} since {}: {}\n  now, in life {}: {}",
                                  known.life, text(known.since), summary(known.shown), life_,
                                  summary(shown)));
  append(found, std::move(changes));
  count(known, shown);
  if (known.shown != shown) known.since = at.now;
  known.shown = shown;
  known.life = life_;
}

bool KillRecord::may_go(const api::Pod& pod) const {
  return expectation(pod) == kChangingPod || manifests_removed_.contains(pod.metadata.name);
}

void KillRecord::count(const Known& before, const api::Pod& after) {
  const bool across = before.life != life_;
  if (across) ++compared_.across_kills;
  for (const auto* was : container_statuses(before.shown)) {
    const auto* is = status_named(after, was->name);
    if (is == nullptr) continue;
    if (is->restartCount > was->restartCount) ++compared_.restarts;
    if (!across || is->restartCount != was->restartCount) continue;
    if (!was->containerID.empty()) ++compared_.ids;
    if (was->ready) ++compared_.ready;
    if (backoff_over_at(*was)) ++compared_.backoffs;
  }
  if (across && before.shown.metadata.deletionTimestamp) ++compared_.deadlines;
}

Differences KillRecord::list(const std::vector<api::Pod>& shown, WallTime now) {
  ++compared_.lists;
  Differences found;
  std::set<std::string> uids;
  std::set<std::string> names;
  for (const api::Pod& pod : shown) {
    if (gone_.contains(pod.metadata.uid))
      found.push_back(pod.metadata.name + ": it was gone, and is listed again with the same uid");
    uids.insert(pod.metadata.uid);
    if (!names.insert(pod.metadata.name).second)
      found.push_back(pod.metadata.name + ": it is listed twice");
  }
  for (const auto& [uid, known] : pods_) {
    if (uids.contains(uid) || !gone_.emplace(uid, life_).second) continue;
    const auto& pod = known.shown;
    if (!may_go(pod))
      found.push_back(pod.metadata.name + ": it is gone, and nobody asked for that");
    const auto& deadline = pod.metadata.deletionTimestamp;
    if (expectation(pod) == kDeafPod && deadline && now < deadline->at)
      found.push_back(fmt::format("{}: it is gone, and had until {}", pod.metadata.name,
                                  deadline->to_string()));
  }
  return found;
}

bool KillRecord::someone_outlives_deadline(WallTime now) const {
  return std::ranges::any_of(pods_, [&](const auto& item) {
    const api::Pod& pod = item.second.shown;
    return is_past_deadline(pod, now) && !gone_.contains(item.first) && runs_on(pod);
  });
}

bool KillRecord::runs_on(const api::Pod& pod) const {
  return std::ranges::any_of(container_statuses(pod), [this](const auto* status) {
    return status->state.running && !kill_sent_(bare(status->containerID));
  });
}

Differences KillRecord::compare_next(const api::Pod& pod, WallTime next, WallTime now) {
  Differences found;
  const auto known = pods_.find(pod.metadata.uid);
  if (known == pods_.end()) return found;
  const auto before = std::exchange(known->second.next_time, NextTime{.next = next, .life = life_});
  if (!before || before->life == life_) return found;
  ++compared_.next_times;
  if (next != before->next && now < before->next)
    found.push_back(fmt::format("{}: what comes next was to be at {}, and is to be at {}",
                                pod.metadata.name, text(before->next), text(next)));
  return found;
}

Differences KillRecord::exited(const ContainerExit& exit) {
  Differences found;
  const auto of = containers_.find(exit.id);
  if (of == containers_.end()) return found;
  const api::Pod& pod = pods_.at(of->second).shown;
  const auto& deadline = pod.metadata.deletionTimestamp;
  const bool runs_on = expectation(pod) == kReadyPod || expectation(pod) == kUnreadyPod;
  if (runs_on && !may_go(pod))
    found.push_back(fmt::format("{}: a container ended at {} with {}, and should run on",
                                pod.metadata.name, text(exit.at), exit.code));
  if (expectation(pod) != kDeafPod) return found;
  if (!deadline) {
    found.push_back(fmt::format("{}: a container ended at {}, before any deadline was shown",
                                pod.metadata.name, text(exit.at)));
    return found;
  }
  ++compared_.kills;
  const WallTime ended = std::min(kill_sent_(exit.id).value_or(exit.at), exit.at);
  if (exit.code != kKilled || ended < deadline->at || exit.at > ended + kHeldBackAtMost + kLate ||
      ended > std::max(deadline->at, killed_at_ + kShortestStop) + kLate)
    found.push_back(fmt::format(
        "{}: it had until {}, berthd has been there since {}, a container was ended at {}, and "
        "the runtime said so at {}, with {}",
        pod.metadata.name, deadline->to_string(), text(killed_at_), text(ended), text(exit.at),
        exit.code));
  return found;
}

}  // namespace berth::integration
