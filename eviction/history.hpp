// What was measured over the last hours: a bounded series that keeps the latest samples as they
// were and merges older ones.
//
// A value; nothing is measured here. Samples come oldest first. Merging keeps the worst of each
// signal, so that a dip that would have met a threshold is never averaged away; a threshold that
// held only within one of the merged samples looks as if it held for all of them, which is why
// whoever reads it is to say that it is a guess (`Sample::merged` > 1).
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "eviction/readings.hpp"

namespace berth::eviction {

struct Sample {
  SteadyTime at{};
  WallTime shown_at{};  // the same moment, for people
  Readings readings{};
  std::vector<std::shared_ptr<const api::Pod>> pods{};  // active then; shared by all samples
  std::size_t merged = 1;                               // how many measurements this stands for
};

// One stretch of the series: it holds `capacity` samples, and passes the oldest on, `merge` of them
// as one.
struct HistoryStretch {
  std::size_t capacity = 0;
  std::size_t merge = 1;

  bool operator==(const HistoryStretch&) const = default;
};

// Newest stretch first. At one sample a second: ten minutes as measured, two hours by tens of
// seconds, and a day by minutes; 2760 samples at most.
using HistoryPolicy = std::vector<HistoryStretch>;
[[nodiscard]] HistoryPolicy default_history_policy();

// The samples as one, the worst of each. They are in order of time, and there is at least one.
[[nodiscard]] Sample merge_samples(const std::vector<Sample>& samples);

class History {
 public:
  explicit History(HistoryPolicy policy = default_history_policy());

  // A sample that is not newer than the last one is not taken.
  void add(Sample sample);

  [[nodiscard]] std::vector<const Sample*> samples() const;  // oldest first
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const Sample* newest() const;  // null: there is none

 private:
  void pass_on(std::size_t stretch);

  HistoryPolicy policy_;
  std::vector<std::deque<Sample>> stretches_;  // as in the policy; each oldest first
};

}  // namespace berth::eviction
