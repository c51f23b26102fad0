// SPDX-License-Identifier: Apache-2.0

// A listing compared with what the workers believe.
#include "lifecycle/worker/runtime/runtime_listing.hpp"

#include <gtest/gtest.h>

#include "api/manifest/static_pod.hpp"
#include "lifecycle/worker/pod_identity.hpp"
#include "node/sandbox_config.hpp"

namespace berth::lifecycle {
namespace {

cri::PodSandbox sandbox(const char* id, const char* uid,
                        cri::SandboxState state = cri::SandboxState::kReady) {
  cri::PodSandbox made;
  made.id = cri::SandboxId(id);
  made.state = state;
  made.labels[cri::kLabelPodUid] = uid;
  made.labels[cri::kLabelPodName] = "web";
  made.labels[cri::kLabelPodNamespace] = "default";
  made.annotations[node::kAnnotationIncarnation] = "1";
  return made;
}

cri::Container container(const char* id, const char* uid,
                         cri::ContainerState state = cri::ContainerState::kRunning) {
  cri::Container made;
  made.id = cri::ContainerId(id);
  made.metadata.name = "main";
  made.state = state;
  made.labels[cri::kLabelPodUid] = uid;
  return made;
}

cri::Container container_in(const char* sandbox_id, const char* id) {
  cri::Container made = container(id, "u1");
  made.pod_sandbox_id = cri::SandboxId(sandbox_id);
  return made;
}

BelievedPod believed() {
  BelievedPod made;
  made.revision = 1;
  made.sandboxes["s1"] = cri::SandboxState::kReady;
  made.containers["c1"] = cri::ContainerState::kRunning;
  return made;
}

TEST(Relist, agreement_finds_nothing) {
  const auto listing = group_by_pod({sandbox("s1", "u1")}, {container("c1", "u1")});
  const auto findings = compare_listing(listing, {{"u1", believed()}}, {{"u1", believed()}});
  EXPECT_TRUE(findings.stale.empty());
  EXPECT_TRUE(findings.unknown.empty());
}

TEST(Relist, what_has_stopped_without_an_event_makes_a_pod_stale) {
  using cri::ContainerState;
  using cri::SandboxState;
  const std::vector<RuntimeListing> listings = {
      {},
      group_by_pod({sandbox("s1", "u1")}, {}),
      group_by_pod({}, {container("c1", "u1")}),
      group_by_pod({sandbox("s1", "u1")}, {container("c1", "u1", ContainerState::kExited)}),
      group_by_pod({sandbox("s1", "u1", SandboxState::kNotReady)}, {container("c1", "u1")}),
      // What is new does not hide what changed.
      group_by_pod({sandbox("s1", "u1"), sandbox("s2", "u1")}, {container("c2", "u1")}),
  };
  for (const auto& listing : listings) {
    const auto findings = compare_listing(listing, {{"u1", believed()}}, {{"u1", believed()}});
    ASSERT_TRUE(findings.stale.contains("u1"));
    EXPECT_TRUE(findings.stale.at("u1").missed_event);
  }
}

TEST(Relist, what_another_client_or_a_late_call_did_makes_a_pod_stale_and_is_no_missed_event) {
  using cri::ContainerState;
  BelievedPod over = believed();
  over.containers["c1"] = ContainerState::kExited;
  BelievedPod created = believed();
  created.containers["c1"] = ContainerState::kCreated;
  const auto as_before = group_by_pod({sandbox("s1", "u1")}, {container("c1", "u1")});
  const std::vector<std::pair<BelievedPod, RuntimeListing>> cases = {
      {believed(),
       group_by_pod({sandbox("s1", "u1"), sandbox("s2", "u1")}, {container("c1", "u1")})},
      {believed(),
       group_by_pod({sandbox("s1", "u1")}, {container("c1", "u1"), container("c2", "u1")})},
      {over, group_by_pod({sandbox("s1", "u1")}, {})},
      {created, as_before},
      {created, group_by_pod({sandbox("s1", "u1")}, {})},
  };
  for (const auto& [pod, listing] : cases) {
    const auto findings = compare_listing(listing, {{"u1", pod}}, {{"u1", pod}});
    ASSERT_TRUE(findings.stale.contains("u1"));
    EXPECT_FALSE(findings.stale.at("u1").missed_event);
  }
}

TEST(Relist, what_a_worker_found_to_be_foreign_is_no_difference) {
  const auto listing = group_by_pod({sandbox("s1", "u1"), sandbox("copy", "u1")},
                                    {container("c1", "u1"), container_in("copy", "c2")});
  BelievedPod knowing = believed();
  knowing.foreign = {"copy"};
  EXPECT_TRUE(compare_listing(listing, {{"u1", knowing}}, {{"u1", knowing}}).stale.empty());
}

TEST(Relist, a_pod_that_moved_meanwhile_is_not_judged) {
  BelievedPod later = believed();
  later.revision = 2;
  EXPECT_TRUE(compare_listing({}, {{"u1", believed()}}, {{"u1", later}}).stale.empty());
  EXPECT_TRUE(compare_listing({}, {}, {{"u1", believed()}}).stale.empty());
  BelievedPod waiting = believed();
  waiting.settled = false;
  EXPECT_TRUE(compare_listing({}, {{"u1", waiting}}, {{"u1", waiting}}).stale.empty());
}

TEST(Relist, a_pod_that_nobody_here_knows_is_reported_once_it_was_never_known) {
  const auto listing = group_by_pod({sandbox("s9", "u9")}, {});
  EXPECT_EQ(compare_listing(listing, {}, {}).unknown, std::vector<std::string>{"u9"});
  // The pod ended while the listing was in progress.
  EXPECT_TRUE(compare_listing(listing, {{"u9", believed()}}, {}).unknown.empty());
}

TEST(Relist, what_carries_no_pod_uid_is_nobodys_pod) {
  cri::PodSandbox foreign;
  foreign.id = cri::SandboxId("x");
  EXPECT_TRUE(group_by_pod({foreign}, {}).empty());
}

TEST(Relist, what_neither_berthd_nor_a_kubelet_made_is_set_apart_with_what_is_in_it) {
  cri::PodSandbox forged = sandbox("forged", "u1");
  forged.annotations.clear();
  cri::PodSandbox kubelets = sandbox("kubelets", "u1");
  kubelets.annotations = {{std::string(api::kConfigSource), "api"}};
  const auto listing = group_by_pod(
      {sandbox("s1", "u1"), forged, kubelets},
      {container_in("s1", "c1"), container_in("forged", "c2"), container_in("removed", "c3")});
  const ListedPod& pod = listing.at("u1");
  ASSERT_EQ(pod.sandboxes.size(), 2U);
  EXPECT_EQ(pod.sandboxes[0].id.str(), "s1");
  EXPECT_EQ(pod.sandboxes[1].id.str(), "kubelets");
  ASSERT_EQ(pod.containers.size(), 2U);
  EXPECT_EQ(pod.containers[0].id.str(), "c1");
  EXPECT_EQ(pod.containers[1].id.str(), "c3");
  ASSERT_EQ(pod.foreign.size(), 1U);
  EXPECT_EQ(pod.foreign[0].id.str(), "forged");
  EXPECT_TRUE(group_by_pod({forged}, {container_in("forged", "c2")}).empty());
}

TEST(Relist, a_container_in_the_sandbox_of_another_pod_or_of_none_is_not_the_pods) {
  cri::PodSandbox of_none = sandbox("none", "u1");
  of_none.labels.clear();
  const auto listing = group_by_pod(
      {sandbox("s1", "u1"), sandbox("s2", "u2"), of_none},
      {container_in("s1", "c1"), container_in("s2", "c2"), container_in("none", "c3")});
  ASSERT_EQ(listing.at("u1").containers.size(), 1U);
  EXPECT_EQ(listing.at("u1").containers[0].id.str(), "c1");
  EXPECT_TRUE(listing.at("u2").containers.empty());
}

TEST(Relist, the_stand_in_of_a_lost_spec_takes_its_names_from_labels) {
  const auto listing =
      group_by_pod({sandbox("s1", "u1")}, {container("c1", "u1"), container("c2", "u1")});
  const PodPtr pod = pod_from_listing("u1", listing.at("u1"));
  EXPECT_EQ(pod->metadata.uid, "u1");
  EXPECT_EQ(pod->metadata.name, "web");
  EXPECT_EQ(pod->metadata.namespace_, "default");
  ASSERT_EQ(pod->spec.containers.size(), 1U);
  EXPECT_EQ(pod->spec.containers[0].name, "main");
}

TEST(Relist, the_stand_in_of_a_lost_spec_keeps_its_incarnation) {
  cri::PodSandbox third = sandbox("s1", "u1");
  third.annotations[node::kAnnotationIncarnation] = "3";
  EXPECT_EQ(incarnation_of(*pod_from_listing("u1", {.sandboxes = {third}})), 3U);
  EXPECT_EQ(incarnation_of(*pod_from_listing("u1", {.containers = {container("c1", "u1")}})), 1U);
}

}  // namespace
}  // namespace berth::lifecycle
