// SPDX-License-Identifier: Apache-2.0

#include "scheduling/explain/affinity_matches.hpp"

#include "scheduling/cycle/inter_pod_terms.hpp"

namespace berth::scheduling {
namespace {

PodLabels labels_of(const NodePod& pod) {
  return {.namespace_ = pod.namespace_, .labels = pod.labels};
}

}  // namespace

AffinityMatches::AffinityMatches(const Scheduler& scheduler)
    : cluster_(scheduler.cluster()), pod_(scheduler.pod()) {
  affinity_.resize(pod_.terms->required_affinity.size());
  anti_affinity_.resize(pod_.terms->required_anti_affinity.size());
  const PodLabels own{.namespace_ = pod_.info.namespace_, .labels = pod_.info.labels};
  means_itself_ = all_mean_existing(pod_.terms->required_affinity, own, cluster_);
  for (const NodeIndex index : cluster_.node_order()) {
    const NodeInfo& node = cluster_.node(index);
    for (const NodePod& pod : node.pods) look_at(node, pod);
  }
}

void AffinityMatches::look_at(const NodeInfo& node, const NodePod& pod) {
  const Labels& labels = node.facts.labels;
  const Vocabulary& vocabulary = cluster_.vocabulary();
  const auto name = [&] {
    return vocabulary.text_of(pod.namespace_) + "/" + cluster_.pod(pod.slot).name + " on " +
           node.name;
  };
  const auto add = [&](PodsByDomain& domains, NameId key) {
    const auto domain = labels.find(vocabulary.text_of(key));
    if (domain != labels.end()) domains[domain->second].add(name());
  };
  const AffinityTerms& terms = *pod_.terms;
  if (!affinity_.empty() && all_mean_existing(terms.required_affinity, labels_of(pod), cluster_)) {
    wanted_.add(name());
    for (std::size_t i = 0; i < affinity_.size(); ++i) {
      add(affinity_[i], terms.required_affinity[i].topology_key);
    }
  }
  for (std::size_t i = 0; i < anti_affinity_.size(); ++i) {
    const AffinityTerm& term = terms.required_anti_affinity[i];
    if (means_existing(term, labels_of(pod), cluster_)) add(anti_affinity_[i], term.topology_key);
  }
  if (pod.terms == kNoAffinityTerms) return;
  const PodLabels own{.namespace_ = pod_.info.namespace_, .labels = pod_.info.labels};
  for (const AffinityTerm& term : cluster_.affinity_terms(pod.terms).required_anti_affinity) {
    if (means_incoming(term, own, cluster_)) add(existing_[term.topology_key], term.topology_key);
  }
}

std::string term_text(const AffinityTerm& term, const Cluster& cluster) {
  const Vocabulary& vocabulary = cluster.vocabulary();
  std::string text = vocabulary.selector_of(term.selector).to_text();
  std::string names;
  for (const NameId name : term.namespaces) {
    names += (names.empty() ? "" : ", ") + vocabulary.text_of(name);
  }
  const std::string selector = vocabulary.selector_of(term.namespace_selector).to_text();
  if (selector == "<all>") return text + " in all namespaces";
  if (selector != "<none>") names += (names.empty() ? "" : " and ") + ("those with " + selector);
  return text +
         (term.namespaces.size() > 1 || selector != "<none>" ? " in namespaces "
                                                             : " in namespace ") +
         names;
}

}  // namespace berth::scheduling
