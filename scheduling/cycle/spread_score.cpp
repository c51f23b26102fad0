// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/spread_score.hpp"

#include <algorithm>
#include <cmath>

namespace berth::scheduling {
namespace {

// Rounds half away from zero. (std::llround is a call per node.)
std::int64_t rounded(double score) {
  if (score < 0) return -rounded(-score);
  const auto whole = static_cast<std::int64_t>(score);
  return score - static_cast<double>(whole) >= 0.5 ? whole + 1 : whole;
}

}  // namespace

void SpreadScore::prepare(const Cluster& cluster, const IncomingPod& pod,
                          std::span<const NodeIndex> feasible, SpreadColumns& columns,
                          Topologies& topologies) {
  missing_ = pod.spread.tolerates_missing_keys ? SpreadColumns::MissingKeys::kAreEmpty
                                               : SpreadColumns::MissingKeys::kDoNotCount;
  terms_ = columns.prepare(cluster, pod, *pod.spread.soft, missing_, topologies);
  ignore(cluster.node_slots(), feasible);
  weigh(feasible);
}

void SpreadScore::ignore(std::size_t nodes, std::span<const NodeIndex> feasible) {
  ignored_.assign(nodes, 0);
  ignored_nodes_ = 0;
  if (missing_ == SpreadColumns::MissingKeys::kAreEmpty) return;
  for (const SpreadTerms& term : terms_) {
    for (const NodeIndex node : feasible) {
      ignored_[node] |= (*term.topology)[node] == kNoDomain ? 1 : 0;
    }
  }
  for (const NodeIndex node : feasible) ignored_nodes_ += ignored_[node];
}

// The number of distinct domains of the nodes that are not ignored.
std::size_t SpreadScore::domains(const SpreadTerms& term,
                                 std::span<const NodeIndex> feasible) const {
  std::vector<std::uint8_t> seen(term.topology->size());
  for (const NodeIndex node : feasible) {
    if (ignored_[node] != 0) continue;
    const Domain domain = (*term.topology)[node];
    seen[static_cast<std::size_t>(domain == kNoDomain ? kEmptyDomain : domain)] = 1;
  }
  return static_cast<std::size_t>(std::count(seen.begin(), seen.end(), 1));
}

// The more domains, the greater a constraint's weight. Every host is a domain of its own, so hosts
// need no counting.
void SpreadScore::weigh(std::span<const NodeIndex> feasible) {
  weights_.clear();
  for (const SpreadTerms& term : terms_) {
    const std::size_t size =
        term.constraint->is_by_host ? feasible.size() - ignored_nodes_ : domains(term, feasible);
    weights_.push_back(std::log(static_cast<double>(size + 2)));
  }
}

void SpreadScore::add_by_host(const SpreadTerms& term, double weight,
                              std::span<const NodeIndex> feasible) {
  const bool counts = !term.constraint->is_empty_selector;
  const auto skew = static_cast<double>(term.constraint->max_skew - 1);
  for (const NodeIndex node : feasible) {
    if ((*term.topology)[node] == kNoDomain) continue;
    const std::int32_t count = counts ? (*term.counts)[node] : 0;
    sums_[node] += static_cast<double>(count) * weight + skew;
  }
}

void SpreadScore::add_by_domain(const SpreadTerms& term, double weight,
                                std::span<const NodeIndex> feasible) {
  const auto skew = static_cast<double>(term.constraint->max_skew - 1);
  std::vector<double> of_domain(term.topology->size());
  for (std::size_t domain = 0; domain < of_domain.size(); ++domain) {
    const std::int64_t count = term.tally->count(static_cast<Domain>(domain));
    of_domain[domain] = static_cast<double>(count) * weight + skew;
  }
  for (const NodeIndex node : feasible) {
    const Domain domain = (*term.topology)[node];
    if (domain != kNoDomain) sums_[node] += of_domain[static_cast<std::size_t>(domain)];
  }
}

void SpreadScore::score(std::span<const NodeIndex> feasible, std::span<std::int64_t> raw) {
  sums_.assign(raw.size(), 0);
  // Each node's constraints are added in their order: sums of doubles depend on it.
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (terms_[i].constraint->is_by_host) {
      add_by_host(terms_[i], weights_[i], feasible);
    } else {
      add_by_domain(terms_[i], weights_[i], feasible);
    }
  }
  for (const NodeIndex node : feasible) {
    raw[node] = ignored_[node] != 0 ? 0 : rounded(sums_[node]);
  }
}

}  // namespace berth::scheduling
