// SPDX-License-Identifier: Apache-2.0

// The pods that decide a pod's affinity and anti-affinity, by topology domain: pods that its
// affinity matches, pods that its anti-affinity matches, and pods whose anti-affinity matches it.
//
// Uses the predicates of the filter's columns (cycle/inter_pod_terms), and keeps the matching pods.
// Pure; about a scheduler's last decision, which must outlive it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scheduling/cycle/scheduler.hpp"
#include "scheduling/explain/first_names.hpp"

namespace berth::scheduling {

// Pods in one domain: "default/a on n1, default/b on n2 and 3 more".
using MatchingPods = FirstNames;

// Keyed by the value of a topology key.
using PodsByDomain = std::map<std::string, MatchingPods, std::less<>>;

class AffinityMatches {
 public:
  explicit AffinityMatches(const Scheduler& scheduler);

  // `term` is the index of the pod's required term. For affinity, the pods that match all terms.
  [[nodiscard]] const PodsByDomain& affinity(std::size_t term) const { return affinity_[term]; }
  [[nodiscard]] const PodsByDomain& anti_affinity(std::size_t term) const {
    return anti_affinity_[term];
  }
  // Pods whose required anti-affinity matches the incoming pod, by topology key.
  [[nodiscard]] const std::map<NameId, PodsByDomain>& existing() const { return existing_; }
  // Pods that match all required affinity terms of the incoming pod, wherever they are.
  [[nodiscard]] const MatchingPods& wanted() const { return wanted_; }
  [[nodiscard]] bool means_itself() const { return means_itself_; }

 private:
  void look_at(const NodeInfo& node, const NodePod& pod);

  const Cluster& cluster_;
  const IncomingPod& pod_;
  std::vector<PodsByDomain> affinity_{};
  std::vector<PodsByDomain> anti_affinity_{};
  std::map<NameId, PodsByDomain> existing_{};
  MatchingPods wanted_{};
  bool means_itself_ = false;
};

// What a term selects: "app=web in namespaces a, b".
[[nodiscard]] std::string term_text(const AffinityTerm& term, const Cluster& cluster);

}  // namespace berth::scheduling
