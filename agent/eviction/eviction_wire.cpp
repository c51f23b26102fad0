// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/eviction_wire.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "api/pod_resources.hpp"
#include "api/text/readable_quantity.hpp"
#include "api/time.hpp"
#include "eviction/byte_amount.hpp"
#include "eviction/observations.hpp"

namespace berth::agent {
namespace {

using eviction::JudgedThreshold;
using eviction::Signal;

std::int64_t milliseconds(Nanoseconds span) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(span).count();
}

std::string time_text(WallTime at) {
  return api::Time{at}.to_string();
}

// A rate or a distance, rounded to what a person can read.
std::string rough_amount(Signal signal, double amount) {
  switch (eviction::traits(signal).unit) {
    case eviction::SignalUnit::kBytes:
      return api::readable_bytes(std::llround(amount));
    case eviction::SignalUnit::kCount:
      return fmt::format("{:.0f}", amount);
    case eviction::SignalUnit::kPartsPerMillion:
      return api::readable_share(amount);
  }
  return {};
}

std::string origin_field(eviction::ThresholdOrigin origin) {
  switch (origin) {
    case eviction::ThresholdOrigin::kEvictionHard:
      return "evictionHard";
    case eviction::ThresholdOrigin::kEvictionSoft:
      return "evictionSoft";
    case eviction::ThresholdOrigin::kNodeAllocatable:
      return "enforceNodeAllocatable";
  }
  return {};
}

std::string layout_word(eviction::FileSystemLayout layout) {
  switch (layout) {
    case eviction::FileSystemLayout::kSingle:
      return "single";
    case eviction::FileSystemLayout::kDedicatedImageFs:
      return "imagefs";
    case eviction::FileSystemLayout::kSplitImageFs:
      return "split";
  }
  return {};
}

std::string standing_word(eviction::ThresholdStanding standing) {
  switch (standing) {
    case eviction::ThresholdStanding::kNoReading:
      return "NoReading";
    case eviction::ThresholdStanding::kNotMet:
      return "NotMet";
    case eviction::ThresholdStanding::kWithinGrace:
      return "WithinGrace";
    case eviction::ThresholdStanding::kStaleReading:
    case eviction::ThresholdStanding::kDue:
      return "Due";
  }
  return {};
}

void put_threshold(const eviction::ThresholdOutlook& outlook, wire::EvictionThreshold& out) {
  const JudgedThreshold& judged = outlook.judged;
  const Signal signal = judged.threshold.signal;
  out.set_threshold(to_string(judged.threshold));
  if (judged.limit) out.set_limit(to_text(signal, *judged.limit));
  if (judged.threshold.min_reclaim) out.set_min_reclaim(to_string(*judged.threshold.min_reclaim));
  out.set_grace_ms(milliseconds(judged.threshold.grace_period));
  out.set_standing(standing_word(judged.standing));
  if (outlook.headroom) out.set_headroom(rough_amount(signal, *outlook.headroom));
  if (outlook.until_met) out.set_until_met_ms(milliseconds(*outlook.until_met));
  if (outlook.until_action) out.set_until_action_ms(milliseconds(*outlook.until_action));
  out.set_origin(origin_field(judged.threshold.origin));
  if (outlook.waits_for) out.set_waits_for(std::string(to_string(*outlook.waits_for)));
}

void put_observation(Signal signal, const eviction::Observation& seen, wire::EvictionSignal& out) {
  out.set_value(to_text(signal, seen.value));
  out.set_capacity(to_text(signal, seen.capacity));
  if (seen.time) out.set_time(time_text(*seen.time));
}

// The signals that have thresholds, and everything else that was measured: the kernel's own figure
// of what is available is shown beside the kubelet's, whether any threshold uses it or not.
void put_signals(const EvictionView& view, wire::ExplainEvictionsReply& out) {
  const auto observations = eviction::observe(view.readings.node);
  for (const eviction::SignalTraits& traits : eviction::all_signals()) {
    const auto known = std::ranges::find(view.explanation.signals, traits.signal,
                                         &eviction::SignalOutlook::signal);
    const auto seen = observations.find(traits.signal);
    const bool outlook = known != view.explanation.signals.end();
    if (!outlook && seen == observations.end()) continue;
    wire::EvictionSignal& one = *out.add_signals();
    one.set_name(std::string(traits.name));
    one.set_own(traits.origin == eviction::SignalOrigin::kBerth);
    if (seen != observations.end()) put_observation(traits.signal, seen->second, one);
    if (!outlook) continue;
    if (known->slope) one.set_slope(rough_amount(traits.signal, *known->slope));
    for (const auto& threshold : known->thresholds) put_threshold(threshold, *one.add_thresholds());
  }
}

// Pods are ranked by their use, which for memory is in bytes even if the signal is a stall.
void put_ranked(Signal signal, const eviction::RankedPod& ranked, wire::RankedPod& out) {
  out.set_namespace_(ranked.pod.namespace_);
  out.set_name(ranked.pod.name);
  out.set_uid(ranked.pod.uid);
  out.set_usage(usage_text(signal, ranked.use));
  out.set_request(ranked.use.request.to_string());
  out.set_priority(ranked.use.priority);
  if (ranked.ahead_by) out.set_ahead_by(std::string(to_string(*ranked.ahead_by)));
  if (ranked.exempt) out.set_exempt(std::string(to_string(*ranked.exempt)));
  out.set_within_request(ranked.use.has_reading && !ranked.use.exceeds_request);
}

std::string pod_text(const eviction::SimulatedVictim& victim) {
  return victim.pod.namespace_ + "/" + victim.pod.name;
}

std::string threshold_text(const JudgedThreshold& judged) {
  std::string text = to_string(judged.threshold);
  if (judged.observation)
    text +=
        fmt::format(" ({})", observed_clause(judged.threshold.signal, judged.observation->value));
  return text;
}

std::string threshold_text(const eviction::SimulatedEvent& event) {
  return event.threshold ? threshold_text(*event.threshold) : "a limit of local storage";
}

std::string limit_text(const eviction::ExceededLimit& exceeded) {
  const std::string amounts =
      fmt::format("{} of {} used", api::readable_bytes(exceeded.used.value()),
                  api::readable_bytes(exceeded.allowed.value()));
  switch (exceeded.limit) {
    case eviction::LocalStorageLimit::kEmptyDir:
      return fmt::format("sizeLimit of volume {} ({})", exceeded.name, amounts);
    case eviction::LocalStorageLimit::kPod:
      return fmt::format("the pod's limit of ephemeral-storage ({})", amounts);
    case eviction::LocalStorageLimit::kContainer:
      break;
  }
  return fmt::format("limit of ephemeral-storage of container {} ({})", exceeded.name, amounts);
}

std::string cause_text(const eviction::EvictionCause& cause) {
  if (const auto* judged = std::get_if<JudgedThreshold>(&cause)) return threshold_text(*judged);
  return limit_text(std::get<eviction::ExceededLimit>(cause));
}

void put_decided(const eviction::Eviction& eviction, wire::DecidedEviction& out) {
  out.set_namespace_(eviction.pod.namespace_);
  out.set_name(eviction.pod.name);
  out.set_uid(eviction.pod.uid);
  out.set_cause(cause_text(eviction.cause));
  out.set_grace_seconds(eviction.grace_period_override);
  out.set_message(eviction.message);
}

void put_place(const eviction::SignalRanking& ranking, const api::Pod& pod, wire::PodUsage& out) {
  const std::string name(to_string(ranking.signal));
  if (std::ranges::find(out.signals(), name) != out.signals().end()) return;
  const auto place = std::ranges::find_if(
      ranking.ranking, [&](const auto& ranked) { return ranked.pod.uid == pod.metadata.uid; });
  if (place == ranking.ranking.end()) return;
  out.add_signals(name);
  out.add_places(static_cast<std::uint32_t>(place - ranking.ranking.begin()) + 1);
  if (place->exempt) out.add_exempt_signals(name);
}

std::string unit_word(Signal signal) {
  switch (eviction::traits(signal).unit) {
    case eviction::SignalUnit::kBytes:
      return "bytes";
    case eviction::SignalUnit::kCount:
      return "count";
    case eviction::SignalUnit::kPartsPerMillion:
      return "ppm";
  }
  return {};
}

std::int64_t request_of(const api::Pod& pod, std::string_view resource) {
  return api::ranked_request(pod, resource).value();
}

// A merged sample is shown at the end of the span that it covers.
std::string merged_text(const eviction::SimulatedEvent& event) {
  if (!event.merged) return {};
  if (!event.span) return " (then or earlier: samples are merged)";
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(*event.span).count();
  return seconds % 60 == 0 ? fmt::format(" (within the {} min before)", seconds / 60)
                           : fmt::format(" (within the {} s before)", seconds);
}

void put_ranking(const eviction::SignalRanking& ranking, wire::EvictionRanking& out) {
  out.set_signal(std::string(to_string(ranking.signal)));
  for (const auto& ranked : ranking.ranking) put_ranked(ranking.signal, ranked, *out.add_pods());
  if (ranking.next_victim) out.set_next_victim(static_cast<std::uint32_t>(*ranking.next_victim));
}

bool is_ranked(const eviction::Explanation& explanation, eviction::StarvedResource resource) {
  return std::ranges::any_of(explanation.rankings, [resource](const auto& ranking) {
    return eviction::traits(ranking.signal).resource == resource;
  });
}

}  // namespace

void put(const EvictionView& view, wire::ExplainEvictionsReply& out) {
  const eviction::Explanation& explanation = view.explanation;
  out.set_verdict(std::string(to_string(explanation.verdict)));
  if (view.layout) out.set_layout(layout_word(*view.layout));
  put_signals(view, out);
  for (const auto& condition : explanation.conditions) {
    wire::PressureState& one = *out.add_conditions();
    one.set_type(std::string(to_string(condition.condition)));
    one.set_present(condition.present);
    if (condition.until_cleared) one.set_until_cleared_ms(milliseconds(*condition.until_cleared));
  }
  for (const auto& ranking : explanation.rankings) put_ranking(ranking, *out.add_rankings());
  // Which pods would be evicted for resources without a threshold, for operators who plan to set
  // one.
  for (const auto& ranking : explanation.by_resource)
    if (!is_ranked(explanation, eviction::traits(ranking.signal).resource))
      put_ranking(ranking, *out.add_rankings());
  if (explanation.until_action) out.set_until_action_ms(milliseconds(*explanation.until_action));
  if (explanation.waits_for) out.set_waits_for(std::string(to_string(*explanation.waits_for)));
  for (const auto& eviction : explanation.evictions) put_decided(eviction, *out.add_evictions());
}

void put(const lifecycle::LedgerRecord& record, wire::EvictionEntry& out) {
  out.set_time(time_text(record.at));
  out.set_namespace_(record.namespace_);
  out.set_name(record.pod);
  out.set_uid(record.uid);
  if (!record.reasons.empty()) out.set_sentence(record.reasons.front().text);
  out.set_record_json(record.output);
  out.set_decision(lifecycle::record_id(record));
}

std::string simulated_text(const eviction::SimulatedEvent& event) {
  switch (event.kind) {
    case eviction::SimulatedKind::kConditionAppeared:
      return fmt::format("the node has {}", to_string(*event.condition));
    case eviction::SimulatedKind::kConditionCleared:
      return fmt::format("the node no longer has {}", to_string(*event.condition));
    case eviction::SimulatedKind::kThresholdMet:
      return threshold_text(event) + " is met";
    case eviction::SimulatedKind::kThresholdResolved:
      return threshold_text(event) + " is not met any more";
    case eviction::SimulatedKind::kReclaim:
      return threshold_text(event) + ": the node removes dead containers and unused images";
    case eviction::SimulatedKind::kEviction: {
      std::string text =
          fmt::format("{} is evicted, grace period {} s: {}", pod_text(*event.victim),
                      event.victim->grace_period_override, threshold_text(event));
      if (event.victim->ahead_by)
        text += fmt::format("; before the next by {}", to_string(*event.victim->ahead_by));
      return text;
    }
    case eviction::SimulatedKind::kNobodyEvictable:
      return threshold_text(event) + ": a pod should be evicted, but every pod is exempt";
  }
  return {};
}

void put(const eviction::Simulation& simulation, wire::SimulateEvictionsReply& out) {
  out.set_samples(simulation.samples);
  if (simulation.from) out.set_from(time_text(*simulation.from));
  if (simulation.until) out.set_until(time_text(*simulation.until));
  for (const auto& event : simulation.events) {
    wire::SimulatedEviction& one = *out.add_events();
    one.set_time(time_text(event.at));
    one.set_kind(std::string(to_string(event.kind)));
    one.set_certainty(std::string(to_string(event.certainty)));
    one.set_text(simulated_text(event) + merged_text(event));
    if (!event.victim) continue;
    one.set_namespace_(event.victim->pod.namespace_);
    one.set_name(event.victim->pod.name);
  }
}

void put_series(const eviction::History& history,
                const std::vector<eviction::Threshold>& thresholds,
                wire::SimulateEvictionsReply& out) {
  std::map<Signal, wire::SignalSeries> series;
  for (const auto& threshold : thresholds) {
    wire::SignalSeries& one = series[threshold.signal];
    one.set_signal(std::string(to_string(threshold.signal)));
    one.set_unit(unit_word(threshold.signal));
  }
  eviction::Observations last;  // of each signal
  for (const eviction::Sample* sample : history.samples()) {
    const eviction::Observations now = eviction::observe(sample->node);
    for (auto& [signal, one] : series) {
      const auto seen = now.find(signal);
      if (seen == now.end()) continue;
      last.insert_or_assign(signal, seen->second);
      one.add_time_ms(milliseconds(sample->shown_at.time_since_epoch()));
      one.add_values(seen->second.value.as_double());
    }
  }
  for (const auto& threshold : thresholds) {
    const auto seen = last.find(threshold.signal);
    if (seen == last.end()) continue;
    wire::SeriesLimit& limit = *series[threshold.signal].add_limits();
    limit.set_threshold(to_string(threshold));
    limit.set_value(amount_of(threshold.value, seen->second.capacity).as_double());
  }
  for (auto& [signal, one] : series)
    if (one.values_size() > 0) *out.add_series() = std::move(one);
}

void put(const EvictionView& view, const api::Pod& pod, wire::PodUsage& out) {
  out.set_namespace_(pod.metadata.namespace_);
  out.set_name(pod.metadata.name);
  out.set_memory_request_bytes(request_of(pod, "memory"));
  out.set_ephemeral_request_bytes(request_of(pod, "ephemeral-storage"));
  if (const auto* reading = eviction::reading_of(view.readings.pods, pod)) {
    if (const auto used = eviction::working_set(*reading)) out.set_memory_bytes(*used);
    if (reading->ephemeral_storage) out.set_ephemeral_bytes(*reading->ephemeral_storage);
    if (reading->processes) out.set_processes(*reading->processes);
  }
  for (const auto& ranking : view.explanation.by_resource) {
    // Without counted processes the rank would be that of a missing reading.
    if (ranking.signal == Signal::kPidAvailable && !out.has_processes()) continue;
    put_place(ranking, pod, out);
  }
  for (const auto& ranking : view.explanation.rankings) put_place(ranking, pod, out);
  out.set_exempt(out.signals_size() > 0 && out.exempt_signals_size() == out.signals_size());
}

}  // namespace berth::agent
