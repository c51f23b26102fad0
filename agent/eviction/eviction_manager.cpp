// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/eviction_manager.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace berth::agent {
namespace {

using eviction::CycleVerdict;

// How long an eviction is waited for before the next look, from when its pod is late on (the
// kubelet's pod cleanup timeout).
constexpr Nanoseconds kEndPatience = std::chrono::seconds(30);
// Pods are measured for the history, and for limits on local storage; before anybody goes they are
// measured anyway. While a limit is near, as often as the kubelet does.
constexpr Nanoseconds kPodsEvery = std::chrono::minutes(1);
constexpr Nanoseconds kPodsEveryNearALimit = std::chrono::seconds(10);
// The history is made for one sample a second (eviction/history.hpp).
constexpr Nanoseconds kSampleEvery = std::chrono::seconds(1);

bool acts(CycleVerdict verdict) {
  switch (verdict) {
    case CycleVerdict::kLimitsExceeded:
    case CycleVerdict::kReclaimOnNode:
    case CycleVerdict::kEvict:
    case CycleVerdict::kNobodyEvictable:
    case CycleVerdict::kNoPods:
      return true;
    default:
      return false;
  }
}

// What a decision to act is to be made from; unset: `has` is fresh enough for it.
std::optional<Freshness> still_to_measure(const eviction::CycleDecision& decision, Freshness has) {
  if (!acts(decision.verdict)) return std::nullopt;
  const bool for_memory = decision.verdict != CycleVerdict::kLimitsExceeded &&
                          decision.attempted == eviction::StarvedResource::kMemory;
  const Freshness wanted = for_memory ? Freshness::kFreshMemory : Freshness::kFresh;
  return has < wanted ? std::optional(wanted) : std::nullopt;
}

PodDetail usual_detail(const eviction::EvictionConfig& config) {
  const bool pods = std::ranges::any_of(config.thresholds, [](const auto& threshold) {
    const auto resource = eviction::traits(threshold.signal).resource;
    return resource == eviction::StarvedResource::kPids ||
           resource == eviction::StarvedResource::kIo;
  });
  return pods ? PodDetail::kPods : PodDetail::kMemory;
}

eviction::EvictionConfig without_limits(eviction::EvictionConfig config) {
  config.local_storage_capacity_isolation = false;
  return config;
}

bool is_blind(CycleVerdict verdict) {
  return verdict == CycleVerdict::kNoLayout || verdict == CycleVerdict::kNoReadings;
}

bool somebody_should_go(CycleVerdict verdict) {
  return verdict == CycleVerdict::kNobodyEvictable || verdict == CycleVerdict::kNoPods;
}

// Of those that were measured, as they are now; who has finished meanwhile is no candidate, and
// neither is the next incarnation under a pinned uid, of which nothing was measured. Annotations
// tell incarnations apart.
PodList still_active(const PodList& measured, const PodList& now) {
  std::unordered_map<std::string_view, std::shared_ptr<const api::Pod>> by_uid;
  for (const auto& pod : now) by_uid.emplace(pod->metadata.uid, pod);
  PodList out;
  for (const auto& pod : measured) {
    const auto same = by_uid.find(pod->metadata.uid);
    if (same != by_uid.end() && same->second->metadata.annotations == pod->metadata.annotations)
      out.push_back(same->second);
  }
  return out;
}

}  // namespace

EvictionManager::EvictionManager(Services services, eviction::EvictionConfig config,
                                 eviction::Rates fastest)
    : services_(std::move(services)),
      config_(std::move(config)),
      without_limits_(without_limits(config_)),
      fastest_(std::move(fastest)),
      bell_(services_.executor) {}

void EvictionManager::take(eviction::EvictionConfig config) {
  config_ = std::move(config);
  without_limits_ = without_limits(config_);
  look_soon();
}

boost::asio::awaitable<void> EvictionManager::run() {
  for (;;) {
    Going going = co_await look();
    if (going.uids.empty()) {
      co_await bell_.wait_until(services_.clock, services_.clock.steady_now() + interval());
      continue;
    }
    const SteadyTime limit = services_.clock.steady_now() + going.kill_timeout + kEndPatience;
    auto released = services_.orders.until_released(std::move(going.uids), limit);
    co_await std::move(released);
    if (going.for_pressure) state_.pressure.last_eviction = services_.clock.steady_now();
  }
}

// What an idle node is decided by may be some seconds old where it changes slowly; what somebody is
// evicted for may not. That a file system is near its threshold is no reason to measure the pods:
// they are, once somebody is to go. Limits of local storage depend on pods alone: while these are
// not measured anew, nobody exceeds any that was not found before.
boost::asio::awaitable<EvictionManager::Going> EvictionManager::look() {
  Measured measured = co_await measure(node_freshness(), Freshness::kCheap);
  eviction::CycleInput input = input_of(measured);
  eviction::CycleDecision decision =
      decide_cycle(measured.pods_are_new ? config_ : without_limits_, state_, input);
  while (const auto fresher = still_to_measure(decision, measured.freshness)) {
    measured = co_await measure(*fresher, *fresher);
    input = input_of(measured);
    decision = decide_cycle(config_, state_, input);
  }
  for (PodList whole = undetailed(decision, measured); !whole.empty();
       whole = undetailed(decision, measured)) {
    co_await measure_containers(std::move(whole), measured);
    input = input_of(measured);
    decision = decide_cycle(config_, state_, input);
  }
  const eviction::EvictionState before = come_into_force(decision);
  Done done = co_await act(std::move(decision), measured, before);
  state_ = done.decision.state;
  tell(done.decision);
  remember(done, measured);
  if (services_.looked) services_.looked();
  co_return std::move(done.going);
}

boost::asio::awaitable<EvictionManager::Measured> EvictionManager::measure(Freshness of_node,
                                                                           Freshness of_pods) {
  Measured out{.pods = services_.orders.active(),
               .at = services_.clock.steady_now(),
               .freshness = std::min(of_node, of_pods)};
  out.readings.node = co_await services_.readings.node(of_node);
  const bool pods_due = !pods_at_ || services_.clock.steady_now() - *pods_at_ >= pods_period();
  out.pods_are_new = pods_due || of_pods != Freshness::kCheap;
  if (of_pods != Freshness::kCheap) {
    const bool all = of_pods == Freshness::kFresh;
    co_await measure_pods(out.pods, all ? PodDetail::kContainers : PodDetail::kMemory);
    out.pods = still_active(out.pods, services_.orders.active());
  } else if (pods_due) {
    co_await measure_pods(out.pods, usual_detail(config_));
  }
  if (pods_) out.readings.pods = pods_->readings;
  out.layout = services_.readings.layout();
  co_return out;
}

boost::asio::awaitable<void> EvictionManager::measure_pods(PodList pods, PodDetail detail) {
  auto seen = std::make_shared<eviction::PodsSeen>();
  seen->pods = pods;
  auto reading = services_.readings.pods(std::move(pods), detail);
  seen->readings = co_await std::move(reading);
  pods_ = std::move(seen);
  pods_at_ = services_.clock.steady_now();
}

boost::asio::awaitable<void> EvictionManager::measure_containers(PodList pods, Measured& measured) {
  for (const auto& pod : pods) measured.detailed.insert(pod->metadata.uid);
  auto reading = services_.readings.pods(std::move(pods), PodDetail::kContainers);
  for (auto& [uid, whole] : co_await std::move(reading))
    measured.readings.pods[uid].containers = std::move(whole.containers);
  measured.pods = still_active(measured.pods, services_.orders.active());
}

// Those who would go for memory, and of whom only the sum is known.
PodList EvictionManager::undetailed(const eviction::CycleDecision& decision,
                                    const Measured& measured) {
  PodList out;
  if (measured.freshness != Freshness::kFreshMemory) return out;
  for (const eviction::Eviction& eviction : decision.evictions) {
    if (measured.detailed.contains(eviction.pod.uid)) continue;
    const auto pod = std::ranges::find_if(measured.pods, [&eviction](const auto& one) {
      return one->metadata.uid == eviction.pod.uid;
    });
    if (pod != measured.pods.end()) out.push_back(*pod);
  }
  return out;
}

eviction::CycleInput EvictionManager::input_of(const Measured& measured) const {
  eviction::CycleInput input{
      .readings = &measured.readings, .layout = measured.layout, .now = measured.at};
  for (const auto& pod : measured.pods) input.pods.push_back(pod.get());
  return input;
}

// Before anything is done, which can take minutes: pods are not let in meanwhile, and the Node
// shows why.
eviction::EvictionState EvictionManager::come_into_force(const eviction::CycleDecision& decision) {
  standing_ = decision.thresholds;
  auto before = std::exchange(state_, decision.state);
  if (shown_ != state_.pressure.conditions) {
    shown_ = state_.pressure.conditions;
    services_.teller.conditions(*shown_);
  }
  return before;
}

boost::asio::awaitable<EvictionManager::Done> EvictionManager::act(
    eviction::CycleDecision decision, const Measured& measured,
    const eviction::EvictionState& before) {
  Done done;
  if (decision.attempted) services_.teller.attempting(decision);
  if (decision.verdict == CycleVerdict::kReclaimOnNode) {
    for (const eviction::NodeReclaim what : decision.reclaims)
      co_await services_.reclaimer.reclaim(what);
    done.after_reclaim = co_await services_.readings.node(Freshness::kFresh);
    decision = decide_after_reclaim(config_, std::move(decision), input_of(measured),
                                    &*done.after_reclaim);
  }
  evict(decision, measured, before, done);
  done.decision = std::move(decision);
  co_return done;
}

void EvictionManager::evict(const eviction::CycleDecision& decision, const Measured& measured,
                            const eviction::EvictionState& before, Done& done) {
  Going& going = done.going;
  for (const eviction::Eviction& eviction : decision.evictions) {
    if (!services_.orders.evict(eviction)) continue;
    going.uids.push_back(eviction.pod.uid);
    going.for_pressure = decision.verdict == CycleVerdict::kEvict;
    going.kill_timeout =
        std::max(going.kill_timeout, eviction::kill_timeout(eviction.grace_period_override));
  }
  if (going.uids.empty()) return;
  services_.teller.evicted({.at = services_.clock.wall_now(),
                            .evicted = going.uids,
                            .decision = decision,
                            .config = config_,
                            .before = before,
                            .readings = measured.readings,
                            .layout = measured.layout,
                            .pods = measured.pods,
                            .now = measured.at,
                            .after_reclaim = done.after_reclaim});
}

void EvictionManager::tell(const eviction::CycleDecision& decision) {
  const CycleVerdict verdict = decision.verdict;
  const bool was_blind = told_ && is_blind(*told_);
  if (is_blind(verdict) && told_ != verdict) services_.teller.blind(verdict);
  if (!is_blind(verdict) && was_blind) services_.teller.sees_again();
  if (somebody_should_go(verdict) && told_ != verdict) services_.teller.nobody_evictable(decision);
  told_ = verdict;
}

void EvictionManager::remember(const Done& done, const Measured& measured) {
  const eviction::Sample* last = history_.newest();
  const bool acted = !done.going.uids.empty() || done.after_reclaim;
  eviction::Sample sample{.at = measured.at,
                          .shown_at = services_.clock.wall_now(),
                          .node = measured.readings.node,
                          .pods = pods_,
                          .evicted = done.going.uids,
                          .after_reclaim = done.after_reclaim};
  last_two_.add(sample);
  for (const auto& [signal, rate] : eviction::fastest_approach(last_two_))
    fastest_[signal] = std::max(fastest_[signal], rate);
  if (last != nullptr && !acted && measured.at - last->at < kSampleEvery) return;
  if (services_.remembered) services_.remembered(sample);
  history_.add(std::move(sample));
}

Nanoseconds EvictionManager::interval() const {
  return eviction::sampling_interval(standing_, fastest_).interval;
}

Freshness EvictionManager::node_freshness() const {
  const auto sampling = eviction::sampling_interval(standing_, fastest_);
  if (!sampling.decided_by) return Freshness::kCheap;
  const auto where = eviction::traits(sampling.decided_by->signal).file_system;
  return where == eviction::SignalFileSystem::kNone ? Freshness::kCheap : Freshness::kFresh;
}

Nanoseconds EvictionManager::pods_period() const {
  const bool near = std::ranges::any_of(standing_, eviction::is_met) ||
                    interval() < eviction::SamplingLimits{}.beyond;
  return near ? kPodsEveryNearALimit
              : std::clamp(services_.pods_every, kPodsEveryNearALimit, kPodsEvery);
}

boost::asio::awaitable<EvictionView> EvictionManager::view(
    std::optional<eviction::EvictionConfig> instead) {
  EvictionView out{.pods = services_.orders.active(), .now = services_.clock.steady_now()};
  out.readings.node = co_await services_.readings.node(Freshness::kFresh);
  auto reading = services_.readings.pods(out.pods, PodDetail::kContainers);
  out.readings.pods = co_await std::move(reading);
  out.layout = services_.readings.layout();
  eviction::CycleInput input{.readings = &out.readings, .layout = out.layout, .now = out.now};
  for (const auto& pod : out.pods) input.pods.push_back(pod.get());
  out.explanation = eviction::explain(instead ? *instead : config_, state_, input, history_);
  co_return out;
}

}  // namespace berth::agent
