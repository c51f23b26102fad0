// SPDX-License-Identifier: Apache-2.0

// InterPodAffinity as a score: what the preferences of the incoming pod and of existing pods
// contribute to each node's domains.
#pragma once

#include <cstdint>

#include "scheduling/cycle/column_cache.hpp"
#include "scheduling/cycle/incoming_pod.hpp"
#include "scheduling/cycle/pod_contributions.hpp"

namespace berth::scheduling {

class InterPodScore {
 public:
  // Null if there is nothing to score.
  const PodContributions* prepare(const Cluster& cluster, const IncomingPod& pod,
                                  const InterPodAffinityArgs& args, Topologies& topologies);

  // Must be called between decisions: drops columns not used recently, or all.
  void trim() { columns_.trim(); }
  void clear() { columns_.clear(); }

 private:
  static constexpr std::size_t kMost = 256;  // columns

  ColumnCache<PodContributions> columns_{kMost};
};

// Before normalisation; may be negative.
[[nodiscard]] std::int64_t raw_inter_pod_score(const PodContributions& contributions,
                                               NodeIndex node);

}  // namespace berth::scheduling
