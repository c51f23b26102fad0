// PodTopologySpread as a score: constraints that only prefer (ScheduleAnyway).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scheduling/cycle/spread_columns.hpp"

namespace berth::scheduling {

class SpreadScore {
 public:
  // The pod's soft constraints must have been compiled. `feasible`: the nodes that are scored.
  void prepare(const Cluster& cluster, const IncomingPod& pod, std::span<const NodeIndex> feasible,
               SpreadColumns& columns, Topologies& topologies);
  [[nodiscard]] bool is_skipped() const { return terms_.empty(); }

  // A node that lacks one of the keys, where that is not tolerated, takes no part.
  static constexpr std::int64_t kIgnored = -1;
  // Before it is normalised, by node; only of the feasible ones. True: some are ignored.
  bool score(std::span<const NodeIndex> feasible, std::span<std::int64_t> raw) const;

 private:
  [[nodiscard]] bool is_ignored(NodeIndex node) const;
  void weigh(std::span<const NodeIndex> feasible);

  std::vector<SpreadTerms> terms_{};
  std::vector<double> weights_{};
  SpreadColumns::MissingKeys missing_ = SpreadColumns::MissingKeys::kDoNotCount;
};

}  // namespace berth::scheduling
