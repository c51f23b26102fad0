// SPDX-License-Identifier: Apache-2.0

#include "ctl/schedule/explain_text.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "ctl/schedule/node_groups.hpp"
#include "ctl/schedule/spread_text.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {
namespace {

using scheduling::NodeVerdict;
using scheduling::Placement;
using scheduling::PlacementExplanation;
using scheduling::Refusal;

// How many are shown unless all are requested.
constexpr std::size_t kScoredNodes = 5;
constexpr std::size_t kExamples = 3;
constexpr std::size_t kExamplesBeside = 1;  // if the pod fits elsewhere
constexpr std::size_t kNames = 5;
constexpr std::size_t kChanges = 4;

std::string counted(std::size_t number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

class ExplainText {
 public:
  ExplainText(const PlacementExplanation& explanation, const ExplainStyle& style)
      : explanation_(explanation), style_(style) {}

  std::string write() {
    write_verdict();
    write_scores();
    write_refused();
    write_preemption();
    if (style_.spread) write_spread();
    write_remarks();
    return std::move(text_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += one_line(fmt::format(format, std::forward<Args>(args)...)) + "\n";
  }

  [[nodiscard]] std::size_t at_most(std::size_t number, std::size_t all) const {
    return style_.extent == Extent::kAll ? all : std::min(number, all);
  }

  void write_verdict() {
    const std::size_t all = explanation_.nodes.size();
    std::string verdict;
    switch (explanation_.placement) {
      case Placement::kFits:
        verdict = fmt::format("fits on {} of {}", explanation_.fitting, counted(all, "node"));
        break;
      case Placement::kDoesNotFit:
        verdict = all == 0 ? "does not fit: there are no nodes"
                  : all == 1
                      ? fmt::format("does not fit on node {}", explanation_.nodes.front().node)
                      : fmt::format("does not fit on any of {} nodes", all);
        break;
      case Placement::kGated:
        verdict = "is not scheduled yet: it has scheduling gates";
        break;
      case Placement::kBroken:
        verdict = "cannot be scheduled: the decision fails with an error";
        break;
    }
    line("Pod {} {}.", explanation_.pod, verdict);
    line("Requests {}; priority {}; scheduler profile {}.", explanation_.requests,
         explanation_.priority, explanation_.scheduler);
    text_ += "\n";
    if (explanation_.placement == Placement::kFits) write_best();
    line("  {}: {}", explanation_.event_reason, explanation_.message);
  }

  void write_best() {
    const auto& best = explanation_.best;
    const std::size_t shown = at_most(kNames, best.size());
    std::string names;
    for (std::size_t i = 0; i < shown; ++i) names += (i == 0 ? "" : ", ") + best[i];
    if (shown < best.size()) names += fmt::format(" and {} more", best.size() - shown);
    const std::string total = best_total();
    if (best.size() == 1) {
      line("Best node: {}{}.", names, total);
    } else {
      line("Best nodes: {}. All {} have the same score{}; the scheduler picks one at random.",
           names, best.size(), total);
    }
    text_ += "\n";
  }

  [[nodiscard]] std::string best_total() const {
    const auto scored =
        std::ranges::find(explanation_.nodes, explanation_.best.front(), &NodeVerdict::node);
    if (scored == explanation_.nodes.end() || !scored->total) return {};
    return fmt::format(" (total {})", *scored->total);
  }

  void write_scores() {
    if (!explanation_.not_scored.empty()) {
      text_ += "\n";
      line("Not scored: {}.", explanation_.not_scored);
    }
    if (explanation_.plugins.empty()) return;
    std::vector<const NodeVerdict*> nodes;
    for (const NodeVerdict& node : explanation_.nodes) {
      if (node.total) nodes.push_back(&node);
    }
    std::ranges::stable_sort(nodes,
                             [](const auto* a, const auto* b) { return a->total > b->total; });
    const std::size_t shown = std::min(kScoredNodes, nodes.size());
    text_ += "\nScores (0 to 100 per plugin, multiplied by its weight; the highest total wins):\n";
    write_score_columns({nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(shown)});
    if (shown == nodes.size()) return;
    if (style_.extent == Extent::kAll) {
      write_totals({nodes.begin() + static_cast<std::ptrdiff_t>(shown), nodes.end()});
    } else {
      line("{} more nodes fit, with totals from {} down to {} (--all lists them).",
           nodes.size() - shown, *nodes[shown]->total, *nodes.back()->total);
    }
  }

  static std::string score_cell(const scheduling::Score& score) {
    if (score.raw == score.normalized) return std::to_string(score.normalized);
    return fmt::format("{} (raw {})", score.normalized, score.raw);
  }

  // One column per node.
  void write_score_columns(const std::vector<const NodeVerdict*>& nodes) {
    std::vector<Row> rows(1, Row{"PLUGIN", "WEIGHT"});
    for (const NodeVerdict* node : nodes) rows[0].push_back(node->node);
    for (std::size_t i = 0; i < explanation_.plugins.size(); ++i) {
      Row& row = rows.emplace_back(
          Row{explanation_.plugins[i].name, std::to_string(explanation_.plugins[i].weight)});
      for (const NodeVerdict* node : nodes) row.push_back(score_cell(node->scores[i]));
    }
    Row& totals = rows.emplace_back(Row{"total", ""});
    for (const NodeVerdict* node : nodes) totals.push_back(std::to_string(*node->total));
    text_ += format_table(rows);
  }

  // One line per node.
  void write_totals(std::span<const NodeVerdict* const> nodes) {
    std::vector<Row> rows(1, Row{"NODE", "TOTAL"});
    for (const auto& plugin : explanation_.plugins) {
      rows[0].push_back(fmt::format("{}*{}", plugin.name, plugin.weight));
    }
    for (const NodeVerdict* node : nodes) {
      Row& row = rows.emplace_back(Row{node->node, std::to_string(*node->total)});
      for (const auto& score : node->scores) row.push_back(std::to_string(score.normalized));
    }
    text_ += "\n" + format_table(rows);
  }

  void write_refused() {
    for (const NodeGroup& group : group_refused(explanation_.nodes)) {
      text_ += "\n";
      std::string alone;
      if (group.for_this_alone < group.nodes) {
        alone = group.for_this_alone == 0
                    ? "; always beside other reasons"
                    : fmt::format("; for {} the only reason", group.for_this_alone);
      }
      line("{}: {}{}{}", counted(group.nodes, "node"), group.reasons,
           group.plugin.empty() ? "" : " (filter " + group.plugin + ")", alone);
      const bool fits = explanation_.placement == Placement::kFits;
      const std::size_t shown = at_most(fits ? kExamplesBeside : kExamples, group.alike.size());
      std::size_t listed = 0;
      for (std::size_t i = 0; i < shown; ++i) {
        write_alike(group.alike[i]);
        listed += group.alike[i].nodes.size();
      }
      if (listed < group.nodes) {
        line("  ... and {} more (--all lists them)", group.nodes - listed);
      }
    }
  }

  void write_alike(const AlikeNodes& alike) {
    const std::size_t shown = at_most(kNames, alike.nodes.size());
    std::string names;
    for (std::size_t i = 0; i < shown; ++i) names += (i == 0 ? "" : ", ") + alike.nodes[i]->node;
    if (shown < alike.nodes.size()) {
      names += fmt::format(" and {} more", alike.nodes.size() - shown);
    }
    line("  {}", names);
    const auto& refusals = alike.nodes.front()->refusals;
    for (std::size_t i = 0; i < refusals.size(); ++i) {
      const Refusal& refusal = refusals[i];
      for (const std::string& value : refusal.values) {
        line("    {}{}", i == 0 ? "" : "also " + refusal.plugin + ": ", value);
      }
    }
    const std::size_t changes = std::min(kChanges, refusals.front().changes.size());
    for (std::size_t i = 0; i < changes; ++i) {
      line("    {} {}", i == 0 ? "fix:" : "or: ", refusals.front().changes[i]);
    }
  }

  void write_preemption() {
    if (!explanation_.preemption) return;
    const scheduling::PreemptionOutlook& outlook = *explanation_.preemption;
    text_ += "\n";
    if (!outlook.ineligible.empty()) {
      return line("Preemption: {}", outlook.ineligible);
    }
    if (outlook.candidates.empty()) {
      if (outlook.tried_nodes == 0) {
        return line("Preemption would not help: deleting pods changes none of these reasons.");
      }
      return line(
          "Preemption would not help: pods with a priority below {} do not free enough on {}.",
          explanation_.priority,
          outlook.tried_nodes == 1
              ? "the one node in question"
              : fmt::format("any of the {} nodes in question", outlook.tried_nodes));
    }
    line("Preemption would help: the scheduler would delete pods of lower priority, then retry.");
    const std::size_t shown = at_most(kExamples, outlook.candidates.size());
    for (std::size_t i = 0; i < shown; ++i) write_candidate(outlook.candidates[i]);
    if (shown < outlook.candidates.size()) {
      line("  ... and {} more nodes (--all lists them)", outlook.candidates.size() - shown);
    }
  }

  void write_candidate(const scheduling::PreemptionCandidateNode& candidate) {
    std::string victims;
    for (const auto& victim : candidate.victims) {
      victims += fmt::format("{}{} (priority {})", victims.empty() ? "" : ", ", victim.pod,
                             victim.priority);
    }
    std::string budgets;
    if (candidate.budget_violations > 0) {
      budgets = fmt::format(
          ", violating {}",
          counted(static_cast<std::size_t>(candidate.budget_violations), "disruption budget"));
    }
    line("  {}{}: {}{}", candidate.node, candidate.is_best ? " (best)" : "", victims, budgets);
  }

  void write_spread() {
    if (explanation_.spread.empty()) {
      text_ += "\nTopology spread: no constraint applies.\n";
    }
    for (const scheduling::SpreadTable& table : explanation_.spread) {
      text_ += "\n" + spread_text(table, style_.extent);
    }
  }

  void write_remarks() {
    if (!explanation_.warnings.empty() || !explanation_.notes.empty()) text_ += "\n";
    for (const std::string& warning : explanation_.warnings) line("warning: {}", warning);
    for (const std::string& note : explanation_.notes) line("note: {}", note);
  }

  const PlacementExplanation& explanation_;
  const ExplainStyle& style_;
  std::string text_{};
};

}  // namespace

std::string explain_text(const PlacementExplanation& explanation, const ExplainStyle& style) {
  return ExplainText(explanation, style).write();
}

}  // namespace berth::ctl
