// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/container_identity.hpp"

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

TEST(ContainerIdentity, the_hash_is_the_one_kubernetes_publishes) {
  EXPECT_EQ(kubelet_container_hash("test_container", "foo/image:v1"), 0x8e45cbd0U);
  EXPECT_EQ(kubelet_container_hash_text("test_container", "foo/image:v1"), "8e45cbd0");
}

TEST(ContainerIdentity, what_was_annotated_is_recognised) {
  const auto annotations = identity_annotations("app", "app:1");
  EXPECT_FALSE(spec_changed(annotations, "app", "app:1"));
  EXPECT_TRUE(spec_changed(annotations, "app", "app:2"));
}

TEST(ContainerIdentity, a_container_of_a_kubelet_is_judged_by_its_hash) {
  const cri::StringMap annotations{
      {cri::kAnnotationHash, kubelet_container_hash_text("app", "app:1")}};
  EXPECT_FALSE(spec_changed(annotations, "app", "app:1"));
  EXPECT_TRUE(spec_changed(annotations, "app", "app:2"));
}

TEST(ContainerIdentity, our_own_annotation_outweighs_a_hash_made_otherwise) {
  auto annotations = identity_annotations("app", "app:1");
  annotations[cri::kAnnotationHash] = "0";
  EXPECT_FALSE(spec_changed(annotations, "app", "app:1"));
}

TEST(ContainerIdentity, nothing_known_counts_as_changed) {
  EXPECT_TRUE(spec_changed({}, "app", "app:1"));
}

}  // namespace
}  // namespace berth::lifecycle
