// SPDX-License-Identifier: Apache-2.0

#include "scheduling/predicates/label_selector.hpp"

#include <gtest/gtest.h>

namespace berth::scheduling {
namespace {

LabelSelector compiled(const api::LabelSelector& stated) {
  const auto selector = LabelSelector::compile(stated);
  EXPECT_TRUE(selector.has_value());
  return *selector;
}

TEST(LabelSelector, an_absent_one_matches_nothing_and_an_empty_one_everything) {
  const auto absent = LabelSelector::compile(std::nullopt);
  ASSERT_TRUE(absent.has_value());
  EXPECT_FALSE(absent->matches({}));
  EXPECT_FALSE(absent->is_empty());
  EXPECT_TRUE(compiled({}).matches({{"a", "1"}}));
  EXPECT_TRUE(compiled({}).is_empty());
}

TEST(LabelSelector, all_requirements_must_be_met) {
  const LabelSelector selector =
      compiled({.matchLabels = {{"app", "web"}},
                .matchExpressions = {{.key = "tier", .operator_ = "NotIn", .values = {"x"}}}});
  EXPECT_TRUE(selector.matches({{"app", "web"}}));
  EXPECT_TRUE(selector.matches({{"app", "web"}, {"tier", "y"}}));
  EXPECT_FALSE(selector.matches({{"app", "web"}, {"tier", "x"}}));
  EXPECT_FALSE(selector.matches({{"tier", "y"}}));
}

TEST(LabelSelector, what_is_wrong_is_said_in_the_words_of_the_api) {
  const struct {
    api::LabelSelectorRequirement stated;
    const char* problem;
  } cases[] = {
      {{.key = "a", .operator_ = "Gt", .values = {"1"}},
       "\"Gt\" is not a valid label selector operator"},
      {{.key = "a", .operator_ = "In"},
       "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"},
      {{.key = "a", .operator_ = "Exists", .values = {"1"}},
       "values: Invalid value: [\"1\"]: values set must be empty for exists and does not exist"},
  };
  for (const auto& c : cases) {
    const auto selector =
        LabelSelector::compile(api::LabelSelector{.matchExpressions = {c.stated}});
    ASSERT_FALSE(selector.has_value()) << c.problem;
    EXPECT_EQ(selector.error(), c.problem);
  }
}

TEST(LabelSelector, narrowed_by_another_both_must_match) {
  LabelSelector selector = compiled({.matchLabels = {{"app", "web"}}});
  selector.narrow(LabelSelector::of_pairs({{"version", "1"}}));
  EXPECT_FALSE(selector.matches({{"app", "web"}}));
  EXPECT_TRUE(selector.matches({{"app", "web"}, {"version", "1"}}));
  selector.narrow(LabelSelector::nothing());
  EXPECT_FALSE(selector.matches({{"app", "web"}, {"version", "1"}}));
}

}  // namespace
}  // namespace berth::scheduling
