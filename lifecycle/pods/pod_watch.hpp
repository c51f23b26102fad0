// SPDX-License-Identifier: Apache-2.0

// A stream of pod changes for one watcher: first the existing pods, then the changes.
//
// Changes to a pod that the watcher has not fetched yet are folded into one (the newest state), so
// a slow watcher holds at most two entries a pod, and never sees an old state after a new one. Loop
// thread only; one coroutine waits at a time. A watch may outlive the pod set; its stream then
// ends.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/notification.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

enum class ChangeType : std::uint8_t { kAdded, kModified, kDeleted };

struct PodChange {
  ChangeType type = ChangeType::kAdded;
  PodPtr pod{};  // with its status; the last state if deleted
};

class PodWatch {
 public:
  explicit PodWatch(boost::asio::any_io_executor executor) : bell_(std::move(executor)) {}

  // The next change; unset once the stream has ended.
  [[nodiscard]] boost::asio::awaitable<std::optional<PodChange>> next();
  // The next change that is already pending, without waiting.
  [[nodiscard]] std::optional<PodChange> poll();

  // For the pod set.
  void push(PodChange change);
  void end();

 private:
  Notification bell_;
  std::deque<PodChange> pending_;
  // By uid: the place of its newest pending entry, counted from the first entry ever.
  std::unordered_map<std::string, std::uint64_t> newest_;
  std::uint64_t fetched_ = 0;
  bool ended_ = false;
};

}  // namespace berth::lifecycle
