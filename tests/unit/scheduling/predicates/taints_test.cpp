// SPDX-License-Identifier: Apache-2.0

#include "scheduling/predicates/taints.hpp"

#include <gtest/gtest.h>

namespace berth::scheduling {
namespace {

TEST(Taints, a_toleration_takes_what_it_names) {
  const api::Taint taint{.key = "dedicated", .value = "infra", .effect = "NoSchedule"};
  const struct {
    api::Toleration toleration;
    bool taken;
  } cases[] = {
      {{.key = "dedicated", .operator_ = "Equal", .value = "infra"}, true},
      {{.key = "dedicated", .value = "infra"}, true},
      {{.key = "dedicated", .value = "other"}, false},
      {{.key = "dedicated", .operator_ = "Exists"}, true},
      {{.operator_ = "Exists"}, true},
      {{.operator_ = "Exists", .effect = "NoExecute"}, false},
      {{.key = "dedicated", .operator_ = "Near", .value = "infra"}, false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(tolerates(c.toleration, taint), c.taken)
        << c.toleration.operator_ << " " << c.toleration.value;
  }
}

TEST(Taints, preferences_forbid_nothing_and_are_counted) {
  const std::vector<api::Taint> taints = {{.key = "a", .effect = "PreferNoSchedule"},
                                          {.key = "b", .effect = "PreferNoSchedule"},
                                          {.key = "c", .effect = "NoExecute"}};
  const std::vector<api::Toleration> tolerations = {{.key = "a", .operator_ = "Exists"}};
  EXPECT_EQ(count_intolerable_preferences(taints, tolerations), 1);
  ASSERT_NE(first_forbidding_taint(taints, tolerations), nullptr);
  EXPECT_EQ(first_forbidding_taint(taints, tolerations)->key, "c");
}

TEST(Taints, an_unschedulable_node_is_open_to_who_tolerates_its_taint) {
  EXPECT_FALSE(tolerates_unschedulable({}));
  EXPECT_TRUE(tolerates_unschedulable({{.operator_ = "Exists"}}));
  EXPECT_FALSE(tolerates_unschedulable({{.operator_ = "Exists", .effect = "NoExecute"}}));
}

}  // namespace
}  // namespace berth::scheduling
