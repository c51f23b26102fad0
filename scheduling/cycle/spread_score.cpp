#include "scheduling/cycle/spread_score.hpp"

#include <algorithm>
#include <cmath>

namespace berth::scheduling {
namespace {

// Half away from zero; scores are not negative.
std::int64_t rounded(double score) {
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
  weigh(feasible);
}

bool SpreadScore::is_ignored(NodeIndex node) const {
  return missing_ == SpreadColumns::MissingKeys::kDoNotCount &&
         std::any_of(terms_.begin(), terms_.end(),
                     [&](const SpreadTerms& term) { return (*term.topology)[node] == kNoDomain; });
}

// The more domains, the more each constraint weighs. A host is a domain of its own, so that hosts
// need not be counted.
void SpreadScore::weigh(std::span<const NodeIndex> feasible) {
  weights_.clear();
  const auto taking_part = feasible.size() - static_cast<std::size_t>(std::count_if(
                                                 feasible.begin(), feasible.end(),
                                                 [&](NodeIndex node) { return is_ignored(node); }));
  for (const SpreadTerms& term : terms_) {
    std::size_t size = taking_part;
    if (!term.constraint->is_by_host()) {
      std::vector<std::uint8_t> seen(term.topology->size());
      for (const NodeIndex node : feasible) {
        const Domain domain = (*term.topology)[node];
        if (domain != kNoDomain) {
          seen[static_cast<std::size_t>(domain)] |= is_ignored(node) ? 0 : 1;
        } else if (missing_ == SpreadColumns::MissingKeys::kAreEmpty) {
          seen[static_cast<std::size_t>(kEmptyDomain)] = 1;
        }
      }
      size = static_cast<std::size_t>(std::count(seen.begin(), seen.end(), 1));
    }
    weights_.push_back(std::log(static_cast<double>(size + 2)));
  }
}

bool SpreadScore::score(std::span<const NodeIndex> feasible, std::span<std::int64_t> raw) const {
  bool any_ignored = false;
  for (const NodeIndex node : feasible) {
    if (is_ignored(node)) {
      raw[node] = kIgnored;
      any_ignored = true;
      continue;
    }
    double score = 0;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const SpreadTerms& term = terms_[i];
      const Domain domain = (*term.topology)[node];
      if (domain == kNoDomain) continue;
      const SpreadConstraint& constraint = *term.constraint;
      std::int64_t count = term.tally->count(domain);
      if (constraint.is_by_host()) {
        count = constraint.is_empty_selector ? 0 : (*term.counts)[node];
      }
      score +=
          static_cast<double>(count) * weights_[i] + static_cast<double>(constraint.max_skew - 1);
    }
    raw[node] = rounded(score);
  }
  return any_ignored;
}

}  // namespace berth::scheduling
