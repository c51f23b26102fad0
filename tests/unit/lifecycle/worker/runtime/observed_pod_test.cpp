// SPDX-License-Identifier: Apache-2.0

// What a worker believes about the runtime, and how certain that is.
#include "lifecycle/worker/runtime/observed_pod.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

cri::PodSandboxStatus sandbox(const char* id, std::uint32_t attempt,
                              cri::SandboxState state = cri::SandboxState::kReady) {
  cri::PodSandboxStatus status;
  status.id = cri::SandboxId(id);
  status.metadata.attempt = attempt;
  status.state = state;
  return status;
}

cri::ContainerStatus container(const char* id, std::uint32_t attempt,
                               cri::ContainerState state = cri::ContainerState::kRunning) {
  cri::ContainerStatus status;
  status.id = cri::ContainerId(id);
  status.metadata.name = "app";
  status.metadata.attempt = attempt;
  status.state = state;
  return status;
}

ObservedPod seen(cri::ContainerState state = cri::ContainerState::kRunning) {
  ObservedPod pod;
  pod.put_sandbox(sandbox("s1", 0));
  pod.put_container("s1", container("c1", 0, state));
  return pod;
}

TEST(ObservedPod, is_in_doubt_until_it_is_read_and_after_a_call_with_an_unknown_outcome) {
  ObservedPod pod;
  EXPECT_FALSE(pod.known());
  pod.replace(seen());
  EXPECT_TRUE(pod.known());
  pod.doubt();
  EXPECT_FALSE(pod.known());
  pod.replace(seen());
  EXPECT_TRUE(pod.known());
}

TEST(ObservedPod, knows_what_was_created_beside_a_container_and_could_start_yet) {
  ObservedPod pod = seen(cri::ContainerState::kCreated);
  EXPECT_EQ(pod.created_beside("c1"), std::vector<std::string>{});
  pod.put_container("s1", container("c2", 1, cri::ContainerState::kCreated));
  pod.put_container("s1", container("c3", 2, cri::ContainerState::kExited));
  pod.put_container("s0", container("c4", 3, cri::ContainerState::kCreated));
  auto other = container("c5", 0, cri::ContainerState::kCreated);
  other.metadata.name = "other";
  pod.put_container("s1", other);
  EXPECT_EQ(pod.created_beside("c2"), std::vector<std::string>{"c1"});
  EXPECT_EQ(pod.created_beside("c5"), std::vector<std::string>{});
}

TEST(ObservedPod, remembers_whether_the_first_look_found_something) {
  ObservedPod nothing;
  EXPECT_TRUE(nothing.replace({}));
  EXPECT_FALSE(nothing.replace(seen())) << "it is not the first look";
  EXPECT_FALSE(nothing.found_something());
  ObservedPod something;
  EXPECT_TRUE(something.replace(seen()));
  EXPECT_FALSE(something.replace({}));
  EXPECT_TRUE(something.found_something());
}

TEST(ObservedPod, is_read_once_more_before_the_last_trace_goes) {
  ObservedPod pod;
  pod.replace({});
  EXPECT_TRUE(pod.doubt_once());
  EXPECT_FALSE(pod.known());
  pod.replace({});
  EXPECT_FALSE(pod.doubt_once());
  EXPECT_TRUE(pod.known());
}

TEST(ObservedPod, uses_a_listing_once_and_knows_whether_it_is_empty) {
  EXPECT_FALSE(ObservedPod().listed_empty()) << "nobody has listed";
  ObservedPod pod{ListedPod{}};
  EXPECT_TRUE(pod.listed_empty());
  EXPECT_TRUE(pod.use_listing());
  EXPECT_FALSE(pod.use_listing());
}

TEST(ObservedPod, awaits_no_end_that_shows) {
  ObservedPod pod;
  pod.replace(seen());
  for (const char* id : {"c1", "s1", "gone"}) pod.ends().expect(id, {});
  pod.replace(seen(cri::ContainerState::kExited));
  EXPECT_FALSE(pod.ends().contains("c1"));
  EXPECT_FALSE(pod.ends().contains("gone"));
  EXPECT_TRUE(pod.ends().contains("s1"));
  pod.sandbox_stopped("s1");
  EXPECT_FALSE(pod.may_live("s1"));
}

TEST(ObservedPod, counts_on_from_the_sandboxes_that_are_there) {
  ObservedPod pod;
  EXPECT_EQ(pod.next_sandbox(), 0U);
  pod.put_sandbox(sandbox("s1", 3));
  pod.number_sandboxes();
  EXPECT_EQ(pod.next_sandbox(), 4U);
  pod.remove_sandbox("s1");
  pod.number_sandboxes();
  EXPECT_EQ(pod.next_sandbox(), 4U) << "no number is given twice";
}

TEST(ObservedPod, loses_a_sandboxs_containers_with_it) {
  ObservedPod pod = seen();
  pod.put_sandbox(sandbox("s2", 1));
  pod.put_container("s1", container("c2", 1));
  pod.put_container("s2", container("c3", 2));
  pod.remove_sandbox("s1");
  EXPECT_EQ(pod.container("c2"), nullptr);
  EXPECT_NE(pod.container("c3"), nullptr);
}

TEST(ObservedPod, finds_the_newest_by_its_attempt) {
  ObservedPod pod = seen();
  pod.put_container("s1", container("c2", 1, cri::ContainerState::kCreated));
  EXPECT_EQ(pod.newest("app")->status.id.str(), "c2");
  EXPECT_EQ(pod.newest("other"), nullptr);
  EXPECT_TRUE(pod.owns("c2"));
  EXPECT_TRUE(pod.owns("s1"));
  EXPECT_FALSE(pod.owns("c3"));
}

TEST(ObservedPod, moves_its_revision_with_every_change) {
  ObservedPod pod;
  std::vector<std::uint64_t> revisions{pod.revision()};
  const auto moved = [&] {
    revisions.push_back(pod.revision());
    return revisions.back() != revisions[revisions.size() - 2];
  };
  pod.put_sandbox(sandbox("s1", 0));
  EXPECT_TRUE(moved());
  pod.put_container("s1", container("c1", 0));
  EXPECT_TRUE(moved());
  pod.sandbox_stopped("s1");
  EXPECT_TRUE(moved());
  pod.remove_container("c1");
  EXPECT_TRUE(moved());
  pod.doubt();
  EXPECT_FALSE(moved());
}

}  // namespace
}  // namespace berth::lifecycle
