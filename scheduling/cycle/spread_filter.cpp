// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/spread_filter.hpp"

#include <algorithm>
#include <limits>

namespace berth::scheduling {
namespace {

constexpr std::int64_t kNoDomainAtAll = std::numeric_limits<std::int32_t>::max();

// With fewer domains than minDomains, the minimum is that of an empty domain.
std::int64_t minimum(const SpreadConstraint& constraint, std::int64_t domains,
                     std::int64_t smallest) {
  return domains < constraint.min_domains ? 0 : smallest;
}

bool violates(const SpreadFilter::Figures& figures) {
  return figures.count + figures.self - figures.minimum > figures.max_skew;
}

}  // namespace

void SpreadFilter::prepare(const Cluster& cluster, const IncomingPod& pod, SpreadColumns& columns,
                           Topologies& topologies) {
  namespace_ = pod.info.namespace_;
  terms_ = columns.prepare(cluster, pod, *pod.spread.hard, SpreadColumns::MissingKeys::kDoNotCount,
                           topologies);
}

SpreadFilter::Figures SpreadFilter::figures(const SpreadTerms& term, NodeIndex node,
                                            std::int64_t change) const {
  const SpreadConstraint& constraint = *term.constraint;
  const DomainTally& tally = *term.tally;
  const Domain domain = (*term.topology)[node];
  const std::int64_t count = tally.count(domain) + change;
  std::int64_t smallest = tally.smallest(domain, kNoDomainAtAll);
  if (tally.has(domain)) smallest = std::min(smallest, count);
  return {.count = count,
          .self = constraint.selects_itself ? 1 : 0,
          .minimum = minimum(constraint, tally.domains(), smallest),
          .max_skew = constraint.max_skew};
}

void SpreadFilter::reject(std::span<Rejections> rejections) const {
  std::vector<Rejections> of_domain;
  std::vector<Rejections> first(rejections.size());
  for (const SpreadTerms& term : terms_) {
    const DomainTally& tally = *term.tally;
    const SpreadConstraint& constraint = *term.constraint;
    Figures figures{
        .self = constraint.selects_itself ? 1 : 0,
        .minimum = minimum(constraint, tally.domains(), tally.smallest(kNoDomain, kNoDomainAtAll)),
        .max_skew = constraint.max_skew};
    // The entry before domain 0 is for nodes without the key.
    of_domain.assign(term.topology->size() + 1, 0);
    of_domain[0] = bit_of(Rejection::kSpreadKeyMissing);
    for (std::size_t domain = 0; domain + 1 < of_domain.size(); ++domain) {
      figures.count = tally.count(static_cast<Domain>(domain));
      of_domain[domain + 1] = bit_if(violates(figures), Rejection::kSpreadSkew);
    }
    // The first constraint that rejects a node determines the reason.
    for (NodeIndex node = 0; node < rejections.size(); ++node) {
      const auto place = static_cast<std::size_t>((*term.topology)[node] + 1);
      first[node] = first[node] != 0 ? first[node] : of_domain[place];
    }
  }
  for (NodeIndex node = 0; node < rejections.size(); ++node) rejections[node] |= first[node];
}

std::optional<SpreadFilter::Finding> SpreadFilter::find(NodeIndex node,
                                                        const Change& change) const {
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (const auto finding = find_one(i, node, change)) return finding;
  }
  return std::nullopt;
}

std::optional<SpreadFilter::Finding> SpreadFilter::find_one(std::size_t constraint, NodeIndex node,
                                                            const Change& change) const {
  const SpreadTerms& term = terms_[constraint];
  if ((*term.topology)[node] == kNoDomain) {
    return Finding{.rejection = Rejection::kSpreadKeyMissing, .constraint = term.constraint};
  }
  const Figures found = figures(term, node, change[constraint]);
  if (!violates(found)) return std::nullopt;
  return Finding{.constraint = term.constraint, .figures = found};
}

Rejections SpreadFilter::rejections_of(NodeIndex node, const Change& change) const {
  const auto finding = find(node, change);
  return finding ? bit_of(finding->rejection) : Rejections{0};
}

void SpreadFilter::apply(Change& change, const Cluster& cluster, NodeIndex node, const PodInfo& pod,
                         std::int64_t sign) const {
  change.resize(terms_.size());
  if (pod.namespace_ != namespace_) return;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const SpreadTerms& term = terms_[i];
    // Unlike in counting, terminating pods and empty selectors are not exceptions here.
    if ((*term.counted)[node] == 0) continue;
    if (cluster.vocabulary().matches(term.constraint->selector, pod.labels)) change[i] += sign;
  }
}

}  // namespace berth::scheduling
