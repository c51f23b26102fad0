// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/inter_pod_filter.hpp"

#include <algorithm>

#include "scheduling/predicates/key_text.hpp"

namespace berth::scheduling {
namespace {

// Each calls emit(topology key, amount) for one pod's contributions.

template <class Emit>
void contribute_existing(const AffinityTerms& of_existing, const PodLabels& incoming,
                         const Cluster& cluster, Emit&& emit) {
  for (const AffinityTerm& term : of_existing.required_anti_affinity) {
    if (means_incoming(term, incoming, cluster)) emit(term.topology_key, 1);
  }
}

template <class Emit>
void contribute_affinity(const std::vector<AffinityTerm>& terms, const PodLabels& existing,
                         const Cluster& cluster, Emit&& emit) {
  if (!all_mean_existing(terms, existing, cluster)) return;
  for (const AffinityTerm& term : terms) emit(term.topology_key, 1);
}

template <class Emit>
void contribute_anti_affinity(const std::vector<AffinityTerm>& terms, const PodLabels& existing,
                              const Cluster& cluster, Emit&& emit) {
  for (const AffinityTerm& term : terms) {
    if (means_existing(term, existing, cluster)) emit(term.topology_key, 1);
  }
}

PodLabels labels_of(const NodePod& pod) {
  return {.namespace_ = pod.namespace_, .labels = pod.labels};
}
PodLabels labels_of(const PodInfo& pod) {
  return {.namespace_ = pod.namespace_, .labels = pod.labels};
}

void add(InterPodFilter::Amounts& amounts, NameId key, std::int64_t amount) {
  for (auto& [known, sum] : amounts) {
    if (known == key) {
      sum += amount;
      return;
    }
  }
  amounts.emplace_back(key, amount);
}

std::int64_t of(const InterPodFilter::Amounts& amounts, NameId key) {
  for (const auto& [known, sum] : amounts) {
    if (known == key) return sum;
  }
  return 0;
}

// A key that has a contribution at the node, including the change.
std::optional<NameId> met_key(const PodContributions* contributions,
                              const InterPodFilter::Amounts& change, NodeIndex node) {
  if (contributions == nullptr) return std::nullopt;
  const auto counted = [&](NameId key) -> std::int64_t {
    const PodContributions::ByKey* by_key = contributions->find(key);
    return by_key == nullptr ? 0 : by_key->tally.count((*by_key->topology)[node]);
  };
  for (const PodContributions::ByKey& by_key : contributions->by_key()) {
    if (counted(by_key.key) + of(change, by_key.key) > 0) return by_key.key;
  }
  for (const auto& [key, amount] : change) {
    if (counted(key) + amount > 0) return key;
  }
  return std::nullopt;
}

void reject_where_met(const PodContributions& contributions, Rejection rejection,
                      std::span<Rejections> rejections) {
  for (const PodContributions::ByKey& by_key : contributions.by_key()) {
    if (by_key.tally.total() == 0) continue;
    for (NodeIndex node = 0; node < rejections.size(); ++node) {
      rejections[node] |= bit_if(by_key.tally.count((*by_key.topology)[node]) > 0, rejection);
    }
  }
}

}  // namespace

void InterPodColumns::trim() {
  existing_.trim();
  affinity_.trim();
  anti_affinity_.trim();
}

void InterPodColumns::clear() {
  existing_.clear();
  affinity_.clear();
  anti_affinity_.clear();
}

const PodContributions& InterPodColumns::existing_anti_affinity(const Cluster& cluster,
                                                                const IncomingPod& pod,
                                                                Topologies& topologies) {
  const PodLabels incoming = labels_of(pod.info);
  PodContributions& column =
      existing_.get(KeyText().add(incoming.namespace_).add(incoming.labels).text());
  column.revise(cluster, topologies, PodContributions::Asked::kPodsWithTerms,
                [&](const NodePod& other, auto&& emit) {
                  if (other.terms == kNoAffinityTerms) return;
                  contribute_existing(cluster.affinity_terms(other.terms), incoming, cluster, emit);
                });
  return column;
}

const PodContributions& InterPodColumns::affinity(const Cluster& cluster, const IncomingPod& pod,
                                                  Topologies& topologies) {
  PodContributions& column = affinity_.get(KeyText().add(pod.info.terms).text());
  column.revise(cluster, topologies, PodContributions::Asked::kAllPods,
                [&](const NodePod& other, auto&& emit) {
                  contribute_affinity(pod.terms->required_affinity, labels_of(other), cluster,
                                      emit);
                });
  return column;
}

const PodContributions& InterPodColumns::anti_affinity(const Cluster& cluster,
                                                       const IncomingPod& pod,
                                                       Topologies& topologies) {
  PodContributions& column = anti_affinity_.get(KeyText().add(pod.info.terms).text());
  column.revise(cluster, topologies, PodContributions::Asked::kAllPods,
                [&](const NodePod& other, auto&& emit) {
                  contribute_anti_affinity(pod.terms->required_anti_affinity, labels_of(other),
                                           cluster, emit);
                });
  return column;
}

void InterPodFilter::prepare(const Cluster& cluster, const IncomingPod& pod,
                             InterPodColumns& columns, Topologies& topologies) {
  cluster_ = &cluster;
  terms_ = pod.terms;
  labels_ = labels_of(pod.info);
  existing_ = &columns.existing_anti_affinity(cluster, pod, topologies);
  affinity_ = nullptr;
  anti_affinity_ = nullptr;
  affinity_topologies_.clear();
  if (!terms_->required_affinity.empty()) {
    affinity_ = &columns.affinity(cluster, pod, topologies);
    means_itself_ = all_mean_existing(terms_->required_affinity, labels_, cluster);
    for (const AffinityTerm& term : terms_->required_affinity) {
      affinity_topologies_.push_back(&topologies.of(cluster, term.topology_key));
    }
  }
  if (!terms_->required_anti_affinity.empty()) {
    anti_affinity_ = &columns.anti_affinity(cluster, pod, topologies);
  }
}

bool InterPodFilter::is_skipped() const {
  return affinity_ == nullptr && anti_affinity_ == nullptr &&
         (existing_ == nullptr || existing_->number() == 0);
}

// Whether no pod anywhere matches the incoming pod's affinity: it may be the first of its kind.
bool InterPodFilter::none_to_be_near(const Change& change) const {
  for (std::size_t i = 0; i < affinity_topologies_.size(); ++i) {
    const NameId key = terms_->required_affinity[i].topology_key;
    const PodContributions::ByKey* by_key = affinity_->find(key);
    const std::int64_t total = by_key == nullptr ? 0 : by_key->tally.total();
    if (total + of(change.affinity, key) != 0) return false;
  }
  return true;
}

std::optional<NameId> InterPodFilter::missed_affinity(NodeIndex node, const Change& change) const {
  std::optional<NameId> missed;
  for (std::size_t i = 0; i < affinity_topologies_.size(); ++i) {
    const NameId key = terms_->required_affinity[i].topology_key;
    const Domain domain = (*affinity_topologies_[i])[node];
    if (domain == kNoDomain) return key;
    const PodContributions::ByKey* by_key = affinity_->find(key);
    const std::int64_t count = by_key == nullptr ? 0 : by_key->tally.count(domain);
    if (!missed && count + of(change.affinity, key) <= 0) missed = key;
  }
  if (missed && means_itself_ && none_to_be_near(change)) return std::nullopt;
  return missed;
}

std::optional<NameId> InterPodFilter::key_of(Rejection rejection, NodeIndex node,
                                             const Change& change) const {
  switch (rejection) {
    case Rejection::kPodAffinity:
      return missed_affinity(node, change);
    case Rejection::kPodAntiAffinity:
      return met_key(anti_affinity_, change.anti_affinity, node);
    case Rejection::kExistingAntiAffinity:
      return met_key(existing_, change.existing, node);
    default:
      return std::nullopt;
  }
}

void InterPodFilter::reject(std::span<Rejections> rejections) const {
  if (affinity_ != nullptr) {
    const Change none;
    for (NodeIndex node = 0; node < rejections.size(); ++node) {
      rejections[node] |= bit_if(missed_affinity(node, none).has_value(), Rejection::kPodAffinity);
    }
  }
  if (anti_affinity_ != nullptr) {
    reject_where_met(*anti_affinity_, Rejection::kPodAntiAffinity, rejections);
  }
  reject_where_met(*existing_, Rejection::kExistingAntiAffinity, rejections);
}

Rejections InterPodFilter::rejections_of(NodeIndex node, const Change& change) const {
  Rejections bits = 0;
  for (const Rejection rejection :
       {Rejection::kPodAffinity, Rejection::kPodAntiAffinity, Rejection::kExistingAntiAffinity}) {
    bits |= bit_if(key_of(rejection, node, change).has_value(), rejection);
  }
  return bits;
}

void InterPodFilter::apply(Change& change, NodeIndex node, const PodInfo& pod,
                           std::int64_t sign) const {
  const Labels& labels = cluster_->node(node).facts.labels;
  const auto to = [&](Amounts& amounts) {
    return [&, sign](NameId key, std::int64_t amount) {
      if (labels.contains(cluster_->vocabulary().text_of(key))) add(amounts, key, sign * amount);
    };
  };
  contribute_existing(cluster_->affinity_terms(pod.terms), labels_, *cluster_, to(change.existing));
  if (affinity_ != nullptr) {
    contribute_affinity(terms_->required_affinity, labels_of(pod), *cluster_, to(change.affinity));
  }
  if (anti_affinity_ != nullptr) {
    contribute_anti_affinity(terms_->required_anti_affinity, labels_of(pod), *cluster_,
                             to(change.anti_affinity));
  }
}

}  // namespace berth::scheduling
