// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_watch.hpp"

#include <utility>

namespace berth::lifecycle {

boost::asio::awaitable<std::optional<PodChange>> PodWatch::next() {
  while (pending_.empty() && !ended_) co_await bell_.wait();
  co_return poll();
}

std::optional<PodChange> PodWatch::poll() {
  if (pending_.empty()) return std::nullopt;
  PodChange change = std::move(pending_.front());
  pending_.pop_front();
  return change;
}

void PodWatch::push(PodChange change) {
  if (ended_) return;
  const auto& uid = change.pod->metadata.uid;
  for (auto known = pending_.rbegin(); known != pending_.rend(); ++known) {
    if (known->pod->metadata.uid != uid) continue;
    // A pinned uid may return after its end: that is a new entry.
    if (known->type == ChangeType::kDeleted) break;
    if (change.type != ChangeType::kDeleted) change.type = known->type;
    *known = std::move(change);
    return;
  }
  pending_.push_back(std::move(change));
  bell_.notify();
}

void PodWatch::end() {
  ended_ = true;
  bell_.notify();
}

}  // namespace berth::lifecycle
