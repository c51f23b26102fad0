// SPDX-License-Identifier: Apache-2.0

// Removes what is left on the machine (files, mounts, cgroups) of pods that nobody starts, and
// retries until that succeeds.
//
// A failed removal is logged once for each reason. While something of a uid is being removed, no
// pod with that uid may begin (`is_under_way`). Whoever runs one of the coroutines cancels and
// joins it before this object is destroyed. Loop thread only.
#pragma once

#include <functional>
#include <set>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "lifecycle/obstacles.hpp"
#include "node/host.hpp"

namespace berth::lifecycle {

struct CleanupServices {
  node::Host& host;
  Clock& clock;
  Log& log;
};

class PodCleanup {
 public:
  // `on_cleaned`: called when an attempt is over, whatever its outcome.
  PodCleanup(const CleanupServices& services, std::function<void()> on_cleaned)
      : services_(services), on_cleaned_(std::move(on_cleaned)) {}
  PodCleanup(const PodCleanup&) = delete;
  PodCleanup& operator=(const PodCleanup&) = delete;
  ~PodCleanup() = default;

  [[nodiscard]] bool is_under_way(const std::string& uid) const { return under_way_.contains(uid); }

  // Removes whatever an earlier berthd prepared, except for uids that are `kept`. Completes when
  // nothing of it is left.
  [[nodiscard]] boost::asio::awaitable<void> clean_leftovers(
      std::function<bool(const std::string& uid)> kept);
  // Cleans up one pod, as long as that is `due`. A berthd that was killed may have prepared it: a
  // pod is prepared before it is stored.
  [[nodiscard]] boost::asio::awaitable<void> clean(PodPtr pod, std::function<bool()> due);

 private:
  [[nodiscard]] boost::asio::awaitable<Result<node::Nothing>> try_once(PodPtr pod);
  void log_obstacle(Obstacles& logged, const std::string& uid, const Error& error) const;

  const CleanupServices services_;
  const std::function<void()> on_cleaned_;
  std::multiset<std::string> under_way_{};  // uids
};

}  // namespace berth::lifecycle
