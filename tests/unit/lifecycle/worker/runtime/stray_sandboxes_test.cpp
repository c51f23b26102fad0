// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/runtime/stray_sandboxes.hpp"

#include <gtest/gtest.h>

#include "lifecycle/worker/runtime/observed_pod.hpp"
#include "node/sandbox_config.hpp"

namespace berth::lifecycle {
namespace {

using Annotations = std::map<std::string, std::string>;

Annotations of(const char* manifest, const char* incarnation) {
  return {{node::kAnnotationManifest, manifest}, {node::kAnnotationIncarnation, incarnation}};
}

ObservedPod with_sandbox(const Annotations& annotations) {
  ObservedPod observed;
  observed.put_sandbox({.id = cri::SandboxId("s1"), .annotations = annotations});
  return observed;
}

api::Pod pod(const Annotations& annotations) {
  api::Pod made;
  made.metadata.annotations = {annotations.begin(), annotations.end()};
  return made;
}

TEST(StraySandboxes, are_those_of_another_manifest_or_incarnation_under_one_uid) {
  struct Row {
    Annotations pod;
    Annotations sandbox;
    bool stray;
  };
  const Row rows[] = {
      {of("a", "2"), of("a", "2"), false},
      {of("a", "2"), of("a", "1"), true},
      {of("a", "2"), of("a", "3"), true},
      {of("a", "1"), of("b", "1"), true},
      // A pod's annotations do not number the first incarnation.
      {{{node::kAnnotationManifest, "a"}}, of("a", "1"), false},
      {{{node::kAnnotationManifest, "a"}}, of("a", "2"), true},
      // A kubelet's sandbox, and one of a pod that had a uid of its own.
      {of("a", "2"), {}, false},
      {of("a", "2"), {{node::kAnnotationIncarnation, "1"}}, false},
      // The uid was computed, and belongs to this incarnation alone.
      {{{node::kAnnotationIncarnation, "2"}}, of("a", "1"), false},
  };
  for (const Row& row : rows) {
    const std::set<std::string> expected =
        row.stray ? std::set<std::string>{"s1"} : std::set<std::string>{};
    EXPECT_EQ(stray_sandboxes(with_sandbox(row.sandbox), pod(row.pod)), expected) << &row - rows;
  }
}

TEST(StraySandboxes, are_not_those_in_which_something_was_created) {
  ObservedPod observed = with_sandbox(of("a", "1"));
  ASSERT_EQ(stray_sandboxes(observed, pod(of("a", "2"))).size(), 1U);
  observed.put_container("s1", {.id = cri::ContainerId("c1")});
  EXPECT_TRUE(stray_sandboxes(observed, pod(of("a", "2"))).empty());
}

}  // namespace
}  // namespace berth::lifecycle
