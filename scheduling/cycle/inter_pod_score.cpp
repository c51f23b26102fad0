// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/inter_pod_score.hpp"

#include "scheduling/cycle/inter_pod_terms.hpp"
#include "scheduling/predicates/key_text.hpp"

namespace berth::scheduling {
namespace {

// What one existing pod contributes to the score of the incoming pod.
class Contributions {
 public:
  Contributions(const Cluster& cluster, const IncomingPod& pod, const InterPodAffinityArgs& args)
      : cluster_(cluster),
        own_(*pod.terms),
        incoming_{.namespace_ = pod.info.namespace_, .labels = pod.info.labels},
        args_(args) {}

  template <class Emit>
  void of(const NodePod& pod, Emit&& emit) const {
    const PodLabels existing{.namespace_ = pod.namespace_, .labels = pod.labels};
    for (const AffinityTerm& term : own_.preferred_affinity) {
      if (means_existing(term, existing, cluster_)) emit(term.topology_key, term.weight);
    }
    for (const AffinityTerm& term : own_.preferred_anti_affinity) {
      if (means_existing(term, existing, cluster_)) emit(term.topology_key, -term.weight);
    }
    if (pod.terms == kNoAffinityTerms) return;
    const AffinityTerms& theirs = cluster_.affinity_terms(pod.terms);
    if (args_.hardPodAffinityWeight > 0) {
      for (const AffinityTerm& term : theirs.required_affinity) {
        if (means_me(term)) emit(term.topology_key, args_.hardPodAffinityWeight);
      }
    }
    for (const AffinityTerm& term : theirs.preferred_affinity) {
      if (means_me(term)) emit(term.topology_key, term.weight);
    }
    for (const AffinityTerm& term : theirs.preferred_anti_affinity) {
      if (means_me(term)) emit(term.topology_key, -term.weight);
    }
  }

 private:
  [[nodiscard]] bool means_me(const AffinityTerm& term) const {
    return means_incoming(term, incoming_, cluster_);
  }

  const Cluster& cluster_;
  const AffinityTerms& own_;
  PodLabels incoming_;
  const InterPodAffinityArgs& args_;
};

}  // namespace

const PodContributions* InterPodScore::prepare(const Cluster& cluster, const IncomingPod& pod,
                                               const InterPodAffinityArgs& args,
                                               Topologies& topologies) {
  const bool no_preference = pod.terms->has_no_preference();
  if (no_preference && args.ignorePreferredTermsOfExistingPods) return nullptr;
  KeyText key;
  key.add(pod.info.namespace_).add(pod.info.labels);
  key.add(no_preference ? kNoAffinityTerms : pod.info.terms);
  PodContributions& column = columns_.get(key.text());
  const Contributions contributions(cluster, pod, args);
  const auto asked =
      no_preference ? PodContributions::Asked::kPodsWithTerms : PodContributions::Asked::kAllPods;
  column.revise(cluster, topologies, asked,
                [&](const NodePod& other, auto&& emit) { contributions.of(other, emit); });
  return column.number() == 0 ? nullptr : &column;
}

std::int64_t raw_inter_pod_score(const PodContributions& contributions, NodeIndex node) {
  std::int64_t sum = 0;
  for (const PodContributions::ByKey& by_key : contributions.by_key()) {
    sum += by_key.tally.count((*by_key.topology)[node]);
  }
  return sum;
}

}  // namespace berth::scheduling
