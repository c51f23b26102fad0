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
  const auto newest = newest_.find(change.pod->metadata.uid);
  if (newest != newest_.end() && newest->second == fetched_) newest_.erase(newest);
  ++fetched_;
  return change;
}

void PodWatch::push(PodChange change) {
  if (ended_) return;
  const std::uint64_t next = fetched_ + pending_.size();
  const auto [newest, is_only] = newest_.try_emplace(change.pod->metadata.uid, next);
  if (!is_only) {
    PodChange& known = pending_[newest->second - fetched_];
    // A pinned uid may return after its end: that is a new entry.
    if (known.type != ChangeType::kDeleted) {
      if (change.type != ChangeType::kDeleted) change.type = known.type;
      known = std::move(change);
      return;
    }
    newest->second = next;
  }
  pending_.push_back(std::move(change));
  bell_.notify();
}

void PodWatch::end() {
  ended_ = true;
  bell_.notify();
}

}  // namespace berth::lifecycle
