// SPDX-License-Identifier: Apache-2.0

// Which containers of a plan are started, in which order, and with what input.
#include "lifecycle/worker/starts/next_start.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lifecycle/container_identity.hpp"

namespace berth::lifecycle {
namespace {

class StartOrder : public ::testing::Test {
 protected:
  StartOrder() {
    pod.spec.initContainers = {{.name = "init"}, {.name = "sidecar", .restartPolicy = "Always"}};
    pod.spec.containers = {{.name = "a"}, {.name = "b"}};
    actions.containers_to_start = {0, 1};
  }
  [[nodiscard]] std::vector<std::string> order() const {
    std::vector<std::string> names;
    for (const NextStart& next : start_order(pod, actions, errors)) names.push_back(next.container);
    return names;
  }

  api::Pod pod{};
  PodActions actions{};
  StartErrors errors{};
};

TEST_F(StartOrder, is_that_of_the_spec) {
  EXPECT_EQ(order(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(StartOrder, puts_init_containers_first_and_lets_others_wait_for_all_but_sidecars) {
  actions.init_containers_to_start = {0, 1};
  EXPECT_EQ(start_order(pod, actions, errors),
            (std::vector<NextStart>{{"init", true}, {"sidecar"}, {"a"}, {"b"}}));
}

TEST_F(StartOrder, puts_one_whose_hook_has_failed_last) {
  errors["a"].reason = "PostStartHookError";
  EXPECT_EQ(order(), (std::vector<std::string>{"b", "a"}));
  errors["a"].reason = "RunContainerError";
  EXPECT_EQ(order(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(StartOrder, leaves_one_first_that_others_wait_for_though_its_hook_has_failed) {
  actions.init_containers_to_start = {0};
  errors["init"].reason = "PostStartHookError";
  EXPECT_EQ(order(), (std::vector<std::string>{"init", "a", "b"}));
}

class CreatedBefore : public ::testing::Test {
 protected:
  CreatedBefore() {
    status.state = cri::ContainerState::kCreated;
    status.annotations = identity_annotations(spec.name, spec.image);
  }
  [[nodiscard]] bool starts(const std::string& sandbox = "s1") const {
    return starts_as_created({status, sandbox}, cri::SandboxId("s1"), spec);
  }

  api::Container spec{.name = "app", .image = "busybox"};
  cri::ContainerStatus status{};
};

TEST_F(CreatedBefore, an_instance_is_started_instead_of_another_one) {
  EXPECT_TRUE(starts());
}

TEST_F(CreatedBefore, one_in_an_old_sandbox_is_not_started) {
  EXPECT_FALSE(starts("s0"));
}

TEST_F(CreatedBefore, one_that_runs_or_has_ended_is_not_started) {
  for (const auto state : {cri::ContainerState::kRunning, cri::ContainerState::kExited}) {
    status.state = state;
    EXPECT_FALSE(starts());
  }
}

TEST_F(CreatedBefore, one_of_another_image_is_not_started) {
  spec.image = "busybox:2";
  EXPECT_FALSE(starts());
}

}  // namespace
}  // namespace berth::lifecycle
