#include "agent/eviction/pod_orders.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "lifecycle/ending.hpp"

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
  while (co_await watch->next()) changed_.ring();
}

bool PodOrders::evict(const eviction::Eviction& eviction) {
  return pods_.order(eviction.pod.uid, ending_of(eviction, clock_.wall_now()));
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
