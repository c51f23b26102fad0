// SPDX-License-Identifier: Apache-2.0

// Why a pod is placed on a node, or on none: one complete scheduling decision with its reasons and
// the values that decided, as names and texts.
//
// Plain, self-contained values: nothing points into the cluster.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace berth::scheduling {

// One filter's refusal of one node.
struct Refusal {
  std::string plugin{};
  bool is_unresolvable = false;        // preemption cannot help
  std::vector<std::string> reasons{};  // in Kubernetes' words
  std::vector<std::string> values{};   // the values concerned, one clause each
  std::vector<std::string> changes{};  // alternatives, each of which would let the node pass this
                                       // filter
  // A shortage, if it is an amount; cpu in thousandths, other resources in whole units.
  struct Short {
    std::string resource{};
    std::int64_t requested = 0;
    std::int64_t used = 0;
    std::int64_t capacity = 0;
  };
  std::vector<Short> shortages{};
};

// One plugin's score of one node.
struct Score {
  std::int64_t raw = 0;
  std::int64_t normalized = 0;  // 0 to 100
};

struct NodeVerdict {
  std::string node{};
  // The first one is reported by the scheduler; the others would refuse the node as well.
  std::vector<Refusal> refusals{};
  std::vector<Score> scores{};          // by ScoringPlugin; empty unless nodes were scored
  std::optional<std::int64_t> total{};  // set with `scores`

  [[nodiscard]] bool fits() const { return refusals.empty(); }
};

struct ScoringPlugin {
  std::string name{};
  std::int64_t weight = 0;
};

struct Victim {
  std::string pod{};  // namespace/name
  std::int32_t priority = 0;
};

struct PreemptionCandidateNode {
  std::string node{};
  std::vector<Victim> victims{};  // from most to least important
  std::int64_t budget_violations = 0;
  bool is_best = false;
};

struct PreemptionOutlook {
  std::string ineligible{};     // why the pod may not preempt; empty if it may
  std::size_t tried_nodes = 0;  // nodes where it was tried: the cause of the refusal could be
                                // removed there
  // Best first.
  std::vector<PreemptionCandidateNode> candidates{};
};

// A domain of a topology spread constraint: the nodes with one value of its key.
struct SpreadDomain {
  std::string value{};
  std::int64_t nodes = 0;          // that count
  std::int64_t fitting_nodes = 0;  // that can take the pod
  std::int64_t pods = 0;           // that the constraint counts
  std::int64_t skew = 0;           // if the pod is placed there
  bool is_allowed = true;          // the skew does not exceed maxSkew
};

struct SpreadTable {
  std::string field{};  // topologySpreadConstraints[0], or "default constraint"
  std::string topology_key{};
  std::string when_unsatisfiable{};
  std::string selector{};
  std::int64_t max_skew = 0;
  std::int64_t min_domains = 1;
  std::int64_t minimum = 0;   // the smallest count of all domains, as the constraint sees it
  bool counts_itself = true;  // its selector matches the incoming pod
  std::vector<SpreadDomain> domains{};  // by value
  std::int64_t nodes_without_key = 0;   // of this or, for hard ones, of any hard constraint
  std::int64_t nodes_left_out = 0;      // excluded by nodeAffinityPolicy and nodeTaintsPolicy
};

enum class Placement : std::uint8_t {
  kFits,
  kDoesNotFit,
  kGated,   // fits or not, but its scheduling gates come first
  kBroken,  // the decision ends in an error
};

struct PlacementExplanation {
  Placement placement = Placement::kDoesNotFit;
  std::string pod{};  // namespace/name
  std::string requests{};
  std::int32_t priority = 0;
  std::string scheduler{};
  // The reason and the full text of the scheduler's event.
  std::string event_reason{};
  std::string message{};
  std::vector<std::string> best{};  // equally good nodes, by name
  std::size_t fitting = 0;
  std::vector<NodeVerdict> nodes{};
  std::vector<ScoringPlugin> plugins{};
  std::string not_scored{};                       // why there are no scores although nodes fit
  std::optional<PreemptionOutlook> preemption{};  // set if no node fits
  std::vector<SpreadTable> spread{};
  std::vector<std::string> warnings{};
  std::vector<std::string> notes{};
};

}  // namespace berth::scheduling
