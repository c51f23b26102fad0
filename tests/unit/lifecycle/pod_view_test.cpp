// SPDX-License-Identifier: Apache-2.0

// The one view of the runtime: what CRI shows, corrected where it would mislead a decision.
#include "lifecycle/pod_view.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lifecycle/status/pod_status.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

using cri::ContainerState;
using cri::SandboxState;

cri::PodSandboxStatus sandbox(const char* id, std::uint32_t attempt, std::int64_t created,
                              SandboxState state = SandboxState::kReady) {
  cri::PodSandboxStatus out;
  out.id = cri::SandboxId(id);
  out.metadata.attempt = attempt;
  out.created_at = created;
  out.state = state;
  out.has_network = true;
  out.ip = std::string("10.0.0.") + std::to_string(attempt + 1);
  return out;
}

cri::ContainerStatus instance(const char* id, std::uint32_t attempt, ContainerState state,
                              std::int64_t created = 0) {
  cri::ContainerStatus out;
  out.id = cri::ContainerId(id);
  out.metadata = {.name = "app", .attempt = attempt};
  out.annotations[cri::kAnnotationRestartCount] = std::to_string(attempt);
  out.state = state;
  out.created_at = created;
  return out;
}

class PodViewTest : public testing::Test {
 protected:
  RuntimePod view() {
    PodViewInput input{.pod = spec,
                       .sandboxes = sandboxes,
                       .containers = containers,
                       .starts = starts,
                       .start_again = start_again,
                       .start_errors = start_errors,
                       .last_ips = last_ips,
                       .ends = ends};
    for (const auto& container : containers)
      input.sandbox_of.emplace(container.id, sandboxes.back().id);
    return pod_view(input);
  }
  [[nodiscard]] static std::vector<std::string> ids(const RuntimePod& runtime) {
    std::vector<std::string> out;
    for (const auto& container : runtime.containers) out.push_back(container.id.str());
    return out;
  }

  api::Pod spec = pod({container("app")});
  std::vector<cri::PodSandboxStatus> sandboxes{sandbox("box", 0, 100)};
  std::vector<cri::ContainerStatus> containers{};
  std::map<std::string, cri::ContainerId> starts{};
  std::map<std::string, StartAgain> start_again{};
  StartErrors start_errors{};
  std::vector<std::string> last_ips{"10.9.9.9"};
  bool ends = false;
};

TEST_F(PodViewTest, a_later_attempt_is_the_newer_one_although_the_clock_was_set_back) {
  sandboxes = {sandbox("first", 0, 900), sandbox("second", 1, 100)};
  containers = {instance("a", 0, ContainerState::kExited, 950),
                instance("b", 1, ContainerState::kExited, 150)};
  const RuntimePod runtime = view();
  EXPECT_EQ(runtime.newest_sandbox()->id.str(), "second");
  EXPECT_EQ(ids(runtime), (std::vector<std::string>{"b", "a"}));
  EXPECT_GT(runtime.newest("app")->created_at, 950);
}

TEST_F(PodViewTest, of_each_name_one_runs_the_one_whose_start_has_begun) {
  containers = {instance("a", 0, ContainerState::kRunning),
                instance("b", 1, ContainerState::kRunning)};
  EXPECT_EQ(ids(view()), std::vector<std::string>{"b"});
  starts.emplace("app", cri::ContainerId("a"));
  EXPECT_EQ(ids(view()), std::vector<std::string>{"a"});
}

TEST_F(PodViewTest, what_a_plan_has_decided_stands_until_the_pod_ends) {
  containers = {instance("a", 0, ContainerState::kExited),
                instance("b", 1, ContainerState::kCreated)};
  start_again.emplace("a", StartAgain::kStopped);
  EXPECT_EQ(view().newest("app")->start_again, StartAgain::kStopped) << "passed on to what follows";
  EXPECT_EQ(starting_again(view()), std::set<std::string>{"app"});
  ends = true;
  EXPECT_TRUE(starting_again(view()).empty());
}

TEST_F(PodViewTest, a_finished_pod_keeps_its_address) {
  EXPECT_EQ(view().ips, std::vector<std::string>{"10.0.0.1"});
  sandboxes = {sandbox("box", 0, 100, SandboxState::kNotReady)};
  EXPECT_EQ(view().ips, last_ips);
  sandboxes.front().state = SandboxState::kReady;
  sandboxes.front().ip.clear();
  EXPECT_TRUE(view().ips.empty()) << "a ready sandbox will have one";
}

TEST_F(PodViewTest, until_its_hook_returns_a_container_is_shown_as_before_its_start) {
  const ShownQuestion hooked{.post_starts = {{"app", cri::ContainerId("b")}}};
  containers = {instance("b", 0, ContainerState::kRunning)};
  EXPECT_TRUE(ids(shown_part(view(), hooked)).empty());
  EXPECT_EQ(view().newest("app")->state, ContainerState::kRunning) << "a plan sees that it runs";
  containers = {instance("a", 0, ContainerState::kExited),
                instance("b", 1, ContainerState::kRunning)};
  const auto shown = shown_part(view(), hooked);
  EXPECT_EQ(ids(shown), std::vector<std::string>{"a"});
  EXPECT_EQ(starting_again(shown), std::set<std::string>{"app"}) << "its exit ends no pod";
}

TEST_F(PodViewTest, until_its_hook_returns_no_end_is_shown_that_the_runtime_has_forgotten) {
  containers = {instance("b", 1, ContainerState::kRunning)};
  api::ContainerStatus ended{.name = "app"};
  ended.state.terminated.emplace();
  api::ContainerStatus between{.name = "app"};
  between.lastState.terminated.emplace();
  api::ContainerStatus lost{.name = "app"};
  lost.state.running.emplace();
  for (const api::ContainerStatus& earlier : {ended, between, lost}) {
    api::PodStatus before;
    before.containerStatuses = {earlier};
    const auto shown =
        shown_part(view(), {.post_starts = {{"app", cri::ContainerId("b")}}, .previous = &before});
    ASSERT_EQ(ids(shown), std::vector<std::string>{"b"});
    EXPECT_EQ(shown.newest("app")->state, ContainerState::kCreated);
  }
}

TEST_F(PodViewTest, an_init_container_that_completed_is_not_what_was_created_beside_it) {
  const auto completed = instance("a", 0, ContainerState::kExited);
  const auto late = instance("b", 1, ContainerState::kCreated);
  containers = {completed, late};
  EXPECT_EQ(view().newest("app")->id.str(), "b") << "a regular container is started again";
  spec = pod({});
  spec.spec.initContainers = {container("app")};
  EXPECT_EQ(ids(view()), std::vector<std::string>{"a"});
  containers[0].exit_code = 1;
  EXPECT_EQ(view().newest("app")->id.str(), "b") << "it has not completed";
  containers[0].exit_code = 0;
  spec.spec.initContainers[0].restartPolicy = "Always";
  EXPECT_EQ(view().newest("app")->id.str(), "b") << "a sidecar never completes";
}

TEST_F(PodViewTest, in_another_sandbox_an_init_container_runs_once_more) {
  spec = pod({});
  spec.spec.initContainers = {container("app")};
  RuntimePod shown;
  for (const auto& [status, box] : {std::pair{instance("a", 0, ContainerState::kExited), "old"},
                                    std::pair{instance("b", 1, ContainerState::kCreated), "new"}})
    shown.replace(runtime_container(status, cri::SandboxId(box), spec));
  EXPECT_EQ(without_late_inits(shown, spec), shown);
}

TEST_F(PodViewTest, what_was_made_in_vain_is_not_shown_and_counts_as_a_restart) {
  containers = {instance("a", 0, ContainerState::kExited),
                instance("b", 1, ContainerState::kCreated)};
  const RuntimePod shown = shown_part(view(), {.ends = true});
  EXPECT_EQ(ids(shown), std::vector<std::string>{"a"});
  EXPECT_EQ(shown.newest("app")->restart_count, 1);
}

TEST_F(PodViewTest, what_turns_up_after_the_end_was_published_is_not_shown) {
  api::PodStatus published;
  published.phase = kFailed;
  api::ContainerStatus ended{.name = "app", .containerID = "containerd://a"};
  ended.state.terminated.emplace();
  published.containerStatuses = {ended};
  containers = {instance("a", 0, ContainerState::kExited),
                instance("b", 1, ContainerState::kRunning)};
  starts.emplace("app", cri::ContainerId("b"));
  EXPECT_EQ(ids(shown_part(view(), {.decided = &published, .ends = true})),
            std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace berth::lifecycle::test
