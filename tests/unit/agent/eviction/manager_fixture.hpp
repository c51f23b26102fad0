// SPDX-License-Identifier: Apache-2.0

// The eviction manager over a made-up node, in virtual time.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/agent/eviction/pressed_node.hpp"
#include "tests/unit/base/loop_fixture.hpp"

namespace berth::agent {

using eviction::kGi;
using eviction::kMi;
using eviction::Signal;
using Lines = std::vector<std::string>;

class EvictionManagerTest : public LoopFixture {
 protected:
  void begin(std::vector<eviction::Threshold> thresholds) {
    manager.emplace(
        EvictionManager::Services{.executor = loop.get_executor(),
                                  .clock = clock,
                                  .readings = node,
                                  .orders = node,
                                  .reclaimer = node,
                                  .reporter = node,
                                  .pods_every = pods_every},
        eviction::EvictionConfig{.thresholds = std::move(thresholds), .rules = eviction::kRules},
        eviction::Rates{{Signal::kMemoryAvailable, static_cast<double>(kGi)},
                        {Signal::kNodeFsAvailable, static_cast<double>(kGi)}});
    spawn("node reclaim", manager->reclaim_on_node());
    spawn_and_drain(manager->run());
  }
  void begin_with_memory() { begin({eviction::threshold(Signal::kMemoryAvailable, "100Mi")}); }
  // Begins with a large pod and a small one; memory is short at the manager's next pass.
  void begin_with_two_and_run_short() {
    node.set_memory(4 * kGi);
    node.add({.name = "large"}, 3 * kGi);
    node.add({.name = "small"}, kGi);
    begin_with_memory();
    take_log();
    node.set_memory(50 * kMi);
  }
  Lines take_log() { return std::exchange(node.log, {}); }

  PressedNode node{loop.get_executor(), clock};
  Nanoseconds pods_every = 1min;
  std::optional<EvictionManager> manager{};
};

}  // namespace berth::agent
