// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/runtime_pod.hpp"

#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "lifecycle/container_identity.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

cri::ContainerStatus status(std::string id, std::int64_t created_at) {
  cri::ContainerStatus out{.id = cri::ContainerId{std::move(id)},
                           .metadata = {.name = "app"},
                           .state = cri::ContainerState::kExited,
                           .created_at = created_at,
                           .annotations = identity_annotations("app", "app:1")};
  out.annotations[cri::kAnnotationRestartCount] = "3";
  return out;
}

TEST(RuntimePod, keeps_the_newest_first_whatever_the_order_of_arrival) {
  const api::Pod spec = pod({container("app")});
  RuntimePod shown;
  for (const auto& one : {status("b", 2), status("c", 3), status("a", 1)}) {
    shown.replace(runtime_container(one, cri::SandboxId{"box"}, spec));
  }
  EXPECT_EQ(shown.newest("app")->id.str(), "c");
  EXPECT_EQ(shown.containers.back().id.str(), "a");
  shown.containers.erase(shown.containers.begin());
  EXPECT_EQ(shown.newest("app")->id.str(), "b");
}

TEST(RuntimePod, an_earlier_attempt_that_was_created_late_is_not_the_newest) {
  const api::Pod spec = pod({container("app")});
  RuntimePod shown;
  auto late = status("late", 9);
  late.annotations[cri::kAnnotationRestartCount] = "2";
  for (const auto& one : {status("a", 1), late}) {
    shown.replace(runtime_container(one, cri::SandboxId{"box"}, spec));
  }
  EXPECT_EQ(shown.newest("app")->id.str(), "a");
}

TEST(RuntimePod, what_was_created_beside_a_running_one_of_its_name_does_not_count) {
  const api::Pod spec = pod({container("app")});
  const auto box = cri::SandboxId{"box"};
  auto running = status("a", 1);
  running.state = cri::ContainerState::kRunning;
  auto created = status("b", 2);
  created.state = cri::ContainerState::kCreated;
  created.annotations[cri::kAnnotationRestartCount] = "4";
  RuntimePod shown;
  for (const auto& one : {running, created}) shown.replace(runtime_container(one, box, spec));
  EXPECT_EQ(with_one_running(shown, {}).newest("app")->id.str(), "a");
  running.state = cri::ContainerState::kExited;
  shown.replace(runtime_container(running, box, spec));
  EXPECT_EQ(with_one_running(shown, {}).newest("app")->id.str(), "b");
}

TEST(RuntimePod, one_whose_start_has_begun_counts_before_an_older_one_that_is_shown_as_running) {
  const api::Pod spec = pod({container("app")});
  const auto box = cri::SandboxId{"box"};
  auto older = status("a", 1);
  older.state = cri::ContainerState::kRunning;
  auto begun = status("b", 2);
  begun.state = cri::ContainerState::kCreated;
  begun.annotations[cri::kAnnotationRestartCount] = "4";
  RuntimePod shown;
  for (const auto& one : {older, begun}) shown.replace(runtime_container(one, box, spec));
  const RuntimePod counted = with_one_running(shown, {{"app", begun.id}});
  ASSERT_EQ(counted.containers.size(), 1U);
  EXPECT_EQ(counted.containers[0].id.str(), "b");
}

TEST(RuntimePod, an_older_one_that_is_still_shown_as_running_does_not_count) {
  const api::Pod spec = pod({container("app")});
  const auto box = cri::SandboxId{"box"};
  auto older = status("a", 1);
  auto newer = status("b", 2);
  older.state = newer.state = cri::ContainerState::kRunning;
  newer.annotations[cri::kAnnotationRestartCount] = "4";
  RuntimePod shown;
  for (const auto& one : {older, newer}) shown.replace(runtime_container(one, box, spec));
  const RuntimePod counted = with_one_running(shown, {});
  ASSERT_EQ(counted.containers.size(), 1U);
  EXPECT_EQ(counted.containers[0].id.str(), "b");
}

TEST(RuntimePod, what_was_created_in_a_sandbox_that_is_not_ready_is_no_sign_of_progress) {
  const api::Pod spec = pod({container("app"), container("other")});
  auto created = status("a", 2);
  created.state = cri::ContainerState::kCreated;
  auto ended = status("b", 1);
  RuntimePod shown;
  shown.replace(RuntimeSandbox{.id = cri::SandboxId{"box"}, .state = cri::SandboxState::kReady});
  for (const auto& one : {created, ended})
    shown.replace(runtime_container(one, cri::SandboxId{"box"}, spec));
  EXPECT_EQ(without_unstartable(shown), shown);
  shown.sandboxes[0].state = cri::SandboxState::kNotReady;
  const RuntimePod counted = without_unstartable(shown);
  ASSERT_EQ(counted.containers.size(), 1U);
  EXPECT_EQ(counted.containers[0].id.str(), "b") << "what has run stays";
  shown.sandboxes.clear();
  EXPECT_EQ(without_unstartable(shown).containers.size(), 1U) << "a removed sandbox is not ready";
}

TEST(RuntimePod, what_begins_in_a_sandbox_that_took_the_place_of_another_runs_again) {
  const api::Pod spec = pod({container("app")});
  for (const auto state : {cri::ContainerState::kCreated, cri::ContainerState::kRunning}) {
    auto begun = status("a", 1);
    begun.state = state;
    RuntimePod shown;
    shown.replace(RuntimeSandbox{.id = cri::SandboxId{"box"}, .attempt = 0});
    shown.replace(runtime_container(begun, cri::SandboxId{"box"}, spec));
    EXPECT_TRUE(running_again(spec, {}, shown).empty());
    shown.sandboxes[0].attempt = 1;
    EXPECT_EQ(running_again(spec, {}, shown), std::set<std::string>{"app"});
    shown.containers[0].sandbox = cri::SandboxId{"before"};
    EXPECT_TRUE(running_again(spec, {}, shown).empty());
  }
}

TEST(RuntimePod, in_a_new_sandbox_init_containers_of_which_no_record_is_left_are_to_run_again) {
  api::Pod spec = pod({container("app")});
  spec.spec.initContainers = {container("init")};
  RuntimePod shown;
  shown.replace(RuntimeSandbox{.id = cri::SandboxId{"box"}, .attempt = 0});
  EXPECT_TRUE(running_again(spec, {}, shown).empty());
  shown.sandboxes[0].attempt = 1;
  EXPECT_EQ(running_again(spec, {}, shown), std::set<std::string>{"init"});
  shown.replace(record("init", cri::ContainerState::kExited));
  EXPECT_TRUE(running_again(spec, {}, shown).empty()) << "it has";
}

TEST(RuntimePod, what_ended_before_its_sandbox_was_created_runs_again_rightly) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  api::Pod spec = pod({container("app")});
  spec.spec.initContainers = {container("init"), container("other")};
  api::PodStatus before;
  const api::ContainerState ended{
      .terminated = api::ContainerStateTerminated{.finishedAt = api::Time::from_unix_seconds(100)}};
  before.containerStatuses = {{.name = "app", .state = ended}};
  before.initContainerStatuses = {{.name = "init", .state = ended}, {.name = "other"}};
  RuntimePod shown;
  shown.replace(RuntimeSandbox{.id = cri::SandboxId{"box"}, .created_at = 101 * kSecond - 1});
  shown.replace(record("app", cri::ContainerState::kRunning));
  shown.containers[0].sandbox = cri::SandboxId{"box"};
  EXPECT_TRUE(running_again(spec, before, shown).empty()) << "it may have ended in that sandbox";
  shown.sandboxes[0].created_at = 101 * kSecond;
  EXPECT_EQ(running_again(spec, before, shown), (std::set<std::string>{"app", "init"}));
  shown.containers[0].sandbox = cri::SandboxId{"before"};
  EXPECT_EQ(running_again(spec, before, shown), std::set<std::string>{"init"});
}

TEST(RuntimePod, replacing_keeps_one_record_per_id) {
  const api::Pod spec = pod({container("app")});
  RuntimePod shown;
  shown.replace(runtime_container(status("a", 1), cri::SandboxId{"box"}, spec));
  shown.replace(runtime_container(status("a", 1), cri::SandboxId{"box"}, spec));
  EXPECT_EQ(shown.containers.size(), 1U);
}

TEST(RuntimePod, restart_count_and_identity_come_from_annotations) {
  api::Pod spec = pod({container("app")});
  const auto box = cri::SandboxId{"box"};
  EXPECT_EQ(runtime_container(status("a", 1), box, spec).restart_count, 3);
  EXPECT_FALSE(runtime_container(status("a", 1), box, spec).spec_changed);
  spec.spec.containers[0].image = "app:2";
  EXPECT_TRUE(runtime_container(status("a", 1), box, spec).spec_changed);
  spec.spec.containers[0].name = "other";
  EXPECT_FALSE(runtime_container(status("a", 1), box, spec).spec_changed);
}

TEST(RuntimePod, a_restart_count_that_nobody_reaches_is_capped_and_a_negative_one_is_none) {
  const std::pair<const char*, std::int32_t> rows[] = {
      {"0", 0},
      {"1000000000", 1'000'000'000},
      {"1000000001", 1'000'000'000},
      {"2147483647", 1'000'000'000},
      {"99999999999999999999", 1'000'000'000},
      {"-1", 0},
      {"-99999999999999999999", 0},
      {"", 0},
      {"many", 0},
  };
  for (const auto& [text, count] : rows) {
    auto one = status("a", 1);
    one.annotations[cri::kAnnotationRestartCount] = text;
    EXPECT_EQ(runtime_container(one, cri::SandboxId{"box"}, pod({container("app")})).restart_count,
              count)
        << text;
  }
}

// A copy of a container, say, whose annotation somebody changed.
TEST(RuntimePod, of_two_counts_that_are_capped_the_later_container_is_the_newest) {
  const api::Pod spec = pod({container("app")});
  RuntimePod shown;
  auto absurd = status("absurd", 1);
  absurd.annotations[cri::kAnnotationRestartCount] = "2147483647";
  auto after = status("after", 2);
  after.annotations[cri::kAnnotationRestartCount] = "1000000001";
  for (const auto& one : {after, absurd})
    shown.replace(runtime_container(one, cri::SandboxId{"box"}, spec));
  EXPECT_EQ(shown.newest("app")->id.str(), "after");
}

TEST(RuntimePod, addresses_are_those_of_a_ready_sandbox) {
  cri::PodSandboxStatus sandbox{.id = cri::SandboxId{"box"},
                                .state = cri::SandboxState::kReady,
                                .has_network = true,
                                .ip = "10.0.0.7",
                                .additional_ips = {"fd00::7"}};
  const api::Pod spec = pod({container("app")});
  EXPECT_EQ(runtime_pod(spec, {sandbox}, {}, {}).ips,
            (std::vector<std::string>{"10.0.0.7", "fd00::7"}));
  sandbox.state = cri::SandboxState::kNotReady;
  EXPECT_TRUE(runtime_pod(spec, {sandbox}, {}, {}).ips.empty());
}

TEST(RuntimePod, resources_are_read_back_from_shares_and_quota) {
  cri::ContainerStatus one = status("a", 1);
  one.resources = cri::LinuxContainerResources{.cpu_period = 100000,
                                               .cpu_quota = 50000,
                                               .cpu_shares = 102,
                                               .memory_limit_in_bytes = 64 << 20};
  const auto out = runtime_container(one, cri::SandboxId{"box"}, pod({container("app")})).resources;
  ASSERT_TRUE(out.has_value());
  EXPECT_EQ(out->cpu_request->to_string(), "100m");
  EXPECT_EQ(out->cpu_limit->to_string(), "500m");
  EXPECT_EQ(out->memory_limit->to_string(), "64Mi");
}

TEST(RuntimePod, absurd_shares_and_quotas_are_capped) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  cri::ContainerStatus one = status("a", 1);
  one.resources =
      cri::LinuxContainerResources{.cpu_period = 1, .cpu_quota = kMost, .cpu_shares = kMost};
  const auto out = runtime_container(one, cri::SandboxId{"box"}, pod({container("app")})).resources;
  ASSERT_TRUE(out.has_value());
  EXPECT_EQ(out->cpu_request->milli_value(), (kMost / 1000 - 2) * 1000 / 1024 + 1);
  EXPECT_EQ(out->cpu_limit->milli_value(), (kMost / 1000 - 2) * 1000);
}

}  // namespace
}  // namespace berth::lifecycle::test
