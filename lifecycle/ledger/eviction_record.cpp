// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/eviction_record.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "eviction/observations.hpp"
#include "lifecycle/ledger/eviction_question.hpp"

namespace berth::lifecycle {

namespace {

using eviction::ExceededLimit;
using eviction::JudgedThreshold;
using eviction::Signal;

// An amount in the unit of the signal's resource.
std::string amount(Signal signal, const api::Quantity& quantity) {
  return eviction::to_text(signal, quantity);
}

std::string full_name(const eviction::PodReference& pod) {
  return pod.namespace_ + "/" + pod.name;
}

RankedRecord ranked_record(const eviction::RankedPod& ranked, Signal signal) {
  RankedRecord out{.pod = full_name(ranked.pod),
                   .uid = ranked.pod.uid,
                   .usage = usage_text(signal, ranked.use),
                   .request = ranked.use.request.to_string(),
                   .priority = ranked.use.priority};
  if (ranked.ahead_by) out.ahead_by = to_string(*ranked.ahead_by);
  if (ranked.exempt) out.exempt = to_string(*ranked.exempt);
  return out;
}

void set_cause(EvictionRecord& out, const JudgedThreshold& judged, WallTime at) {
  const Signal signal = judged.threshold.signal;
  out.threshold = to_string(judged.threshold);
  if (judged.limit) out.limit = amount(signal, *judged.limit);
  if (!judged.observation) return;
  out.observed = amount(signal, judged.observation->value);
  if (judged.observation->time)
    out.reading_age_ms =
        std::chrono::duration_cast<std::chrono::milliseconds>(at - *judged.observation->time)
            .count();
}

void set_cause(EvictionRecord& out, const ExceededLimit& exceeded) {
  out.threshold = fmt::format("{} {}", to_string(exceeded.limit), exceeded.name);
  out.limit = exceeded.allowed.to_string();
  out.observed = exceeded.used.to_string();
}

// Why this pod was chosen and not the next one.
std::string choice(const eviction::CycleDecision& decision, const eviction::Eviction& eviction) {
  const auto victim = std::ranges::find_if(
      decision.ranking, [&](const auto& ranked) { return ranked.pod.uid == eviction.pod.uid; });
  if (victim == decision.ranking.end()) return {};
  const auto spared = victim - decision.ranking.begin();
  std::string text = fmt::format("; first of {} pods", decision.ranking.size() - spared);
  if (spared > 0) text += fmt::format(" that may be evicted ({} before it are exempt)", spared);
  if (victim->ahead_by) text += fmt::format(", by {}", to_string(*victim->ahead_by));
  return text;
}

std::string sentence(const EvictionRecord& record, const eviction::CycleDecision& decision,
                     const eviction::Eviction& eviction) {
  if (const auto* exceeded = std::get_if<ExceededLimit>(&eviction.cause))
    return fmt::format("evicted: {} uses {} of {} allowed", exceeded->name,
                       api::readable_bytes(exceeded->used.value(), api::Rounding::kUp),
                       api::readable_bytes(exceeded->allowed.value()));
  const auto& judged = std::get<JudgedThreshold>(eviction.cause);
  return fmt::format("evicted: {}, and {}{}", record.threshold,
                     judged.observation ? eviction::observed_clause(judged.threshold.signal,
                                                                    judged.observation->value)
                                        : "an unknown amount is left",
                     choice(decision, eviction));
}

}  // namespace

EvictionRecord eviction_record(const eviction::CycleDecision& decision,
                               const eviction::Eviction& eviction, WallTime at) {
  EvictionRecord out{.signal = std::string(metric_signal(eviction)),
                     .grace_seconds = eviction.grace_period_override,
                     .message = eviction.message};
  if (const auto* judged = std::get_if<JudgedThreshold>(&eviction.cause)) {
    set_cause(out, *judged, at);
    for (const auto& ranked : decision.ranking)
      out.ranking.push_back(ranked_record(ranked, judged->threshold.signal));
  } else {
    set_cause(out, std::get<ExceededLimit>(eviction.cause));
  }
  for (const JudgedThreshold& judged : decision.due) out.due.push_back(to_string(judged.threshold));
  for (const auto what : decision.reclaims) out.reclaimed.emplace_back(to_string(what));
  out.sentence = sentence(out, decision, eviction);
  return out;
}

EvictionRecord decide_eviction(const EvictionQuestion& question) {
  eviction::CycleInput input{
      .readings = &question.readings, .layout = question.layout, .now = question.now};
  for (const api::Pod& pod : question.pods) input.pods.push_back(&pod);
  eviction::CycleDecision decision = decide_cycle(question.config, question.before, input);
  if (decision.verdict == eviction::CycleVerdict::kReclaimOnNode)
    decision = decide_after_reclaim(question.config, std::move(decision), input,
                                    question.after_reclaim ? &*question.after_reclaim : nullptr);
  const auto victim = std::ranges::find_if(decision.evictions, [&](const auto& eviction) {
    return eviction.pod.uid == question.pod.metadata.uid;
  });
  if (victim == decision.evictions.end()) return {.sentence = "this look does not evict the pod"};
  return eviction_record(decision, *victim, question.at);
}

}  // namespace berth::lifecycle
