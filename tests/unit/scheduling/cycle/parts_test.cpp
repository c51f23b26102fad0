// SPDX-License-Identifier: Apache-2.0

// The parts of a cycle that are plain functions.
#include <gtest/gtest.h>

#include "scheduling/cycle/domain_tally.hpp"
#include "scheduling/cycle/incoming_pod.hpp"
#include "scheduling/cycle/normalize.hpp"
#include "scheduling/cycle/resource_score.hpp"
#include "scheduling/cycle/sampling.hpp"

namespace berth::scheduling {
namespace {

TEST(DomainTally, a_node_that_moves_takes_its_count_along) {
  DomainTally tally;
  tally.set(0, 0, 3);
  tally.set(1, 1, 5);
  EXPECT_EQ(tally.smallest(kNoDomain, 99), 3);
  EXPECT_EQ(tally.smallest(0, 99), 5);
  tally.set(0, 1, 3);
  EXPECT_EQ(tally.count(0), 0);
  EXPECT_EQ(tally.count(1), 8);
  EXPECT_EQ(tally.domains(), 1);
  EXPECT_FALSE(tally.has(0));
  tally.set(0, kNoDomain, 0);
  tally.set(1, kNoDomain, 0);
  EXPECT_EQ(tally.total(), 0);
  EXPECT_EQ(tally.smallest(kNoDomain, 99), 99);
}

TEST(Normalize, each_way_on_the_same_scores) {
  const std::vector<NodeIndex> nodes = {0, 1, 2};
  const std::vector<std::int64_t> raw = {0, 1, 4};
  std::vector<std::uint8_t> out(3);
  normalize_by_largest(nodes, raw.data(), Direction::kMoreIsBetter, out.data());
  EXPECT_EQ(out, (std::vector<std::uint8_t>{0, 25, 100}));
  normalize_by_largest(nodes, raw.data(), Direction::kLessIsBetter, out.data());
  EXPECT_EQ(out, (std::vector<std::uint8_t>{100, 75, 0}));
  normalize_range(nodes, raw.data(), out.data());
  EXPECT_EQ(out, (std::vector<std::uint8_t>{0, 25, 100}));
  normalize_spread(nodes, raw.data(), nullptr, out.data());
  EXPECT_EQ(out, (std::vector<std::uint8_t>{100, 75, 0}));
}

TEST(Normalize, equal_scores_mean_something_else_to_each) {
  const std::vector<NodeIndex> nodes = {0, 1};
  const std::vector<std::int64_t> raw = {0, 0};
  std::vector<std::uint8_t> out(2);
  normalize_by_largest(nodes, raw.data(), Direction::kMoreIsBetter, out.data());
  EXPECT_EQ(out[0], 0);
  normalize_by_largest(nodes, raw.data(), Direction::kLessIsBetter, out.data());
  EXPECT_EQ(out[0], 100);
  normalize_range(nodes, raw.data(), out.data());
  EXPECT_EQ(out[0], 0);
  normalize_spread(nodes, raw.data(), nullptr, out.data());
  EXPECT_EQ(out[0], 100);
}

TEST(Normalize, who_takes_no_part_gets_nothing_whatever_its_score) {
  for (const NodeIndex count : {4U, 2000U}) {
    std::vector<NodeIndex> nodes;
    std::vector<std::int64_t> raw;
    std::vector<std::uint8_t> ignored;
    for (NodeIndex node = 0; node < count; ++node) {
      nodes.push_back(node);
      // -1 is a score like any other.
      raw.push_back(std::vector<std::int64_t>{-1, 0, 4, 400}[node % 4]);
      ignored.push_back(node % 4 == 3 ? 1 : 0);
    }
    std::vector<std::uint8_t> out(count);
    normalize_spread(nodes, raw.data(), ignored.data(), out.data());
    EXPECT_EQ(std::vector(out.begin(), out.begin() + 4), (std::vector<std::uint8_t>{100, 75, 0, 0}))
        << count;
  }
}

TEST(Normalize, many_nodes_get_what_few_get) {
  std::vector<NodeIndex> nodes;
  std::vector<std::int64_t> raw;
  for (NodeIndex node = 0; node < 2000; ++node) {
    nodes.push_back(node);
    raw.push_back(node % 300);
  }
  std::vector<std::uint8_t> out(nodes.size());
  normalize_range(nodes, raw.data(), out.data());
  for (const NodeIndex node : nodes) {
    ASSERT_EQ(out[node], static_cast<std::uint8_t>(100.0 * (static_cast<double>(raw[node]) / 299)));
  }
}

TEST(ResourceScore, the_ratio_leaves_out_resources_that_score_nothing) {
  const NodeFacts facts{.allocatable = {.milli_cpu = 1000, .memory = 1000}};
  const NodeUsage usage{.nonzero_milli_cpu = 800, .nonzero_memory = 100};
  const ScoringStrategy strategy{
      .type = ScoringStrategyType::kRequestedToCapacityRatio,
      .shape = {{.utilization = 50, .score = 0}, {.utilization = 100, .score = 10}}};
  EXPECT_EQ(fit_score(strategy, {}, facts, usage), 60);
  EXPECT_EQ(fit_score({}, {}, facts, usage), (20 + 90) / 2);
}

TEST(ResourceScore, what_is_huge_is_scored_as_well) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  const NodeFacts facts{.allocatable = {.milli_cpu = 1000, .memory = kHuge}};
  const NodeUsage usage{.nonzero_milli_cpu = 0, .nonzero_memory = kHuge / 4};
  const std::vector<ResourceSpec> memory = {{.name = "memory", .weight = 1}};
  EXPECT_EQ(fit_score({.resources = memory}, {}, facts, usage), 75);
  EXPECT_EQ(fit_score({.type = ScoringStrategyType::kMostAllocated, .resources = memory}, {}, facts,
                      usage),
            25);
  const std::vector<UtilizationShapePoint> shape = {{.utilization = 0, .score = 0},
                                                    {.utilization = 100, .score = 10}};
  EXPECT_EQ(fit_score({.type = ScoringStrategyType::kRequestedToCapacityRatio,
                       .resources = memory,
                       .shape = shape},
                      {}, facts, usage),
            25);
}

TEST(ResourceScore, balance_is_lost_by_the_distance_of_two_fractions) {
  const NodeFacts facts{.allocatable = {.milli_cpu = 1000, .memory = 1000}};
  const NodeUsage usage{.requested = {.milli_cpu = 500, .memory = 0}};
  EXPECT_EQ(balanced_score(cpu_and_memory(), {}, facts, usage), 75);
}

TEST(Sampling, the_share_goes_down_with_the_number_of_nodes) {
  EXPECT_EQ(feasible_nodes_wanted(99, 0), 99);
  EXPECT_EQ(feasible_nodes_wanted(100, 0), 100);
  EXPECT_EQ(feasible_nodes_wanted(1000, 0), 420);
  EXPECT_EQ(feasible_nodes_wanted(6000, 0), 300);
  EXPECT_EQ(feasible_nodes_wanted(6000, 1), 100);
  EXPECT_EQ(portion_of_nodes(10000, 16), 100);
  EXPECT_EQ(portion_of_nodes(160, 16), 11);
}

TEST(IncomingPod, images_without_a_tag_are_the_latest) {
  const std::pair<const char*, const char*> cases[] = {
      {"busybox", "busybox:latest"},
      {"busybox:1", "busybox:1"},
      {"host:5000/busybox", "host:5000/busybox:latest"},
      {"busybox@sha256:00", "busybox@sha256:00"}};
  for (const auto& [stated, normalized] : cases) EXPECT_EQ(normalized_image(stated), normalized);
}

}  // namespace
}  // namespace berth::scheduling
