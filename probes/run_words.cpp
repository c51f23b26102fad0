// SPDX-License-Identifier: Apache-2.0

#include "probes/run_words.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace berth::probes {
namespace {

bool passed(const ProbeRun& run) {
  return run.outcome == Outcome::kSuccess || run.outcome == Outcome::kWarning;
}

std::string words_of(const ProbeRun& run) {
  std::string text =
      run.words.empty() ? fmt::format("answered in {}", short_time(run.took)) : run.words;
  if (run.late >= kLateWorthSaying) text += fmt::format(" (begun {} late)", short_time(run.late));
  return text;
}

// Runs with the same verdict as the last one, oldest first; runs that did not count lie between
// them.
std::vector<std::string> words_before(std::span<const ProbeRun> runs, int needed) {
  std::vector<std::string> out;
  const bool verdict = passed(runs.back());
  for (auto left = runs.size() - 1; left > 0 && static_cast<int>(out.size()) + 1 < needed; --left) {
    const ProbeRun& run = runs[left - 1];
    if (run.standing != Standing::kCounted) continue;
    if (passed(run) != verdict) break;
    out.insert(out.begin(), words_of(run));
  }
  return out;
}

}  // namespace

std::string verdict_words(std::span<const ProbeRun> runs, int needed) {
  if (runs.empty()) return {};
  const bool good = passed(runs.back());
  std::string text = fmt::format("{} {} of {}, {}", good ? "passed" : "failed", needed, needed,
                                 words_of(runs.back()));
  if (good) return text;
  const auto before = words_before(runs, needed);
  if (before.empty()) return text;
  const std::string last = words_of(runs.back());
  const bool same = std::ranges::all_of(before, [&](const auto& words) { return words == last; });
  if (same) return text + " each time";
  return text + fmt::format("; before that: {}", fmt::join(before, ", then "));
}

}  // namespace berth::probes
