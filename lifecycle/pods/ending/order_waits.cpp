// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/ending/order_waits.hpp"

#include <algorithm>
#include <chrono>

#include "lifecycle/pods/pod_set_parts.hpp"
#include "lifecycle/worker/pod_worker.hpp"

namespace berth::lifecycle {
namespace {

// How long whoever gave an order waits for the store.
constexpr Nanoseconds kOrderWaitsForStore = std::chrono::seconds(1);

}  // namespace

OrderWaits::OrderWaits(PodSetParts& parts)
    : clock_(*parts.services.clock),
      tasks_(parts.tasks),
      records_(parts.records),
      verdicts_(parts.verdicts),
      settled_bell_(parts.settled_bell) {}

bool OrderWaits::are_stored(const std::string& uid) const {
  if (verdicts_.is_being_stored(uid)) return false;
  const PodRecord* record = records_.find(uid);
  if (record == nullptr) return true;
  if (record->worker) return record->worker->orders_kept();
  // Without a worker, an ordered end is carried out at once, and its verdict is stored then.
  return !record->ending;
}

boost::asio::awaitable<bool> OrderWaits::stored(std::string uid) {
  const SteadyTime until = clock_.steady_now() + kOrderWaitsForStore;
  bool known = are_stored(uid);
  while (!known && !tasks_.stopping()) {
    const bool rang = co_await settled_bell_.wait_until(clock_, until);
    known = are_stored(uid);
    if (!rang) break;
  }
  co_return known;
}

bool OrderWaits::is_released(const std::string& uid) const {
  const PodRecord* record = records_.find(uid);
  return record == nullptr || !record->worker || record->worker->is_released();
}

boost::asio::awaitable<void> OrderWaits::until_released(std::vector<std::string> uids,
                                                        SteadyTime deadline) {
  const auto is_left = [this](const std::string& uid) { return !is_released(uid); };
  while (std::ranges::any_of(uids, is_left) && !tasks_.stopping() && clock_.steady_now() < deadline)
    co_await settled_bell_.wait_until(clock_, deadline);
}

}  // namespace berth::lifecycle
