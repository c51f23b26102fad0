// SPDX-License-Identifier: Apache-2.0

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

TEST(FindGarbage, a_sandbox_goes_once_the_last_container_in_it_does) {
  using enum cri::ContainerState;
  GcInput input{.all_sources_ready = true, .pods = {{"pod", PodContent::kWanted}}};
  input.now = WallTime{std::chrono::seconds(100)};
  input.containers = {instance("old", kExited, 1), instance("new", kExited, 2)};
  input.containers[0].sandbox = cri::SandboxId("s1");
  input.containers[1].sandbox = cri::SandboxId("s2");
  for (const auto& [id, created] : {std::pair("s1", 1), std::pair("s2", 2), std::pair("s3", 3)})
    input.sandboxes.push_back({.id = cri::SandboxId(id),
                               .pod_uid = "pod",
                               .created = WallTime{std::chrono::seconds(created)}});
  const Garbage garbage = find_garbage(input);
  EXPECT_EQ(garbage.containers.remove, std::vector{cri::ContainerId("old")});
  EXPECT_EQ(garbage.sandboxes, std::vector{cri::SandboxId("s1")}) << "s2 is in use, s3 the newest";
  input.pods = {{"pod", PodContent::kGone}};
  EXPECT_EQ(find_garbage(input).sandboxes.size(), 3U);
}

}  // namespace
}  // namespace berth::node
