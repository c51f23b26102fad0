// SPDX-License-Identifier: Apache-2.0

#include "scheduling/explain/spread_tables.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "scheduling/explain/first_names.hpp"

namespace berth::scheduling {
namespace {

// The domains of one constraint, by value.
using Domains = std::map<std::string, SpreadDomain, std::less<>>;

const std::string* value_of(const NodeInfo& node, const std::string& key) {
  const auto label = node.facts.labels.find(key);
  return label == node.facts.labels.end() ? nullptr : &label->second;
}

Domains domains_of(const Scheduler& scheduler, const SpreadTerms& term) {
  const Cluster& cluster = scheduler.cluster();
  const std::string& key = cluster.vocabulary().text_of(term.constraint->topology_key);
  const auto rejections = scheduler.filtering().rejections();
  const bool hears = scheduler.filtering().pre_filter().status.code == StatusCode::kSuccess;
  Domains domains;
  for (const NodeIndex index : cluster.node_order()) {
    const std::string* value = value_of(cluster.node(index), key);
    if (value == nullptr) continue;
    const Domain domain = (*term.topology)[index];
    if (!term.tally->has(domain)) continue;
    SpreadDomain& row = domains[*value];
    row.value = *value;
    row.pods = term.tally->count(domain);
    if ((*term.counted)[index] != 0) ++row.nodes;
    if (hears && rejections[index] == 0) ++row.fitting_nodes;
  }
  return domains;
}

std::int64_t minimum_of(const Domains& domains, const SpreadConstraint& constraint) {
  if (domains.empty() || static_cast<std::int64_t>(domains.size()) < constraint.min_domains) {
    return 0;
  }
  return std::min_element(
             domains.begin(), domains.end(),
             [](const auto& a, const auto& b) { return a.second.pods < b.second.pods; })
      ->second.pods;
}

// The path, in the pod's object, of a compiled constraint of this kind.
std::string field_of(const api::Pod& pod, std::string_view when, std::size_t place) {
  const auto& stated = pod.spec.topologySpreadConstraints;
  for (std::size_t i = 0; i < stated.size(); ++i) {
    if (stated[i].whenUnsatisfiable != when) continue;
    if (place-- == 0) return fmt::format("topologySpreadConstraints[{}]", i);
  }
  return "default constraint";
}

SpreadTable table_of(const Scheduler& scheduler, const SpreadTerms& term, std::string_view when) {
  const Cluster& cluster = scheduler.cluster();
  const SpreadConstraint& constraint = *term.constraint;
  SpreadTable table{.topology_key = cluster.vocabulary().text_of(constraint.topology_key),
                    .when_unsatisfiable = std::string(when),
                    .selector = cluster.vocabulary().selector_of(constraint.selector).to_text(),
                    .max_skew = constraint.max_skew,
                    .min_domains = constraint.min_domains,
                    .counts_itself = constraint.selects_itself};
  Domains domains = domains_of(scheduler, term);
  table.minimum = minimum_of(domains, constraint);
  for (auto& [value, row] : domains) {
    row.skew = row.pods + (constraint.selects_itself ? 1 : 0) - table.minimum;
    row.is_allowed = row.skew <= constraint.max_skew;
    table.domains.push_back(std::move(row));
  }
  for (const NodeIndex node : cluster.node_order()) {
    if ((*term.counted)[node] != 0) continue;
    const bool has_key = value_of(cluster.node(node), table.topology_key) != nullptr;
    ++(has_key ? table.nodes_left_out : table.nodes_without_key);
  }
  return table;
}

void add_tables(const Scheduler& scheduler, std::span<const SpreadTerms> terms,
                std::string_view when, std::vector<SpreadTable>& tables) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    tables.push_back(table_of(scheduler, terms[i], when));
    tables.back().field = field_of(*scheduler.pod().object, when, i);
  }
}

}  // namespace

std::vector<SpreadTable> spread_tables(const Scheduler& scheduler) {
  std::vector<SpreadTable> tables;
  const SpreadConstraints& constraints = scheduler.pod().spread;
  SpreadColumns columns;
  Topologies topologies;
  using MissingKeys = SpreadColumns::MissingKeys;
  if (constraints.hard) {
    add_tables(scheduler,
               columns.prepare(scheduler.cluster(), scheduler.pod(), *constraints.hard,
                               MissingKeys::kDoNotCount, topologies),
               "DoNotSchedule", tables);
  }
  if (constraints.soft) {
    const auto missing =
        constraints.tolerates_missing_keys ? MissingKeys::kAreEmpty : MissingKeys::kDoNotCount;
    add_tables(scheduler,
               columns.prepare(scheduler.cluster(), scheduler.pod(), *constraints.soft, missing,
                               topologies),
               "ScheduleAnyway", tables);
  }
  return tables;
}

SkewReasons::SkewReasons(const Scheduler& scheduler) : scheduler_(scheduler) {
  for (const SpreadTerms& term : scheduler.filtering().spread().terms()) {
    least_.push_back(least_of(term));
  }
}

SkewReasons::Least SkewReasons::least_of(const SpreadTerms& term) const {
  const Cluster& cluster = scheduler_.cluster();
  const std::string& key = cluster.vocabulary().text_of(term.constraint->topology_key);
  const auto by_plugin = scheduler_.filtering().by_plugin();
  const std::int64_t fewest =
      term.tally->smallest(kNoDomain, std::numeric_limits<std::int64_t>::max());
  std::map<std::string, bool> tainted;  // by domain
  for (const NodeIndex node : cluster.node_order()) {
    const Domain domain = (*term.topology)[node];
    if ((*term.counted)[node] == 0 || term.tally->count(domain) != fewest) continue;
    const bool closed = (by_plugin[node] & bit_of(Rejection::kTaint)) != 0;
    const auto known = tainted.emplace(*value_of(cluster.node(node), key), closed).first;
    known->second = known->second && closed;
  }
  Least least{.are_tainted = !tainted.empty()};
  FirstNames names;
  for (const auto& [value, closed] : tainted) {
    least.are_tainted = least.are_tainted && closed;
    names.add(value);
  }
  least.names = names.text();
  return least;
}

void SkewReasons::explain(std::size_t place, const SpreadFilter::Figures& figures,
                          const std::string& domain, Refusal& refusal) const {
  const SpreadTerms& term = scheduler_.filtering().spread().terms()[place];
  const SpreadConstraint& constraint = *term.constraint;
  const Vocabulary& vocabulary = scheduler_.cluster().vocabulary();
  const std::string& key = vocabulary.text_of(constraint.topology_key);
  const Least& least = least_[place];
  const std::int64_t would_be = figures.count + figures.self;
  const std::int64_t skew = would_be - figures.minimum;
  const bool too_few = term.tally->domains() < constraint.min_domains;
  const std::string fewest =
      too_few ? fmt::format("the minimum is 0 because {} domains are fewer than minDomains {}",
                            term.tally->domains(), constraint.min_domains)
              : fmt::format("the minimum is {}{}", figures.minimum,
                            least.names.empty() ? "" : " (" + least.names + ")");
  refusal.values.push_back(fmt::format(
      "{}={} would have {} pods with {}, {}: skew {} exceeds maxSkew {}", key, domain, would_be,
      vocabulary.selector_of(constraint.selector).to_text(), fewest, skew, constraint.max_skew));
  if (too_few) {
    refusal.changes.emplace_back("lower minDomains, or add nodes in other domains");
  } else if (!least.names.empty()) {
    refusal.changes.push_back(fmt::format("free capacity in {}={}", key, least.names));
  }
  if (least.are_tainted && constraint.taints_policy == InclusionPolicy::kIgnore) {
    refusal.changes.emplace_back(
        "set nodeTaintsPolicy: Honor, so that nodes with taints the pod does not tolerate no "
        "longer count as empty domains");
  }
  refusal.changes.push_back(fmt::format("raise maxSkew to {}", skew));
  refusal.changes.emplace_back("set whenUnsatisfiable: ScheduleAnyway");
}

}  // namespace berth::scheduling
