// SPDX-License-Identifier: Apache-2.0

// Which thresholds a reload refuses.
#include "agent/eviction/reload_check.hpp"

#include <gtest/gtest.h>

#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::agent {
namespace {

using eviction::CycleVerdict;
using eviction::EvictionConfig;
using eviction::Explanation;
using eviction::kGi;
using eviction::kMi;
using eviction::Signal;
using eviction::Threshold;
using eviction::threshold;

constexpr const char* kHead = "the eviction thresholds would evict at once (";
constexpr const char* kTail = "); set evictAtOnce: true to accept that";

std::string refusing(const std::string& causes) {
  return kHead + causes + kTail;
}

EvictionConfig with(std::vector<Threshold> thresholds) {
  return {.thresholds = std::move(thresholds), .rules = eviction::kRules};
}

Threshold memory(const char* amount) {
  return threshold(Signal::kMemoryAvailable, amount);
}
Threshold disk(const char* amount) {
  return threshold(Signal::kNodeFsAvailable, amount);
}
Threshold pids(const char* amount) {
  return threshold(Signal::kPidAvailable, amount);
}

// 1Gi of memory, 10Gi of disk and 1000 processes are left; the larger pods go first.
struct Node {
  std::vector<api::Pod> pods{};
  std::optional<eviction::FileSystemLayout> layout = eviction::FileSystemLayout::kSingle;
  eviction::Readings readings{
      .node = {.memory = eviction::memory_left(kGi, 10),
               .node_fs = eviction::disk_left(10 * kGi, 10),
               .image_fs = eviction::disk_left(10 * kGi, 10),
               .pids = eviction::PidReading{
                   .running = 31'000, .max = 32'000, .time = eviction::wall(10)}}};

  void add(const eviction::PodValues& values, std::int64_t memory_bytes) {
    pods.push_back(eviction::make_pod(values));
    readings.pods[pods.back().metadata.uid] = eviction::using_memory(memory_bytes);
  }
  void limit_disk(std::size_t pod, std::int64_t used) {
    pods[pod].spec.containers[0].resources.limits["ephemeral-storage"] = eviction::quantity("10Mi");
    readings.pods[pods[pod].metadata.uid].ephemeral_storage = used;
  }
  [[nodiscard]] Explanation under(const EvictionConfig& config) const {
    const eviction::CycleInput input{.readings = &readings,
                                     .layout = layout,
                                     .pods = eviction::pointers(pods),
                                     .now = eviction::steady(10)};
    return explain(config, {}, input, eviction::History());
  }
  [[nodiscard]] std::string refused(const EvictionConfig& now, const EvictionConfig& then) const {
    const auto refusal = refused_thresholds(under(now), under(then));
    return refusal ? refusal->value_or("taken") : "unknown: " + refusal.error().message;
  }
};

Node three_pods() {
  Node node;
  node.add({.name = "web"}, 700 * kMi);
  node.add({.name = "db"}, 300 * kMi);
  node.add({.name = "log"}, 100 * kMi);
  return node;
}

TEST(ReloadCheck, is_undecided_while_the_runtime_has_not_said_where_images_are_kept) {
  Node node = three_pods();
  node.layout.reset();
  EXPECT_EQ(node.refused(with({memory("100Mi")}), with({memory("1100Mi")})),
            "unknown: the runtime has not said where images are kept");
  EvictionConfig none = with({});
  none.local_storage_capacity_isolation = false;
  EXPECT_EQ(node.refused(with({memory("100Mi")}), none), "taken") << "nothing is evicted under it";
}

TEST(ReloadCheck, refuses_thresholds_that_would_act_at_once_where_those_in_force_would_not) {
  const Node node = three_pods();
  const EvictionConfig idle = with({memory("100Mi")});
  EXPECT_EQ(node.refused(idle, with({memory("1100Mi")})),
            refusing("memory.available: default/web"));
  EXPECT_EQ(node.refused(idle, with({memory("200Mi")})), "taken");
  EXPECT_EQ(node.refused(idle, idle), "taken");
  EXPECT_EQ(Node().refused(idle, with({memory("1100Mi")})), "taken") << "there is no pod";
}

TEST(ReloadCheck, names_who_would_follow_until_it_is_short_no_more) {
  const Node node = three_pods();
  const EvictionConfig idle = with({});
  EXPECT_EQ(node.refused(idle, with({memory("1800Mi")})),
            refusing("memory.available: default/web, then, while the shortage lasts: "
                     "default/db"));
  EXPECT_EQ(node.refused(idle, with({memory("1100Mi"), pids("2000")})),
            refusing("memory.available: default/web; pid.available: default/web, then, "
                     "while the shortage lasts: default/db, default/log"));
}

TEST(ReloadCheck, of_very_many_who_would_follow_it_names_the_number) {
  Node node;
  std::vector<std::string> names;
  for (int i = 10; i < 30; ++i) names.push_back("p" + std::to_string(i));
  for (const auto& name : names) node.add({.name = name.c_str()}, kMi);
  const std::string text = node.refused(with({}), with({memory("2Gi")}));
  EXPECT_TRUE(text.starts_with(std::string(kHead) +
                               "memory.available: default/p10, then, while the shortage "
                               "lasts: default/p11, default/p12"))
      << text;
  EXPECT_TRUE(text.ends_with(std::string("default/p20 and 9 more") + kTail)) << text;
}

TEST(ReloadCheck, names_everybody_whom_limits_of_local_storage_would_evict) {
  Node node = three_pods();
  node.limit_disk(0, 20 * kMi);
  node.limit_disk(1, 5 * kMi);
  node.limit_disk(2, 20 * kMi);
  EvictionConfig idle = with({});
  idle.local_storage_capacity_isolation = false;
  EXPECT_EQ(node.refused(idle, with({})),
            refusing("limits of local storage: default/web, default/log"));
  EXPECT_EQ(node.refused(idle, with({memory("1100Mi")})),
            refusing("limits of local storage: default/web, default/log; memory.available: "
                     "default/web"))
      << "pressure evicts in the pass after";
  EXPECT_EQ(node.refused(with({}), with({memory("200Mi")})), "taken") << "they go anyway";
  EXPECT_EQ(node.refused(with({}), with({memory("1100Mi")})),
            refusing("memory.available: default/web"));
}

TEST(ReloadCheck, a_node_that_can_reclaim_first_may_not_have_to_evict) {
  EXPECT_EQ(three_pods().refused(with({}), with({disk("20Gi")})),
            refusing("nodefs.available, unless removing dead containers and unused images is "
                     "enough: default/web, then, while the shortage lasts: default/db, "
                     "default/log"));
  EXPECT_EQ(Node().refused(with({}), with({disk("20Gi")})),
            refusing("nodefs.available, unless removing dead containers and unused images is "
                     "enough: no pod"));
}

TEST(ReloadCheck, what_is_under_way_excuses_no_other_cause) {
  const Node node = three_pods();
  const EvictionConfig reclaiming = with({disk("20Gi")});
  EXPECT_EQ(node.refused(reclaiming, reclaiming), "taken");
  EXPECT_EQ(node.refused(reclaiming, with({disk("15Gi")})), "taken") << "less than now";
  EXPECT_EQ(node.refused(reclaiming, with({disk("20Gi"), memory("1100Mi")})),
            refusing("memory.available: default/web"));
  EXPECT_EQ(node.refused(reclaiming, with({memory("1100Mi")})),
            refusing("memory.available: default/web"));
}

TEST(ReloadCheck, what_is_under_way_excuses_no_other_victim) {
  const Node node = three_pods();
  EXPECT_EQ(node.refused(with({memory("1100Mi")}), with({memory("1200Mi")})), "taken")
      << "the same one goes";
  EXPECT_EQ(node.refused(with({memory("1100Mi")}), with({memory("1800Mi")})),
            refusing("memory.available: default/web, then, while the shortage lasts: "
                     "default/db"));
}

TEST(ReloadCheck, whom_the_rules_in_force_spare_does_not_go_by_a_reload) {
  Node node;
  node.add({.name = "modest", .memory_request = "1Gi"}, 700 * kMi);
  EvictionConfig sparing = with({memory("1100Mi")});
  sparing.rules.evict_within_requests = false;
  EXPECT_EQ(node.under(sparing).verdict, CycleVerdict::kNobodyEvictable);
  EXPECT_EQ(node.refused(sparing, with({memory("1100Mi")})),
            refusing("memory.available: default/modest"));
  EXPECT_EQ(node.refused(with({}), sparing), "taken") << "nobody goes";
}

TEST(ReloadCheck, the_same_thresholds_measured_a_moment_later_are_no_other_decision) {
  const Node before = three_pods();
  Node after = three_pods();
  after.readings.node.memory = eviction::memory_left(200 * kMi, 11);
  const EvictionConfig config = with({memory("1100Mi")});
  const auto refusal = refused_thresholds(before.under(config), after.under(config));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(*refusal, std::nullopt);
}

}  // namespace
}  // namespace berth::agent
