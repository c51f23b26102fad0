#include "node/container_gc.hpp"

#include <gtest/gtest.h>

namespace berth::node {
namespace {

GcContainer instance(const std::string& id, cri::ContainerState state, int created) {
  return {.id = cri::ContainerId(id),
          .pod_uid = "pod",
          .name = "c",
          .state = state,
          .created = WallTime{std::chrono::seconds(created)}};
}

TEST(DeadInstances, newest_are_kept_when_one_more_dies) {
  using enum cri::ContainerState;
  const std::vector<GcContainer> instances = {
      instance("old", kExited, 1), instance("new", kExited, 3), instance("mid", kExited, 2),
      instance("live", kRunning, 4), instance("odd", kUnknown, 0)};
  EXPECT_EQ(dead_instances_to_trim(instances, 1),
            (std::vector<cri::ContainerId>{cri::ContainerId("old"), cri::ContainerId("mid")}));
  EXPECT_EQ(dead_instances_to_trim(instances, 0).size(), 3U);
  EXPECT_TRUE(dead_instances_to_trim(instances, 3).empty());
}

}  // namespace
}  // namespace berth::node
