// SPDX-License-Identifier: Apache-2.0

// Glances at memory between the manager's full measurements: when they suffice, and when not.
#include "tests/unit/agent/eviction/manager_fixture.hpp"

namespace berth::agent {
namespace {

// So much available memory that glances are two seconds apart.
constexpr std::int64_t kFar = 4 * kGi + 100 * kMi;

TEST_F(EvictionManagerTest, while_memory_hardly_moves_glances_do_for_ten_seconds) {
  node.set_memory(kFar);
  begin_with_memory();
  EXPECT_EQ(node.node_reads, 1);
  EXPECT_EQ(node.glances, 1);
  clock.advance(1999ms);
  EXPECT_EQ(node.glances, 1);
  clock.advance(1ms);
  EXPECT_EQ(node.glances, 2);
  clock.advance(6s);
  EXPECT_EQ(node.glances, 5);
  EXPECT_EQ(node.node_reads, 1);
  clock.advance(2s);
  EXPECT_EQ(node.node_reads, 2) << "everything is looked at as often as by the kubelet";
  clock.advance(60s);
  EXPECT_EQ(node.node_reads, 8);
}

TEST_F(EvictionManagerTest, a_glance_that_shows_memory_going_makes_it_look) {
  node.set_memory(kFar);
  node.add({.name = "pod"}, kGi);
  begin_with_memory();
  take_log();
  node.set_memory(50 * kMi);
  clock.advance(1999ms);
  EXPECT_TRUE(take_log().empty());
  clock.advance(1ms);
  EXPECT_EQ(take_log().back(), "evict pod");
}

TEST_F(EvictionManagerTest, glances_are_compared_with_the_last_look_not_with_each_other) {
  node.set_memory(kFar);
  begin_with_memory();
  node.set_memory(kFar - 250 * kMi);
  clock.advance(2s);
  EXPECT_EQ(node.node_reads, 1);
  node.set_memory(kFar - 500 * kMi);
  clock.advance(2s);
  EXPECT_EQ(node.node_reads, 2) << "an eighth of what was left then";
}

TEST_F(EvictionManagerTest, memory_that_is_released_is_no_reason_to_look) {
  node.set_memory(kFar);
  begin_with_memory();
  node.set_memory(kFar + 2 * kGi);
  clock.advance(9s);
  EXPECT_EQ(node.node_reads, 1);
}

TEST_F(EvictionManagerTest, a_glance_that_shows_nothing_makes_it_look) {
  node.set_memory(kFar);
  begin_with_memory();
  node.readings.memory.reset();
  clock.advance(2s);
  EXPECT_EQ(node.node_reads, 2);
}

TEST_F(EvictionManagerTest, near_a_limit_there_are_only_looks) {
  node.set_memory(2 * kGi + 100 * kMi);
  begin_with_memory();
  clock.advance(5s);
  EXPECT_EQ(node.node_reads, 6);
  EXPECT_EQ(node.glances, 6) << "what glances would be compared with";
}

TEST_F(EvictionManagerTest, word_that_memory_is_short_makes_it_look_between_glances) {
  node.set_memory(kFar);
  begin_with_memory();
  clock.advance(3s);
  manager->look_soon();
  clock.advance(0s);
  EXPECT_EQ(node.node_reads, 2);
  clock.advance(9s);
  EXPECT_EQ(node.node_reads, 2) << "ten seconds begin with it";
}

}  // namespace
}  // namespace berth::agent
