// SPDX-License-Identifier: Apache-2.0

// Which file has a name that two of them state, by the kubelet's rules.
#include "agent/sources/manifest_folder.hpp"

#include <gtest/gtest.h>

#include "tests/unit/agent/sources/folder_texts.hpp"

namespace berth::agent {
namespace {

TEST(ManifestNames, of_two_pods_with_one_name_the_first_file_has_it_by_the_kubelets_rules) {
  ManifestFolder state(options(api::ManifestRules::kKubelet));
  const auto old =
      update_blocking(state, folder({{"b.yaml", pod_text("web")}}), kNow).desired.at(0);
  const auto both = update_blocking(
      state,
      folder({{"a.yaml", pod_text("web", "  hostNetwork: true\n")}, {"b.yaml", pod_text("web")}}),
      kNow);
  ASSERT_EQ(names(both.desired), Names{"web-n1"});
  EXPECT_EQ(state.file_of(both.desired[0]->metadata.uid), "a.yaml") << "whichever came first";
  ASSERT_EQ(both.new_problems.size(), 1U);
  EXPECT_EQ(both.new_problems[0].file, "b.yaml");
  EXPECT_EQ(both.new_problems[0].reason, "FailedValidation");
  EXPECT_EQ(both.new_problems[0].message, "Error validating pod web-n1_default(" +
                                              old->metadata.uid +
                                              ") from file due to duplicate pod name \"web-n1\", "
                                              "ignoring");
  const auto alone = update_blocking(state, folder({{"b.yaml", pod_text("web")}}), kNow);
  ASSERT_EQ(names(alone.desired), Names{"web-n1"});
  EXPECT_EQ(state.file_of(alone.desired[0]->metadata.uid), "b.yaml");
}

TEST(ManifestNames, one_name_in_two_namespaces_is_no_duplicate_by_the_kubelets_rules) {
  ManifestFolder state(options(api::ManifestRules::kKubelet));
  std::string elsewhere = pod_text("web");
  elsewhere.replace(elsewhere.find("  name: web"), 0, "  namespace: other\n");
  const auto both =
      update_blocking(state, folder({{"a.yaml", elsewhere}, {"b.yaml", pod_text("web")}}), kNow);
  EXPECT_EQ(both.desired.size(), 2U);
  EXPECT_TRUE(both.new_problems.empty());
}

}  // namespace
}  // namespace berth::agent
