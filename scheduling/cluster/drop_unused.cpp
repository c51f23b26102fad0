// SPDX-License-Identifier: Apache-2.0

// Drops what the cluster holds only for objects that no longer exist.
#include "scheduling/cluster/cluster.hpp"

namespace berth::scheduling {
namespace {

// Marks everything that a cluster's objects use.
class Marker {
 public:
  Marker(const Vocabulary& vocabulary, const Interner<AffinityTerms>& terms)
      : terms_(terms), used_terms_(terms.slots()), used_(vocabulary.nothing_used()) {
    this->terms(kNoAffinityTerms);
  }

  void name(NameId id) { used_.names[id] = true; }
  void labels(LabelSetId id) { used_.label_sets[id] = true; }
  void pod(const PodInfo& info) {
    name(info.namespace_);
    labels(info.labels);
    terms(info.terms);
  }

  [[nodiscard]] const std::vector<bool>& used_terms() const { return used_terms_; }
  [[nodiscard]] const VocabularyUse& used() const { return used_; }

 private:
  void terms(AffinityTermsId id) {
    if (used_terms_[id]) return;
    used_terms_[id] = true;
    const AffinityTerms& all = terms_.at(id);
    for (const auto* group : {&all.required_affinity, &all.required_anti_affinity,
                              &all.preferred_affinity, &all.preferred_anti_affinity}) {
      for (const AffinityTerm& term : *group) {
        name(term.topology_key);
        for (const NameId one : term.namespaces) name(one);
        used_.selectors[term.selector] = true;
        used_.selectors[term.namespace_selector] = true;
      }
    }
  }

  const Interner<AffinityTerms>& terms_;
  std::vector<bool> used_terms_;
  VocabularyUse used_;
};

}  // namespace

std::size_t Cluster::held() const {
  return vocabulary_.held() + affinity_terms_.held();
}

void Cluster::drop_unused() {
  // Runs when at least half of the content is new, so that scanning the kept content stays cheap.
  constexpr std::size_t kSlack = 1024;
  if (held() <= 2 * kept_ + kSlack) return;
  Marker marker(vocabulary_, affinity_terms_);
  for (const auto& [key, slot] : pod_by_key_) marker.pod(pods_[slot].info);
  for (const Nomination& nomination : nominations_) marker.pod(nomination.pod);
  for (const auto& [name, labels] : namespaces_) {
    marker.name(name);
    marker.labels(labels);
  }
  for (const NodeInfo& node : nodes_) {
    for (const NameId image : node.images) marker.name(image);
  }
  affinity_terms_.keep(marker.used_terms());
  vocabulary_.keep(marker.used());
  kept_ = held();
  ++changes_.ids;
}

}  // namespace berth::scheduling
