// SPDX-License-Identifier: Apache-2.0

// Measurements of the last hours: a bounded series that keeps the latest samples as measured and
// merges older ones.
//
// A value; nothing is measured here. Samples arrive oldest first: one a second, or on an idle node
// one every ten seconds. Merging keeps the worst of each signal, so that a dip that would have met
// a threshold is never averaged away; a threshold that was met only within one of the merged
// samples looks as if it was met for all of them, so readers must present it as a guess
// (`Sample::merged` > 1).
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "eviction/readings.hpp"

namespace berth::eviction {

// The oldest samples are five minutes apart; a longer gap means that berthd was not running.
inline constexpr Nanoseconds kHistoryHole = std::chrono::minutes(11);

// The active pods, and their readings.
struct PodsSeen {
  std::vector<std::shared_ptr<const api::Pod>> pods{};
  PodReadings readings{};
};

struct Sample {
  SteadyTime at{};
  WallTime shown_at{};  // the same moment, for display
  NodeReadings node{};
  // Pods take by far the most space, and are measured less often than the node: samples between two
  // measurements of pods share one. Null if no pods were measured.
  std::shared_ptr<const PodsSeen> pods{};
  // What was actually done because of this sample: the uids of the evicted pods, and the
  // measurement taken after the node had reclaimed what it could.
  std::vector<std::string> evicted{};
  std::optional<NodeReadings> after_reclaim{};
  bool reclaiming = false;  // the node was reclaiming, from the sample that started it on
  std::size_t merged = 1;   // the number of measurements merged into this sample
};

// One stretch of the series. Samples are passed on to the next stretch, the oldest first, once they
// are older than `until` or there are more than `capacity`.
struct HistoryStretch {
  Nanoseconds until = Nanoseconds::max();  // before the newest sample
  Nanoseconds every{0};                    // one sample is kept for each such span; 0: all are
  std::size_t capacity = 0;

  bool operator==(const HistoryStretch&) const = default;
};

// Newest stretch first: five minutes as measured, an hour in tens of seconds, and a little more
// than a day in five minutes, however often the node is measured; 981 samples at most. With pods
// measured every ten seconds these hold 710 measurements of pods, about half a kilobyte for each
// pod.
using HistoryPolicy = std::vector<HistoryStretch>;
[[nodiscard]] HistoryPolicy default_history_policy();

// Merges the samples into one that has the worst value of each signal. They must be in order of
// time, and at least one.
[[nodiscard]] Sample merge_samples(const std::vector<Sample>& samples);

class History {
 public:
  explicit History(HistoryPolicy policy = default_history_policy());

  // Ignores a sample that is not newer than the last one.
  void add(Sample sample);
  // Puts samples from before this history began, oldest first and at most five minutes each, into
  // the last stretch unchanged, except those that are not older than everything in this history.
  void put_before(std::vector<Sample> older);

  [[nodiscard]] std::vector<const Sample*> samples() const;  // oldest first
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const Sample* newest() const;  // null when empty

 private:
  void pass_on(std::size_t stretch, SteadyTime newest);
  void take(std::size_t stretch, Sample sample);

  HistoryPolicy policy_;
  std::vector<std::deque<Sample>> stretches_;  // as in the policy; each oldest first
};

}  // namespace berth::eviction
