// SPDX-License-Identifier: Apache-2.0

// Topology spread in numbers: the pods that each constraint counts per domain, and the skew if the
// pod were placed there.
//
// Uses the columns on which the decision is based (cycle/spread_columns). Pure; about a scheduler's
// last decision.
#pragma once

#include <string>
#include <vector>

#include "scheduling/cycle/scheduler.hpp"
#include "scheduling/explain/placement_explanation.hpp"

namespace berth::scheduling {

// One table per constraint of the pod, or of the profile's defaults if those apply: hard
// constraints first.
[[nodiscard]] std::vector<SpreadTable> spread_tables(const Scheduler& scheduler);

// The hard constraints' reasons for refusing nodes.
class SkewReasons {
 public:
  explicit SkewReasons(const Scheduler& scheduler);

  // `domain`: the node's value of the constraint's key.
  void explain(std::size_t constraint, const SpreadFilter::Figures& figures,
               const std::string& domain, Refusal& refusal) const;

 private:
  // The domains with the fewest pods.
  struct Least {
    std::string names{};
    bool are_tainted = false;  // all of their nodes have taints that the pod does not tolerate
  };
  [[nodiscard]] Least least_of(const SpreadTerms& term) const;

  const Scheduler& scheduler_;
  std::vector<Least> least_{};  // by constraint
};

}  // namespace berth::scheduling
