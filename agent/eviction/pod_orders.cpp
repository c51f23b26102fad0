// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/pod_orders.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "eviction/ranking.hpp"
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

// Pods whose eviction an earlier berthd ordered have the time that is left until their kill
// timeout.
void PodOrders::resume_ordered() {
  for (const auto& memory : ordered_to_go(pods_.recalled())) {
    ordered_.emplace(memory->uid, memory->pod);
    if (memory->verdict != lifecycle::Verdict::kNone) continue;
    const lifecycle::EndInForce& end = *memory->end;
    const Nanoseconds passed = clock_.wall_now() - end.ending.requested_at;
    const Nanoseconds timeout = eviction::kill_timeout(end.grace_seconds);
    deadlines_.ordered(memory->uid, clock_.steady_now() +
                                        std::clamp(timeout - passed, Nanoseconds::zero(), timeout));
  }
  const auto is_collected = [this](const std::string& uid) { return pods_.is_collected(uid); };
  for (const auto& memory : collected_since(pods_.recalled(), is_collected)) {
    collected_.insert(memory->uid);
    evicted_.add(*memory->pod, clock_.steady_now());
  }
  changed_.ring();
}

// A collected pod is over, and its manifest still waits for the next incarnation.
void PodOrders::disappeared(const std::string& uid) {
  if (evicted_.waits(uid) && pods_.is_collected(uid)) {
    collected_.insert(uid);
    return;
  }
  evicted_.remove(uid);
  ordered_.erase(uid);
}

// A collected pod is not shown again: this is another pod, with its uid.
void PodOrders::is_shown(const std::string& uid) {
  if (collected_.erase(uid) == 0) return;
  evicted_.remove(uid);
  ordered_.erase(uid);
}

// The end of a collected pod is not reported; another pod may have its uid by now.
bool PodOrders::still_waits(const std::string& uid) {
  if (collected_.erase(uid) == 0) return !pods_.is_to_be_removed(uid);
  ordered_.erase(uid);
  return pods_.is_collected(uid);
}

boost::asio::awaitable<void> PodOrders::follow() {
  const auto watch = pods_.watch();
  resume_ordered();
  while (const auto change = co_await watch->next()) {
    const api::Pod& pod = *change->pod;
    if (change->type == lifecycle::ChangeType::kDeleted) {
      disappeared(pod.metadata.uid);
    } else {
      is_shown(pod.metadata.uid);
      if (was_evicted(pod, ordered(pod.metadata.uid))) evicted_.add(pod, clock_.steady_now());
    }
    changed_.ring();
  }
}

boost::asio::awaitable<void> PodOrders::bring_back(
    std::function<bool()> may, std::function<void(const std::string& uid)> returning) {
  constexpr Nanoseconds kNever = std::chrono::hours(24);
  for (;;) {
    SteadyTime next = clock_.steady_now() + kNever;
    if (may()) {
      for (const std::string& uid : evicted_.due(clock_.steady_now())) {
        evicted_.remove(uid);
        if (!still_waits(uid)) continue;
        returning(uid);
        pods_.order(uid, lifecycle::returns(clock_.wall_now()));
      }
      next = std::min(next, evicted_.next().value_or(next));
    }
    co_await changed_.wait_until(clock_, next);
  }
}

boost::asio::awaitable<void> PodOrders::report_late(std::function<void(const api::Pod& pod)> late) {
  constexpr Nanoseconds kNever = std::chrono::hours(24);
  for (;;) {
    report_late_now(late);
    const SteadyTime never = clock_.steady_now() + kNever;
    co_await changed_.wait_until(clock_, deadlines_.next().value_or(never));
  }
}

void PodOrders::report_late_now(const std::function<void(const api::Pod& pod)>& late) {
  const PodList pods = active();
  const auto find = [&pods](const std::string& uid) {
    return std::ranges::find(pods, uid, [](const auto& one) { return one->metadata.uid; });
  };
  for (const std::string& uid : deadlines_.awaited())
    if (find(uid) == pods.end()) deadlines_.ended(uid);
  for (const std::string& uid : deadlines_.newly_late(clock_.steady_now())) late(**find(uid));
}

PodList PodOrders::active() const {
  PodList pods = pods_.active();
  std::erase_if(pods, [](const auto& pod) { return !eviction::may_be_ranked(*pod); });
  return pods;
}

// A pod that finished since it was ranked is still shown as active while its sandbox is stopped.
bool PodOrders::evict(const eviction::Eviction& eviction) {
  const std::string& uid = eviction.pod.uid;
  const PodList pods = active();
  const auto pod = std::ranges::find(pods, uid, [](const auto& one) { return one->metadata.uid; });
  if (pod == pods.end() || !pods_.order(uid, ending_of(eviction, clock_.wall_now()))) return false;
  is_shown(uid);
  ordered_.insert_or_assign(uid, *pod);
  deadlines_.ordered(uid,
                     clock_.steady_now() + eviction::kill_timeout(eviction.grace_period_override));
  changed_.ring();
  return true;
}

const api::Pod* PodOrders::ordered(const std::string& uid) const {
  const auto found = ordered_.find(uid);
  return found == ordered_.end() ? nullptr : found->second.get();
}

boost::asio::awaitable<void> PodOrders::until_released(std::vector<std::string> uids,
                                                       SteadyTime deadline) {
  return pods_.until_released(std::move(uids), deadline);
}

}  // namespace berth::agent
