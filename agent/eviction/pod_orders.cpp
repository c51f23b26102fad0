#include "agent/eviction/pod_orders.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "lifecycle/ending.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::agent {
namespace {

lifecycle::Ending ending_of(const eviction::Eviction& eviction, WallTime now) {
  if (std::holds_alternative<eviction::ExceededLimit>(eviction.cause))
    return lifecycle::evicted_for_storage(eviction.message, now);
  return lifecycle::evicted(eviction.message, std::chrono::seconds(eviction.grace_period_override),
                            now);
}

}  // namespace

boost::asio::awaitable<void> PodOrders::follow() {
  const auto watch = pods_.watch();
  while (const auto change = co_await watch->next()) {
    const api::Pod& pod = *change->pod;
    const bool succeeded = pod.status.phase == lifecycle::kSucceeded;
    if (change->type == lifecycle::ChangeType::kDeleted) {
      evicted_.remove(pod.metadata.uid);
      ordered_.erase(pod.metadata.uid);
    } else if (was_evicted(pod) || (succeeded && ordered_.contains(pod.metadata.uid))) {
      evicted_.add(pod, clock_.steady_now());
    }
    changed_.ring();
  }
}

// A deletion while the manifest remains is followed by the next incarnation, as an operator's is.
boost::asio::awaitable<void> PodOrders::bring_back(
    std::function<bool()> may, std::function<void(const std::string& uid)> returning) {
  constexpr Nanoseconds kNever = std::chrono::hours(24);
  for (;;) {
    SteadyTime next = clock_.steady_now() + kNever;
    if (may()) {
      for (const std::string& uid : evicted_.due(clock_.steady_now())) {
        evicted_.remove(uid);
        returning(uid);
        pods_.order(uid, lifecycle::deleted(std::nullopt, clock_.wall_now()));
      }
      next = std::min(next, evicted_.next().value_or(next));
    }
    co_await changed_.wait_until(clock_, next);
  }
}

bool PodOrders::evict(const eviction::Eviction& eviction) {
  const bool taken = pods_.order(eviction.pod.uid, ending_of(eviction, clock_.wall_now()));
  if (taken) ordered_.insert(eviction.pod.uid);
  return taken;
}

boost::asio::awaitable<void> PodOrders::until_ended(std::vector<std::string> uids,
                                                    SteadyTime deadline) {
  const auto any_left = [&] {
    return std::ranges::any_of(pods_.active(), [&](const auto& pod) {
      return std::ranges::find(uids, pod->metadata.uid) != uids.end();
    });
  };
  while (any_left() && clock_.steady_now() < deadline)
    co_await changed_.wait_until(clock_, deadline);
}

}  // namespace berth::agent
