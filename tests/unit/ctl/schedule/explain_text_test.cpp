// SPDX-License-Identifier: Apache-2.0

// The output of `schedule explain`.
#include "ctl/schedule/explain_text.hpp"

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "ctl/schedule/explain_json.hpp"
#include "ctl/schedule/node_groups.hpp"

namespace berth::ctl {
namespace {

using scheduling::NodeVerdict;
using scheduling::Placement;
using scheduling::PlacementExplanation;
using scheduling::Refusal;

Refusal short_of_cpu(std::int64_t free) {
  return {
      .plugin = "NodeResourcesFit",
      .reasons = {"Insufficient cpu"},
      .values = {"cpu: needs 2000m, free " + std::to_string(free) + "m"},
      .changes = {"request less"},
      .shortages = {{.resource = "cpu", .requested = 2000, .used = 4000 - free, .capacity = 4000}}};
}

const Refusal kTainted{.plugin = "TaintToleration",
                       .is_unresolvable = true,
                       .reasons = {"node(s) had untolerated taint(s)"},
                       .values = {"taint k:NoSchedule is not tolerated"},
                       .changes = {"tolerate it", "remove it"}};

TEST(NodeGroups, put_the_nearest_node_first_and_equal_ones_together) {
  const std::vector<NodeVerdict> nodes = {
      {.node = "a", .refusals = {short_of_cpu(100)}},
      {.node = "b", .refusals = {kTainted, short_of_cpu(100)}},
      {.node = "c", .refusals = {short_of_cpu(1500)}},
      {.node = "d", .refusals = {short_of_cpu(100)}},
      {.node = "e"},
  };
  const auto groups = group_refused(nodes);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].plugin, "NodeResourcesFit");
  EXPECT_EQ(groups[0].nodes, 3U);
  EXPECT_EQ(groups[0].for_this_alone, 3U);
  ASSERT_EQ(groups[0].alike.size(), 2U);
  EXPECT_EQ(groups[0].alike[0].nodes.at(0)->node, "c");
  ASSERT_EQ(groups[0].alike[1].nodes.size(), 2U);
  EXPECT_EQ(groups[0].alike[1].nodes[1]->node, "d");
  EXPECT_EQ(groups[1].for_this_alone, 0U);
}

PlacementExplanation refused_everywhere() {
  PlacementExplanation explanation{.pod = "default/web",
                                   .requests = "cpu 2",
                                   .priority = 7,
                                   .scheduler = "default-scheduler",
                                   .event_reason = "FailedScheduling",
                                   .message = "0/2 nodes are available: ..."};
  explanation.nodes = {{.node = "a", .refusals = {short_of_cpu(500)}},
                       {.node = "b", .refusals = {kTainted}}};
  explanation.preemption.emplace();
  explanation.preemption->tried_nodes = 1;
  explanation.preemption->candidates = {{.node = "a",
                                         .victims = {{.pod = "default/low", .priority = -1}},
                                         .budget_violations = 1,
                                         .is_best = true}};
  explanation.warnings = {"w"};
  explanation.notes = {"n"};
  return explanation;
}

TEST(ExplainText, of_a_pod_that_fits_nowhere_says_why_and_what_to_do) {
  EXPECT_EQ(
      explain_text(refused_everywhere(), {}),
      "Pod default/web does not fit on any of 2 nodes.\n"
      "Requests cpu 2; priority 7; scheduler profile default-scheduler.\n"
      "\n"
      "  FailedScheduling: 0/2 nodes are available: ...\n"
      "\n"
      "1 node: Insufficient cpu (filter NodeResourcesFit)\n"
      "  a\n"
      "    cpu: needs 2000m, free 500m\n"
      "    fix: request less\n"
      "\n"
      "1 node: node(s) had untolerated taint(s) (filter TaintToleration)\n"
      "  b\n"
      "    taint k:NoSchedule is not tolerated\n"
      "    fix: tolerate it\n"
      "    or:  remove it\n"
      "\n"
      "Preemption would help: the scheduler would delete pods of lower priority, then retry.\n"
      "  a (best): default/low (priority -1), violating 1 disruption budget\n"
      "\n"
      "warning: w\n"
      "note: n\n");
}

TEST(ExplainText, of_a_pod_that_fits_shows_scores_and_ties) {
  PlacementExplanation explanation{.placement = Placement::kFits,
                                   .pod = "default/web",
                                   .requests = "nothing",
                                   .scheduler = "default-scheduler",
                                   .event_reason = "Scheduled",
                                   .message = "Successfully assigned default/web to a",
                                   .best = {"a", "b"},
                                   .fitting = 2};
  explanation.plugins = {{.name = "TaintToleration", .weight = 3},
                         {.name = "ImageLocality", .weight = 1}};
  for (const char* node : {"a", "b"}) {
    explanation.nodes.push_back(
        {.node = node, .scores = {{.raw = 0, .normalized = 100}, {}}, .total = 300});
  }
  EXPECT_EQ(explain_text(explanation, {.spread = true}),
            "Pod default/web fits on 2 of 2 nodes.\n"
            "Requests nothing; priority 0; scheduler profile default-scheduler.\n"
            "\n"
            "Best nodes: a, b. All 2 have the same score (total 300); the scheduler picks one at "
            "random.\n"
            "\n"
            "  Scheduled: Successfully assigned default/web to a\n"
            "\n"
            "Scores (0 to 100 per plugin, multiplied by its weight; the highest total wins):\n"
            "PLUGIN            WEIGHT   a             b\n"
            "TaintToleration   3        100 (raw 0)   100 (raw 0)\n"
            "ImageLocality     1        0             0\n"
            "total                      300           300\n"
            "\n"
            "Topology spread: no constraint applies.\n");
}

TEST(ExplainText, of_many_nodes_stays_short_unless_all_is_asked_for) {
  PlacementExplanation explanation = refused_everywhere();
  explanation.nodes.clear();
  for (int i = 0; i < 5000; ++i) {
    explanation.nodes.push_back(
        {.node = "n" + std::to_string(i), .refusals = {short_of_cpu(i % 1999)}});
  }
  const auto lines = [&](Extent extent) {
    const std::string text = explain_text(explanation, {.extent = extent});
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_LT(lines(Extent::kBrief), 30);
  EXPECT_GT(lines(Extent::kAll), 1999);
}

TEST(ExplainText, of_many_domains_shows_the_emptiest_and_the_fullest) {
  PlacementExplanation explanation = refused_everywhere();
  scheduling::SpreadTable table{.field = "topologySpreadConstraints[0]",
                                .topology_key = "zone",
                                .when_unsatisfiable = "DoNotSchedule",
                                .selector = "app=web",
                                .max_skew = 1};
  for (int i = 0; i < 100; ++i) {
    table.domains.push_back({.value = "z" + std::to_string(i), .pods = i, .skew = i + 1});
  }
  explanation.spread = {table};
  const std::string text = explain_text(explanation, {.spread = true});
  EXPECT_NE(text.find("Topology spread by zone (topologySpreadConstraints[0]): maxSkew 1, "
                      "DoNotSchedule, counts pods with app=web\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nz0 "), std::string::npos);
  EXPECT_NE(text.find("\nz99 "), std::string::npos);
  EXPECT_EQ(text.find("\nz50 "), std::string::npos);
  EXPECT_NE(text.find("... and 90 more domains"), std::string::npos);
}

TEST(ExplainJson, has_everything) {
  const auto json = explain_json(refused_everywhere());
  EXPECT_EQ(json.at("kind"), "ScheduleExplanation");
  EXPECT_EQ(json.at("verdict"), "DoesNotFit");
  const auto& refusal = json.at("nodes").at(0).at("refusals").at(0);
  EXPECT_EQ(refusal.at("shortages").at(0).at("resource"), "milliCPU");
  EXPECT_EQ(refusal.at("shortages").at(0).at("capacity"), 4000);
  EXPECT_EQ(json.at("nodes").at(1).at("refusals").at(0).at("code"), "UnschedulableAndUnresolvable");
  EXPECT_EQ(json.at("preemption").at("candidates").at(0).at("victims").at(0).at("pod"),
            "default/low");
}

}  // namespace
}  // namespace berth::ctl
