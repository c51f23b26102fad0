// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_cleanup.hpp"

#include <memory>
#include <utility>

#include "lifecycle/worker/retry_table.hpp"

namespace berth::lifecycle {

boost::asio::awaitable<void> PodCleanup::clean_leftovers(
    std::function<bool(const std::string& uid)> kept) {
  Clock& clock = services_.clock;
  RetryTable retries;
  Obstacles logged;
  for (;;) {
    bool done = false;
    auto uids = co_await services_.host.leftover_pods();
    if (uids) {
      done = true;
      for (const std::string& uid : *uids) {
        if (kept(uid)) continue;
        auto pod = std::make_shared<api::Pod>();
        pod->metadata.uid = uid;
        auto cleaned = co_await try_once(std::move(pod));
        if (cleaned) continue;
        done = false;
        log_obstacle(logged, uid, cleaned.error());
      }
    } else {
      log_obstacle(logged, {}, uids.error());
    }
    if (done) co_return;
    retries.failed("leftovers", clock.steady_now());
    const auto next = retries.next(clock.steady_now());
    co_await clock.sleep_until(*next);
  }
}

boost::asio::awaitable<void> PodCleanup::clean(PodPtr pod, std::function<bool()> due) {
  Clock& clock = services_.clock;
  const std::string uid = pod->metadata.uid;
  RetryTable retries;
  Obstacles logged;
  while (due()) {
    auto cleaned = co_await try_once(pod);
    if (cleaned) co_return;
    log_obstacle(logged, uid, cleaned.error());
    retries.failed(uid, clock.steady_now());
    const auto next = retries.next(clock.steady_now());
    co_await clock.sleep_until(*next);
  }
}

void PodCleanup::log_obstacle(Obstacles& logged, const std::string& uid, const Error& error) const {
  if (!logged.met({.kind = ObstacleKind::kCleanup, .id = uid, .error = error.message})) return;
  services_.log.warn("Cleanup", error.message + "; it is tried again until it works",
                     {{"POD_UID", uid}});
}

boost::asio::awaitable<Result<node::Nothing>> PodCleanup::try_once(PodPtr pod) {
  const auto under_way = under_way_.insert(pod->metadata.uid);
  auto cleaned = co_await services_.host.cleanup_pod(std::move(pod), true);
  under_way_.erase(under_way);
  on_cleaned_();
  co_return cleaned;
}

}  // namespace berth::lifecycle
