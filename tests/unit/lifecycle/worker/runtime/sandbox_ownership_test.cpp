// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/runtime/sandbox_ownership.hpp"

#include <gtest/gtest.h>

#include "node/sandbox_config.hpp"

namespace berth::lifecycle {
namespace {

using Ids = std::vector<std::string>;

constexpr auto kReady = cri::SandboxState::kReady;
constexpr auto kNotReady = cri::SandboxState::kNotReady;

api::Pod web() {
  api::Pod pod;
  pod.metadata = {.name = "web", .namespace_ = "default", .uid = "u1"};
  return pod;
}

cri::PodSandbox sandbox(const char* id, std::uint32_t attempt, cri::SandboxState state = kReady) {
  return {.id = cri::SandboxId(id),
          .metadata = {.name = "web", .uid = "u1", .namespace_ = "default", .attempt = attempt},
          .state = state};
}

cri::Container container_in(const char* sandbox_id) {
  cri::Container made;
  made.id = cri::ContainerId(std::string("in-") + sandbox_id);
  made.pod_sandbox_id = cri::SandboxId(sandbox_id);
  return made;
}

Ids ids(const ListedPod& listed) {
  Ids left;
  for (const auto& one : listed.sandboxes) left.push_back(one.id.str());
  return left;
}

// A worker that has seen these sandboxes.
SandboxOwnership having_seen(const std::vector<cri::PodSandbox>& seen) {
  std::map<std::string, cri::PodSandboxStatus> sandboxes;
  for (const auto& one : seen)
    sandboxes[one.id.str()] = {.id = one.id, .metadata = one.metadata, .state = one.state};
  SandboxOwnership ownership;
  ownership.own_only(sandboxes);
  return ownership;
}

Ids left_by(SandboxOwnership ownership, std::vector<cri::PodSandbox> sandboxes) {
  ListedPod listed{.sandboxes = std::move(sandboxes)};
  static_cast<void>(ownership.set_foreign_apart(listed, web()));
  return ids(listed);
}

TEST(SandboxOwnership, a_copy_beside_a_known_sandbox_is_foreign_with_what_is_in_it) {
  SandboxOwnership ownership = having_seen({sandbox("s1", 0)});
  ListedPod listed{.sandboxes = {sandbox("s1", 0), sandbox("copy", 1)},
                   .containers = {container_in("s1"), container_in("copy")}};
  EXPECT_EQ(ownership.set_foreign_apart(listed, web()), Ids{"copy"});
  EXPECT_EQ(ids(listed), Ids{"s1"});
  ASSERT_EQ(listed.containers.size(), 1U);
  EXPECT_EQ(listed.containers[0].id.str(), "in-s1");
  ASSERT_EQ(listed.foreign.size(), 1U);
  EXPECT_EQ(listed.foreign[0].id.str(), "copy");
  EXPECT_EQ(ownership.foreign_ids(), std::set<std::string>{"copy"});
}

TEST(SandboxOwnership, a_foreign_sandbox_is_found_once_and_again_after_it_was_gone) {
  SandboxOwnership ownership = having_seen({sandbox("s1", 0)});
  const ListedPod both{.sandboxes = {sandbox("s1", 0), sandbox("copy", 1)}};
  ListedPod listed = both;
  EXPECT_EQ(ownership.set_foreign_apart(listed, web()), Ids{"copy"});
  listed = both;
  EXPECT_EQ(ownership.set_foreign_apart(listed, web()), Ids{});
  listed = {.sandboxes = {sandbox("s1", 0)}};
  EXPECT_EQ(ownership.set_foreign_apart(listed, web()), Ids{});
  EXPECT_TRUE(ownership.foreign_ids().empty());
  listed = both;
  EXPECT_EQ(ownership.set_foreign_apart(listed, web()), Ids{"copy"});
}

TEST(SandboxOwnership, a_copy_stays_foreign_when_the_pods_own_sandbox_has_stopped_or_is_gone) {
  SandboxOwnership ownership = having_seen({sandbox("s1", 0)});
  const auto own_among = [&ownership](std::vector<cri::PodSandbox> sandboxes) {
    ListedPod listed{.sandboxes = std::move(sandboxes)};
    static_cast<void>(ownership.set_foreign_apart(listed, web()));
    return ids(listed);
  };
  EXPECT_EQ(own_among({sandbox("s1", 0), sandbox("copy", 1)}), Ids{"s1"});
  EXPECT_EQ(own_among({sandbox("s1", 0, kNotReady), sandbox("copy", 1)}), Ids{"s1"});
  EXPECT_EQ(own_among({sandbox("copy", 1)}), Ids{});
}

TEST(SandboxOwnership, what_the_runtime_was_asked_for_is_known_by_its_name) {
  SandboxOwnership ownership = having_seen({sandbox("s1", 0, kNotReady)});
  ownership.ask(1);
  cri::PodSandbox of_another_name = sandbox("s3", 1);
  of_another_name.metadata.name = "copy-of-web";
  EXPECT_EQ(left_by(ownership, {sandbox("s1", 0, kNotReady), sandbox("s2", 1), sandbox("s4", 2),
                                of_another_name}),
            (Ids{"s1", "s2"}));
}

// Its name is reserved, whether it is a copy or has nothing of berthd's.
TEST(SandboxOwnership, the_runtime_is_not_asked_for_an_attempt_that_a_foreign_sandbox_has) {
  SandboxOwnership ownership = having_seen({sandbox("s1", 0)});
  ListedPod listed{.sandboxes = {sandbox("s1", 0), sandbox("copy", 1)},
                   .foreign = {sandbox("unmarked", 2), sandbox("last", 4'294'967'295)}};
  static_cast<void>(ownership.set_foreign_apart(listed, web()));
  EXPECT_EQ(ownership.free_attempt(0), 0U);
  EXPECT_EQ(ownership.free_attempt(1), 3U);
  EXPECT_EQ(ownership.free_attempt(4'294'967'295), 0U);
}

TEST(SandboxOwnership, nothing_else_is_known_once_the_sandbox_that_was_asked_for_is) {
  SandboxOwnership ownership = having_seen({sandbox("s1", 0, kNotReady)});
  ownership.ask(1);
  ownership.own("s2", 1);
  EXPECT_EQ(ownership.ids(), (std::set<std::string>{"s1", "s2"}));
  EXPECT_EQ(left_by(ownership, {sandbox("s2", 1), sandbox("copy", 1)}), Ids{"s2"});
  ownership.disown("s1");
  EXPECT_EQ(ownership.ids(), std::set<std::string>{"s2"});
}

TEST(SandboxOwnership, after_a_restart_the_store_says_what_is_known) {
  struct Row {
    const char* name;
    std::set<std::string> stored;
    std::vector<cri::PodSandbox> listed;
    Ids ours;
  };
  const Row rows[] = {
      {"copied meanwhile", {"s1"}, {sandbox("s1", 0), sandbox("copy", 1)}, {"s1"}},
      {"replaced by a berthd that was killed, or by a kubelet",
       {"s1"},
       {sandbox("s1", 0, kNotReady), sandbox("s2", 1)},
       {"s1", "s2"}},
      {"the store is older than all of them", {"s0"}, {sandbox("s2", 1)}, {"s2"}},
      {"an older berthd stored it", {}, {sandbox("s1", 0), sandbox("s2", 1)}, {"s1", "s2"}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(left_by(SandboxOwnership(row.stored), row.listed), row.ours) << row.name;
}

TEST(SandboxOwnership, a_sandbox_for_an_earlier_pod_of_the_uid_is_there_to_be_removed) {
  api::Pod pod = web();
  pod.metadata.annotations = {{node::kAnnotationManifest, "a"},
                              {node::kAnnotationIncarnation, "2"}};
  cri::PodSandbox earlier = sandbox("earlier", 1);
  earlier.annotations = {{node::kAnnotationManifest, "a"}, {node::kAnnotationIncarnation, "1"}};
  SandboxOwnership ownership = having_seen({sandbox("s1", 0)});
  ListedPod listed{.sandboxes = {sandbox("s1", 0), earlier}};
  EXPECT_EQ(ownership.set_foreign_apart(listed, pod), Ids{});
  EXPECT_EQ(ids(listed), (Ids{"s1", "earlier"}));
  // But not if somebody uses it.
  listed.containers = {container_in("earlier")};
  EXPECT_EQ(ownership.set_foreign_apart(listed, pod), Ids{"earlier"});
}

}  // namespace
}  // namespace berth::lifecycle
