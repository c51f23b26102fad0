// SPDX-License-Identifier: Apache-2.0

// Which of the pods in the runtime came from a kubelet, judged by their sandboxes alone.
#include "agent/found_pods.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace berth::agent
