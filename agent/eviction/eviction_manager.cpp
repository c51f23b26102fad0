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

// How long the manager waits for an evicted pod before the next look, counted from when the pod is
// late (the kubelet's pod cleanup timeout).
constexpr Nanoseconds kEndPatience = std::chrono::seconds(30);
// Pods are measured for the history, and for limits on local storage; before an eviction they are
// measured anyway. While a limit is met or near, they are measured as often as in the kubelet: a
// node whose page cache keeps it near one is as idle as any.
constexpr Nanoseconds kPodsEvery = std::chrono::minutes(1);
constexpr Nanoseconds kPodsEveryUnderPressure = std::chrono::seconds(10);
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

// The readings that a decision to act needs; unset if it was made from such readings. A reclaim
// needs no readings of pods.
std::optional<MeasuredFrom> still_to_measure(const eviction::CycleDecision& decision,
                                             const MeasuredFrom& has) {
  if (!acts(decision.verdict)) return std::nullopt;
  MeasuredFrom wanted{.node = Freshness::kFresh, .pods = Freshness::kFresh};
  if (decision.verdict == CycleVerdict::kReclaimOnNode)
    wanted.pods = Freshness::kCheap;
  else if (decision.verdict != CycleVerdict::kLimitsExceeded &&
           decision.attempted == eviction::StarvedResource::kMemory)
    wanted = {.node = Freshness::kFreshMemory, .pods = Freshness::kFreshMemory};
  const bool enough = has.node >= wanted.node && has.pods >= wanted.pods;
  return enough ? std::nullopt : std::optional(wanted);
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

// The measured pods, as they are now. A pod that has finished meanwhile is no candidate, and
// neither is the next incarnation under a pinned uid, of which nothing was measured. Annotations
// distinguish incarnations.
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

// Whether a threshold has only a sample from before the reclaim, which does not show what was
// gained.
bool waits_for_reading(const eviction::CycleDecision& decision) {
  return std::ranges::any_of(decision.thresholds, [&](const eviction::JudgedThreshold& one) {
    return one.standing == eviction::ThresholdStanding::kStaleReading &&
           eviction::is_reclaimable(one.threshold, *decision.state.layout);
  });
}

// A report has to lead to the same decision again, but does not record that the node was
// reclaiming: thresholds that waited for that are left out of it.
void leave_out_reclaimable(EvictionReport& report) {
  if (!report.decision.state.layout) return;
  const auto waits = [layout = *report.decision.state.layout](const auto& threshold) {
    return eviction::is_reclaimable(threshold, layout);
  };
  std::erase_if(report.config.thresholds, waits);
  std::erase_if(report.before.pressure.due, waits);
}

}  // namespace

EvictionManager::EvictionManager(Services services, eviction::EvictionConfig config,
                                 eviction::Rates fastest)
    : services_(std::move(services)),
      config_(std::move(config)),
      without_limits_(without_limits(config_)),
      fastest_(std::move(fastest)),
      bell_(services_.executor),
      reclaim_bell_(services_.executor) {}

void EvictionManager::judge_limits_soon() {
  pods_.at.reset();
  look_soon();
}

void EvictionManager::set_config(eviction::EvictionConfig config) {
  config_ = std::move(config);
  without_limits_ = without_limits(config_);
  state_ = eviction::state_under(config_, std::move(state_));
  look_soon();
}

boost::asio::awaitable<void> EvictionManager::run() {
  for (;;) {
    Going going = co_await look();
    if (going.uids.empty()) {
      co_await until_next_look();
      continue;
    }
    const SteadyTime limit = services_.clock.steady_now() + going.kill_timeout + kEndPatience;
    auto released = services_.orders.until_released(std::move(going.uids), limit);
    pod_is_ending_ = true;
    co_await std::move(released);
    pod_is_ending_ = false;
    pod_is_gone(going.pressure, services_.clock.steady_now(), state_.pressure);
  }
}

boost::asio::awaitable<void> EvictionManager::until_next_look() {
  const SteadyTime began = services_.clock.steady_now();
  const Nanoseconds interval = eviction::sampling_interval(standing_, fastest_).interval;
  const Nanoseconds stands_for =
      glanced_ ? eviction::glances_suffice_for(standing_, fastest_) : interval;
  std::optional<Glance> last = glanced_;
  for (;;) {
    const SteadyTime next = services_.clock.steady_now() + interval;
    const bool is_look = next >= began + stands_for;
    const bool asked =
        co_await bell_.wait_until(services_.clock, is_look ? began + stands_for : next);
    if (asked || is_look) co_return;
    const std::optional<Glance> now = glance();
    if (!now) co_return;
    eviction::learn_from_glance(fastest_, now->in_use - last->in_use, now->at - last->at);
    if (!eviction::glance_suffices(standing_, now->in_use - glanced_->in_use)) co_return;
    last = now;
  }
}

std::optional<EvictionManager::Glance> EvictionManager::glance() const {
  const auto in_use = services_.readings.memory_in_use();
  if (!in_use) return std::nullopt;
  return Glance{.in_use = *in_use, .at = services_.clock.steady_now()};
}

// An idle node may be judged by readings that are some seconds old where they change slowly; an
// eviction may not. A file system near its threshold is no reason to measure the pods: they are
// measured once one is to be evicted. Limits of local storage depend on pods alone: while these are
// not measured again, no further pod is found to exceed one.
boost::asio::awaitable<EvictionManager::Going> EvictionManager::look() {
  const MeasuredFrom at_first{.node = node_freshness()};
  Measured measured = co_await measure(at_first);
  eviction::CycleDecision decision = decide(measured);
  while (acts(decision.verdict)) {
    if (const auto fresher = still_to_measure(decision, measured.from)) {
      measured = co_await measure(*fresher);
    } else {
      Closer closer = closer_look(decision, measured);
      if (closer.pods.empty()) break;
      co_await measure_closer(std::move(closer), measured);
    }
    decision = decide(measured);
  }
  const eviction::EvictionState before = come_into_force(decision);
  if (measured.pods_are_new) pods_.standing = standing_;
  Going going = act(decision, measured, before);
  report_verdict(decision);
  remember(going, measured);
  if (services_.looked) services_.looked();
  co_return going;
}

// A look that begins once a reclaim is over decides what follows it, from what is left then.
boost::asio::awaitable<EvictionManager::Measured> EvictionManager::measure(MeasuredFrom from) {
  const bool reclaimed = reclaim_ && reclaim_->over;
  if (reclaimed) from.node = Freshness::kFresh;
  Measured out{.pods = services_.orders.active(),
               .at = services_.clock.steady_now(),
               .from = from,
               .reclaimed = reclaimed};
  glanced_ = glance();
  out.readings.node = co_await services_.readings.node(from.node);
  const bool pods_due = !pods_.at || services_.clock.steady_now() - *pods_.at >= pods_period();
  out.pods_are_new = pods_due || from.pods != Freshness::kCheap;
  if (from.pods != Freshness::kCheap) {
    const bool all = from.pods == Freshness::kFresh;
    co_await measure_pods(out.pods, all ? PodDetail::kContainers : PodDetail::kMemory);
    out.pods = still_active(out.pods, services_.orders.active());
  } else if (pods_due) {
    co_await measure_pods(out.pods, usual_detail(config_));
  }
  if (pods_.seen) out.readings.pods = pods_.seen->readings;
  out.layout = services_.readings.layout();
  co_return out;
}

eviction::CycleDecision EvictionManager::decide(const Measured& measured) const {
  eviction::CycleInput input = input_of(measured);
  input.reclaiming = reclaim_ && !measured.reclaimed;
  auto decision = decide_cycle(measured.pods_are_new ? config_ : without_limits_, state_, input);
  if (decision.verdict != CycleVerdict::kReclaimOnNode || !measured.reclaimed) return decision;
  return decide_after_reclaim(config_, std::move(decision), input, &measured.readings.node);
}

boost::asio::awaitable<void> EvictionManager::measure_pods(PodList pods, PodDetail detail) {
  auto seen = std::make_shared<eviction::PodsSeen>();
  seen->pods = pods;
  auto reading = services_.readings.pods(std::move(pods), detail);
  seen->readings = co_await std::move(reading);
  pods_.seen = std::move(seen);
  pods_.at = services_.clock.steady_now();
}

boost::asio::awaitable<void> EvictionManager::measure_closer(Closer closer, Measured& measured) {
  const PodList pods = closer.pods;
  auto reading = services_.readings.pods(std::move(closer.pods), closer.detail);
  eviction::PodReadings seen = co_await std::move(reading);
  for (const auto& pod : pods) {
    const std::string& uid = pod->metadata.uid;
    measured.closer.insert(uid);
    const auto found = seen.find(uid);
    eviction::PodReadings& known = measured.readings.pods;
    if (found == seen.end()) {
      // With an empty reading the pod would use nothing; without any it ranks first.
      if (closer.detail != PodDetail::kContainers) known.erase(uid);
    } else if (closer.detail == PodDetail::kContainers) {
      known[uid].containers = std::move(found->second.containers);
    } else {
      known[uid] = std::move(found->second);
    }
  }
  if (closer.detail == PodDetail::kDisks && pods_.seen)
    pods_.seen = std::make_shared<const eviction::PodsSeen>(
        eviction::PodsSeen{.pods = pods_.seen->pods, .readings = measured.readings.pods});
  measured.pods = still_active(measured.pods, services_.orders.active());
}

// The pods to measure in more detail before one is evicted: for memory each container of the
// victim, as only their sum is known; for limits the disk use of the offenders; for a disk that of
// every pod.
EvictionManager::Closer EvictionManager::closer_look(const eviction::CycleDecision& decision,
                                                     const Measured& measured) {
  const bool for_limits = decision.verdict == CycleVerdict::kLimitsExceeded;
  const bool for_disk = evicted_for(decision) == eviction::EvictedFor::kDisk;
  const bool only_sums = measured.from.pods == Freshness::kFreshMemory;
  Closer out{.detail = for_limits || for_disk ? PodDetail::kDisks : PodDetail::kContainers};
  if (decision.evictions.empty()) return out;
  if (out.detail == PodDetail::kContainers && !only_sums) return out;
  for (const auto& pod : measured.pods) {
    const bool goes = std::ranges::any_of(decision.evictions, [&](const auto& eviction) {
      return eviction.pod.uid == pod->metadata.uid;
    });
    if ((goes || for_disk) && !measured.closer.contains(pod->metadata.uid)) out.pods.push_back(pod);
  }
  return out;
}

eviction::CycleInput EvictionManager::input_of(const Measured& measured) const {
  eviction::CycleInput input{
      .readings = &measured.readings, .layout = measured.layout, .now = measured.at};
  for (const auto& pod : measured.pods) input.pods.push_back(pod.get());
  return input;
}

// Runs before any action, which can take minutes: admission refuses pods meanwhile, and the Node
// shows why.
eviction::EvictionState EvictionManager::come_into_force(const eviction::CycleDecision& decision) {
  standing_ = decision.thresholds;
  auto before = std::exchange(state_, decision.state);
  if (shown_ != state_.pressure.conditions) {
    shown_ = state_.pressure.conditions;
    services_.reporter.conditions(*shown_);
  }
  return before;
}

EvictionManager::Going EvictionManager::act(const eviction::CycleDecision& decision,
                                            const Measured& measured,
                                            const eviction::EvictionState& before) {
  const bool reported_before = measured.reclaimed && !decision.reclaims.empty();
  if (decision.attempted && !reported_before) services_.reporter.attempting(decision);
  if (measured.reclaimed && !waits_for_reading(decision)) reclaim_.reset();
  if (decision.verdict == CycleVerdict::kReclaimOnNode) {
    reclaim_ = Reclaim{.what = decision.reclaims};
    reclaim_bell_.notify();
  }
  if (decision.verdict == CycleVerdict::kEvict ||
      decision.verdict == CycleVerdict::kNobodyEvictable)
    services_.reporter.choosing(decision);
  return evict(decision, measured, before);
}

EvictionManager::Going EvictionManager::evict(const eviction::CycleDecision& decision,
                                              const Measured& measured,
                                              const eviction::EvictionState& before) {
  Going going;
  for (const eviction::Eviction& eviction : decision.evictions) {
    if (!services_.orders.evict(eviction)) continue;
    going.uids.push_back(eviction.pod.uid);
    going.pressure = evicted_for(decision);
    going.kill_timeout =
        std::max(going.kill_timeout, eviction::kill_timeout(eviction.grace_period_override));
  }
  if (going.uids.empty()) {
    // No pod was evicted: there is no need to wait for an average that contains no evicted pod.
    state_.pressure.last_eviction = before.pressure.last_eviction;
    return going;
  }
  EvictionReport report{.at = services_.clock.wall_now(),
                        .evicted = going.uids,
                        .decision = decision,
                        .config = config_,
                        .before = before,
                        .readings = measured.readings,
                        .layout = measured.layout,
                        .pods = measured.pods,
                        .now = measured.at};
  if (follows_reclaim(measured)) report.after_reclaim = measured.readings.node;
  if (reclaim_) leave_out_reclaimable(report);
  services_.reporter.evicted(report);
  return going;
}

boost::asio::awaitable<void> EvictionManager::reclaim_on_node() {
  for (;;) {
    while (!reclaim_ || reclaim_->over) co_await reclaim_bell_.wait();
    const std::vector<eviction::NodeReclaim> all = reclaim_->what;
    for (const eviction::NodeReclaim what : all) {
      auto reclaiming = services_.reclaimer.reclaim(what);
      co_await std::move(reclaiming);
    }
    reclaim_->over = true;
    look_soon();
  }
}

void EvictionManager::report_verdict(const eviction::CycleDecision& decision) {
  const CycleVerdict verdict = decision.verdict;
  const bool was_blind = reported_.verdict && is_blind(*reported_.verdict);
  if (is_blind(verdict) && reported_.verdict != verdict) services_.reporter.blind(verdict);
  if (!is_blind(verdict) && was_blind) services_.reporter.sees_again();
  if (somebody_should_go(verdict) && reported_.verdict != verdict)
    services_.reporter.nobody_evictable(decision);
  // A verdict after a reclaim is compared with the one after the last reclaim.
  const bool reclaims =
      verdict == CycleVerdict::kReclaimOnNode || verdict == CycleVerdict::kWaiting;
  if (!reclaim_ || !reclaims || was_blind) reported_.verdict = verdict;
  if (!is_blind(verdict)) report_unmeasured(decision);
}

void EvictionManager::report_unmeasured(const eviction::CycleDecision& decision) {
  std::vector<eviction::Threshold> skipped;
  for (const eviction::JudgedThreshold& one : decision.thresholds)
    if (one.standing == eviction::ThresholdStanding::kNoReading) skipped.push_back(one.threshold);
  if (skipped == reported_.unmeasured) return;
  services_.reporter.unmeasured(skipped);
  reported_.unmeasured = std::move(skipped);
}

void EvictionManager::remember(const Going& going, const Measured& measured) {
  const eviction::Sample* last = history_.newest();
  const bool begins = reclaim_ && last != nullptr && !last->reclaiming;
  const bool acted = !going.uids.empty() || follows_reclaim(measured) || begins;
  eviction::Sample sample{.at = measured.at,
                          .shown_at = services_.clock.wall_now(),
                          .node = measured.readings.node,
                          .pods = pods_.seen,
                          .evicted = going.uids,
                          .reclaiming = reclaim_.has_value()};
  if (follows_reclaim(measured)) sample.after_reclaim = measured.readings.node;
  last_two_.add(sample);
  for (const auto& [signal, rate] : eviction::fastest_approach(last_two_))
    fastest_[signal] = std::max(fastest_[signal], rate);
  if (last != nullptr && !acted && measured.at - last->at < kSampleEvery) return;
  if (services_.remembered) services_.remembered(sample);
  history_.add(std::move(sample));
}

Freshness EvictionManager::node_freshness() const {
  const bool due = eviction::file_system_is_due(standing_, fastest_, services_.clock.wall_now());
  return due ? Freshness::kFresh : Freshness::kCheap;
}

Nanoseconds EvictionManager::pods_period() const {
  const bool nearing = eviction::came_nearer(pods_.standing, standing_, fastest_);
  if (nearing || std::ranges::any_of(standing_, eviction::is_met)) return kPodsEveryUnderPressure;
  if (services_.pods_every <= Nanoseconds::zero()) return kPodsEvery;
  return std::clamp(services_.pods_every, kPodsEveryUnderPressure, kPodsEvery);
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
  const eviction::EvictionConfig& config = instead ? *instead : config_;
  out.explanation =
      eviction::explain(config, eviction::state_under(config, state_), input, history_,
                        {.reclaiming = reclaim_.has_value(), .pod_is_ending = pod_is_ending_});
  co_return out;
}

}  // namespace berth::agent
