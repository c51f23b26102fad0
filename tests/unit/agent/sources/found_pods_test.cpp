// SPDX-License-Identifier: Apache-2.0

// Which of the pods in the runtime came from a kubelet, judged by their sandboxes alone.
#include "agent/sources/found_pods.hpp"

#include <gtest/gtest.h>

#include "tests/unit/agent/sources/folder_texts.hpp"

namespace berth::agent {
namespace {

FoundPod found(cri::StringMap annotations, cri::SandboxState state = cri::SandboxState::kReady) {
  cri::PodSandbox sandbox;
  sandbox.metadata = {.name = "web-n1", .uid = "u1", .namespace_ = "default"};
  sandbox.state = state;
  sandbox.annotations = std::move(annotations);
  lifecycle::RuntimeListing listing;
  listing["u1"].sandboxes.push_back(sandbox);
  return found_pods(listing, {}).at(0);
}

TEST(FoundPods, a_static_pods_ready_sandbox_without_our_annotations_is_a_kubelets) {
  const auto pod = found({{"kubernetes.io/config.source", "file"}});
  EXPECT_TRUE(pod.from_kubelet);
  EXPECT_EQ(pod.name, "web-n1");
  EXPECT_FALSE(found({{"kubernetes.io/config.source", "api"}}).from_kubelet);
  EXPECT_FALSE(
      found({{"kubernetes.io/config.source", "file"}}, cri::SandboxState::kNotReady).from_kubelet);
}

TEST(FoundPods, a_sandbox_of_ours_is_not) {
  EXPECT_FALSE(found({{"kubernetes.io/config.source", "file"}, {"berth.dev/incarnation", "1"}})
                   .from_kubelet);
}

// If the store is lost, no other source knows the pod's uid.
TEST(FoundPods, a_sandbox_of_ours_in_a_kubelets_place_counts_as_the_kubelets) {
  EXPECT_TRUE(found({{"kubernetes.io/config.source", "file"},
                     {"berth.dev/incarnation", "1"},
                     {"berth.dev/adopted", "kubelet"}})
                  .from_kubelet);
}

using lifecycle::FoundIncarnation;
using Found = std::vector<FoundIncarnation>;

api::ManifestPod manifest_of(const std::string& metadata) {
  const auto file =
      api::decode_manifest("a.yaml",
                           "apiVersion: v1\nkind: Pod\nmetadata: {" + metadata +
                               "}\nspec:\n  containers:\n  - {name: app, image: 'busybox:1'}\n",
                           options());
  return std::get<api::ManifestPod>(file.value().documents.at(0).object);
}

TEST(FoundPods, a_kubelets_pod_is_found_by_what_it_runs_unless_the_manifest_has_one_of_its_own) {
  const auto web = manifest_of("name: web");
  const auto found_for = [&](const std::vector<FoundPod>& found) {
    return found_of(web, "a.yaml", "n1", found);
  };
  EXPECT_EQ(found_for({kubelets_pod("busybox:1", "k")}),
            (Found{{.uid = "k", .from_kubelet = true}}));
  EXPECT_EQ(found_for({kubelets_pod("busybox:2", "k")}), Found{});
  const std::string second =
      web.digest.uid({.node_name = "n1", .file_name = "a.yaml", .incarnation = 2});
  EXPECT_EQ(
      found_for({kubelets_pod("busybox:1", "k"), {.uid = second, .incarnation = 2, .over = true}}),
      (Found{{.uid = second, .incarnation = 2, .over = true}}));
}

// The uid that the manifest states is the pod's, whoever started it.
TEST(FoundPods, a_pod_with_a_stated_uid_needs_no_adoption) {
  const auto web = manifest_of("name: web, uid: stated");
  EXPECT_EQ(found_of(web, "a.yaml", "n1", {kubelets_pod("busybox:1", "stated")}),
            Found{{.uid = "stated"}});
  EXPECT_EQ(found_of(web, "a.yaml", "n1", {kubelets_pod("busybox:1", "k")}), Found{});
}

}  // namespace
}  // namespace berth::agent
