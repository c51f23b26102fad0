// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/reload_check.hpp"

#include <algorithm>

namespace berth::agent {
namespace {

bool would_act(const eviction::Explanation& view) {
  return view.verdict == eviction::CycleVerdict::kEvict ||
         view.verdict == eviction::CycleVerdict::kReclaimOnNode ||
         view.verdict == eviction::CycleVerdict::kLimitsExceeded;
}

bool is_due(const eviction::SignalOutlook& signal) {
  return std::ranges::any_of(signal.thresholds, [](const auto& threshold) {
    return threshold.judged.standing == eviction::ThresholdStanding::kDue;
  });
}

// Who would go next for each threshold that is due.
std::string victims(const eviction::Explanation& view) {
  std::string text;
  for (const auto& signal : view.signals) {
    const auto ranking =
        std::ranges::find(view.rankings, signal.signal, &eviction::SignalRanking::signal);
    if (!is_due(signal) || ranking == view.rankings.end()) continue;
    text += (text.empty() ? "" : "; ") + std::string(to_string(signal.signal)) + ": ";
    if (!ranking->next_victim) {
      text += "nobody";
      continue;
    }
    const auto& pod = ranking->ranking.at(*ranking->next_victim).pod;
    text += pod.namespace_ + "/" + pod.name;
  }
  return text.empty() ? "pods beyond their limits of local storage" : text;
}

}  // namespace

std::optional<std::string> refused_thresholds(const eviction::Explanation& now,
                                              const eviction::Explanation& then) {
  if (!would_act(then) || would_act(now)) return std::nullopt;
  return "the eviction thresholds would evict at once (" + victims(then) +
         "); to have them all the same, set evictAtOnce: true";
}

}  // namespace berth::agent
