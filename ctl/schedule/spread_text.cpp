// SPDX-License-Identifier: Apache-2.0

#include "ctl/schedule/spread_text.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {
namespace {

using scheduling::SpreadDomain;
using scheduling::SpreadTable;

// Among many domains the emptiest and the fullest matter.
constexpr std::size_t kEmptiest = 6;
constexpr std::size_t kFullest = 4;

std::vector<const SpreadDomain*> shown_domains(const SpreadTable& table, Extent extent) {
  std::vector<const SpreadDomain*> domains;
  for (const SpreadDomain& domain : table.domains) domains.push_back(&domain);
  if (extent == Extent::kAll || domains.size() <= kEmptiest + kFullest) return domains;
  std::ranges::stable_sort(domains, [](const auto* a, const auto* b) { return a->pods < b->pods; });
  domains.erase(domains.begin() + kEmptiest, domains.end() - kFullest);
  return domains;
}

std::string nodes_text(std::int64_t number, std::string_view what) {
  return fmt::format("{} node{} {}.\n", number, number == 1 ? "" : "s", what);
}

}  // namespace

std::string spread_text(const SpreadTable& table, Extent extent) {
  const bool hard = table.when_unsatisfiable == "DoNotSchedule";
  std::string text = one_line(fmt::format(
      "Topology spread by {} ({}): maxSkew {}{}, {}, counts pods with {}", table.topology_key,
      table.field, table.max_skew,
      table.min_domains > 1 ? fmt::format(", minDomains {}", table.min_domains) : std::string(),
      table.when_unsatisfiable, table.selector));
  text += "\n";
  std::vector<Row> rows(1, Row{"DOMAIN", "NODES", "FIT", "PODS", "SKEW AFTER", "VERDICT"});
  for (const SpreadDomain* domain : shown_domains(table, extent)) {
    const char* verdict = domain->is_allowed ? "ok" : hard ? "too uneven" : "above maxSkew";
    rows.push_back({domain->value, std::to_string(domain->nodes),
                    std::to_string(domain->fitting_nodes), std::to_string(domain->pods),
                    std::to_string(domain->skew), verdict});
  }
  const std::size_t left = table.domains.size() + 1 - rows.size();
  text += format_table(rows);
  if (left > 0) text += fmt::format("... and {} more domains (--all lists them)\n", left);
  const bool few = static_cast<std::int64_t>(table.domains.size()) < table.min_domains;
  text += fmt::format("Skew after = pods{} - {} ({}).\n", table.counts_itself ? " + 1" : "",
                      table.minimum,
                      few ? "0 because there are fewer domains than minDomains"
                          : "the pods of the emptiest domain");
  if (table.nodes_without_key > 0) {
    text += nodes_text(table.nodes_without_key, "without the label: not counted");
  }
  if (table.nodes_left_out > 0) {
    text += nodes_text(table.nodes_left_out,
                       "not counted because of nodeAffinityPolicy, nodeTaintsPolicy or the key of "
                       "another constraint");
  }
  return text;
}

}  // namespace berth::ctl
