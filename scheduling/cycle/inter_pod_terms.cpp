// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/inter_pod_terms.hpp"

#include <algorithm>

namespace berth::scheduling {
namespace {

bool lists(const AffinityTerm& term, NameId name) {
  return std::binary_search(term.namespaces.begin(), term.namespaces.end(), name);
}

}  // namespace

bool means_existing(const AffinityTerm& term, const PodLabels& existing, const Cluster& cluster) {
  const Vocabulary& vocabulary = cluster.vocabulary();
  if (!vocabulary.matches(term.selector, existing.labels)) return false;
  if (lists(term, existing.namespace_)) return true;
  if (vocabulary.matches(term.namespace_selector, kNoLabels)) return true;
  const auto labels = cluster.namespace_labels(existing.namespace_);
  return labels && vocabulary.matches(term.namespace_selector, *labels);
}

bool all_mean_existing(const std::vector<AffinityTerm>& terms, const PodLabels& existing,
                       const Cluster& cluster) {
  return std::all_of(terms.begin(), terms.end(), [&](const AffinityTerm& term) {
    return means_existing(term, existing, cluster);
  });
}

bool means_incoming(const AffinityTerm& term, const PodLabels& incoming, const Cluster& cluster) {
  const Vocabulary& vocabulary = cluster.vocabulary();
  if (!vocabulary.matches(term.selector, incoming.labels)) return false;
  if (lists(term, incoming.namespace_)) return true;
  const auto labels = cluster.namespace_labels(incoming.namespace_);
  return vocabulary.matches(term.namespace_selector, labels.value_or(kNoLabels));
}

}  // namespace berth::scheduling
