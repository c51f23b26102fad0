// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/interrupted_stops.hpp"

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

RuntimeContainer container(const char* id, cri::ContainerState state) {
  RuntimeContainer made;
  made.id = cri::ContainerId(id);
  made.name = std::string("of-") + id;
  made.state = state;
  return made;
}

// Neither an ended container, nor one that the runtime no longer has, nor one that the plan kills.
TEST(InterruptedKills, are_of_running_containers_that_nothing_else_kills) {
  RuntimePod runtime;
  runtime.containers = {container("runs", cri::ContainerState::kRunning),
                        container("killed", cri::ContainerState::kRunning),
                        container("ended", cri::ContainerState::kExited),
                        container("healthy", cri::ContainerState::kRunning)};
  const std::vector<ContainerKill> decided = {
      {.id = cri::ContainerId("killed"), .name = "of-killed"}};
  const auto kills = interrupted_kills({"runs", "killed", "ended", "gone"}, runtime, decided);
  ASSERT_EQ(kills.size(), 1U);
  EXPECT_EQ(kills[0].id.str(), "runs");
  EXPECT_EQ(kills[0].name, "of-runs");
  EXPECT_EQ(kills[0].reason, KillReason::kFailedPostStartHook);
}

}  // namespace
}  // namespace berth::lifecycle
