// SPDX-License-Identifier: Apache-2.0

// One pod's scheduling cycle: the node that it gets, or why it gets none.
//
// The answer is a pure function of cluster, profile, pod and start; only computed columns are kept
// between cycles. A scheduler follows a single cluster, which it does not own and which must
// outlive it. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scheduling/cycle/filtering.hpp"
#include "scheduling/cycle/scoring.hpp"

namespace berth::scheduling {

struct Decision {
  enum class Outcome : std::uint8_t { kPlaced, kUnschedulable, kError };
  Outcome outcome = Outcome::kUnschedulable;
  // The nodes with the highest total: equally good choices for the pod.
  std::vector<NodeIndex> best{};
  std::optional<std::int64_t> total{};  // unset if a single node was feasible: it is not scored
  std::size_t feasible = 0;
  std::string message{};       // of an error or failure (without preemption's message)
  std::size_t next_start = 0;  // where the next cycle's search starts
};

class Scheduler {
 public:
  Scheduler(Cluster& cluster, Profile profile);
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  Scheduler(Scheduler&&) = delete;
  Scheduler& operator=(Scheduler&&) = delete;
  ~Scheduler() = default;

  // Invalidates the results of the last decision on this cluster, including another scheduler's.
  // `start`: the index in the node order at which the search starts. The pod's object must live
  // until the next decision.
  Decision decide(const api::Pod& pod, std::size_t start = 0);

  // Parts of the last decision, with their reasons.
  [[nodiscard]] const IncomingPod& pod() const { return pod_; }
  [[nodiscard]] const Profile& profile() const { return profile_; }
  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  [[nodiscard]] const Filtering& filtering() const { return filtering_; }
  [[nodiscard]] const Scoring& scoring() const { return scoring_; }
  // In the order in which they were found.
  [[nodiscard]] std::span<const NodeIndex> feasible() const { return feasible_; }
  // Considered nodes that could not take the pod.
  [[nodiscard]] std::span<const NodeIndex> rejected() const { return rejected_; }
  // The status of nodes that were not considered: PreFilter's, or that they were left out.
  [[nodiscard]] const Status& absent_status() const { return absent_; }

  // Scores the feasible nodes with all plugins, including those that the profile disables, for
  // explanations. Returns false if it ended in an error.
  bool score_by_all();

 private:
  void trim();
  [[nodiscard]] bool is_taken_by_nomination();
  // Those nodes named by PreFilter that are present.
  [[nodiscard]] std::vector<NodeIndex> narrowed_nodes() const;
  std::size_t search(std::size_t start);
  std::size_t search(const std::vector<NodeIndex>& nodes, std::size_t start);
  void score(Decision& decision);
  [[nodiscard]] bool run_scores(PluginSet plugins);

  Cluster& cluster_;
  Profile profile_;
  std::uint64_t generation_ = 0;  // of the cluster, whose ids are the keys of columns
  Topologies topologies_{};
  SpreadColumns spread_columns_{};
  Filtering filtering_;
  Scoring scoring_;
  IncomingPod pod_{};
  std::vector<NodeIndex> feasible_{};
  std::vector<NodeIndex> rejected_{};
  Status absent_{};
};

}  // namespace berth::scheduling
