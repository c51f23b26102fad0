// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/reload_check.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "eviction/must_go.hpp"

namespace berth::agent {
namespace {

using eviction::CycleVerdict;
using eviction::Explanation;
using eviction::JudgedThreshold;
using eviction::PodReference;
using eviction::RankedPod;
using eviction::Signal;

using Pods = std::vector<PodReference>;

// How many of the pods after the first are named; a person does not read more.
constexpr std::size_t kMostNames = 10;

bool would_act(const Explanation& view) {
  return view.verdict == CycleVerdict::kEvict || view.verdict == CycleVerdict::kReclaimOnNode ||
         view.verdict == CycleVerdict::kLimitsExceeded;
}

bool is_among(const Pods& pods, const PodReference& pod) {
  return std::ranges::find(pods, pod.uid, &PodReference::uid) != pods.end();
}

Pods without(const Pods& pods, const Pods& others) {
  Pods out;
  std::ranges::copy_if(pods, std::back_inserter(out),
                       [&others](const PodReference& pod) { return !is_among(others, pod); });
  return out;
}

Pods beyond_limits(const Explanation& view) {
  Pods out;
  for (const eviction::Eviction& one : view.evictions)
    if (std::holds_alternative<eviction::ExceededLimit>(one.cause)) out.push_back(one.pod);
  return out;
}

std::vector<JudgedThreshold> due_of(const Explanation& view, Signal signal) {
  std::vector<JudgedThreshold> out;
  const auto found = std::ranges::find(view.signals, signal, &eviction::SignalOutlook::signal);
  if (found == view.signals.end()) return out;
  for (const auto& one : found->thresholds)
    if (one.judged.standing == eviction::ThresholdStanding::kDue) out.push_back(one.judged);
  return out;
}

const std::vector<RankedPod>& ranking_of(const Explanation& view, Signal signal) {
  static const std::vector<RankedPod> kNone;
  const auto found = std::ranges::find(view.rankings, signal, &eviction::SignalRanking::signal);
  return found == view.rankings.end() ? kNone : found->ranking;
}

// The two views were measured one after the other, so that the same thresholds may be missed by a
// little more in one of them: that does not make it another decision.
bool same_or_fewer(const std::vector<JudgedThreshold>& then,
                   const std::vector<JudgedThreshold>& now) {
  return std::ranges::all_of(then, [&now](const JudgedThreshold& one) {
    return std::ranges::find(now, one.threshold, &JudgedThreshold::threshold) != now.end();
  });
}

// The pods that the thresholds in force would not evict for that signal, however short it gets.
Pods spared(const Explanation& view, Signal signal) {
  Pods out;
  for (const RankedPod& ranked : ranking_of(view, signal))
    if (ranked.exempt) out.push_back(ranked.pod);
  return out;
}

bool is_new(Signal signal, const Pods& victims, const Explanation& now, const Explanation& then) {
  const auto due_now = due_of(now, signal);
  if (due_now.empty()) return true;
  if (same_or_fewer(due_of(then, signal), due_now)) {
    const Pods safe = spared(now, signal);
    return std::ranges::any_of(victims,
                               [&safe](const PodReference& pod) { return is_among(safe, pod); });
  }
  return !without(victims, must_go(due_now, ranking_of(now, signal))).empty();
}

std::string names(const Pods& pods, std::size_t from, std::size_t most) {
  std::string text;
  for (std::size_t i = from; i < pods.size() && i - from < most; ++i)
    text += (i == from ? "" : ", ") + pods[i].namespace_ + "/" + pods[i].name;
  if (pods.size() - from > most) text += fmt::format(" and {} more", pods.size() - from - most);
  return text;
}

std::string victims_text(const Explanation& then, Signal signal, const Pods& victims) {
  const bool is_disk = traits(signal).condition == eviction::PressureCondition::kDiskPressure &&
                       traits(signal).resource != eviction::StarvedResource::kIo;
  std::string text(to_string(signal));
  if (then.verdict == CycleVerdict::kReclaimOnNode && is_disk)
    text += ", unless removing dead containers and unused images is enough";
  if (victims.empty()) return text + ": no pod";
  text += ": " + names({victims.front()}, 0, 1);
  if (victims.size() > 1)
    text += ", then, while the shortage lasts: " + names(victims, 1, kMostNames);
  return text;
}

// Each cause that is new, or that would evict a pod that it does not evict now.
std::string new_causes(const Explanation& now, const Explanation& then) {
  std::string text;
  const Pods over = without(beyond_limits(then), beyond_limits(now));
  if (!over.empty()) text = "limits of local storage: " + names(over, 0, over.size());
  for (const auto& signal : then.signals) {
    const auto due = due_of(then, signal.signal);
    if (due.empty()) continue;
    const Pods victims = must_go(due, ranking_of(then, signal.signal));
    if (!is_new(signal.signal, victims, now, then)) continue;
    text += (text.empty() ? "" : "; ") + victims_text(then, signal.signal, victims);
  }
  return text;
}

}  // namespace

Result<std::optional<std::string>> refused_thresholds(const Explanation& now,
                                                      const Explanation& then) {
  if (then.verdict == CycleVerdict::kNoLayout)
    return fail(ErrorCode::kUnavailable, "the runtime has not said where images are kept");
  if (!would_act(then)) return std::nullopt;
  const std::string causes = new_causes(now, then);
  if (causes.empty()) return std::nullopt;
  return "the eviction thresholds would evict at once (" + causes +
         "); set evictAtOnce: true to accept that";
}

}  // namespace berth::agent
