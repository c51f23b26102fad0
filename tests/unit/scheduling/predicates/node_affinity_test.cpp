// SPDX-License-Identifier: Apache-2.0

#include "scheduling/predicates/node_affinity.hpp"

#include <gtest/gtest.h>

namespace berth::scheduling {
namespace {

api::Node node() {
  api::Node node;
  node.metadata.name = "node1";
  node.metadata.labels = {{"zone", "a"}, {"cores", "8"}, {"odd", "x8"}};
  return node;
}

bool matches(const api::NodeSelector& selector, const api::Node& node) {
  return NodeTerms(selector).matches(identity_of(node));
}

struct Case {
  const char* key;
  const char* op;
  std::vector<std::string> values;
  bool matches;
};

TEST(NodeAffinity, expressions_match_as_kubernetes_defines_them) {
  const Case cases[] = {
      {"zone", "In", {"a", "b"}, true},
      {"zone", "In", {"b"}, false},
      {"none", "In", {"a"}, false},
      {"zone", "NotIn", {"a"}, false},
      {"zone", "NotIn", {"b"}, true},
      {"none", "NotIn", {"a"}, true},
      {"zone", "Exists", {}, true},
      {"none", "Exists", {}, false},
      {"zone", "DoesNotExist", {}, false},
      {"none", "DoesNotExist", {}, true},
      {"cores", "Gt", {"7"}, true},
      {"cores", "Gt", {"8"}, false},
      {"cores", "Lt", {"9"}, true},
      {"cores", "Gt", {"007"}, true},
      {"none", "Gt", {"0"}, false},
      {"odd", "Gt", {"0"}, false},
      {"cores", "Gt", {"four"}, false},
      {"cores", "Gt", {"-3"}, false},
      {"cores", "Gt", {"1", "2"}, false},
      {"zone", "In", {}, false},
      {"zone", "Exists", {"a"}, false},
      {"zone", "Near", {"a"}, false},
      {"cores", "Lt", {"99999999999999999999"}, false},
  };
  for (const auto& c : cases) {
    const api::NodeSelector selector{
        .nodeSelectorTerms = {
            {.matchExpressions = {{.key = c.key, .operator_ = c.op, .values = c.values}}}}};
    EXPECT_EQ(matches(selector, node()), c.matches) << c.key << " " << c.op;
  }
}

TEST(NodeAffinity, fields_other_than_the_nodes_name_are_empty) {
  const Case cases[] = {
      {"metadata.name", "In", {"node1"}, true},
      {"metadata.name", "In", {"node2"}, false},
      {"metadata.name", "NotIn", {"node2"}, true},
      {"metadata.name", "In", {"node1", "node2"}, false},
      {"metadata.name", "Exists", {}, false},
      {"metadata.uid", "In", {"node1"}, false},
      {"metadata.uid", "In", {""}, true},
      {"metadata.uid", "NotIn", {"node1"}, true},
      {"metadata.uid", "NotIn", {""}, false},
  };
  for (const auto& c : cases) {
    const api::NodeSelector selector{
        .nodeSelectorTerms = {
            {.matchFields = {{.key = c.key, .operator_ = c.op, .values = c.values}}}}};
    EXPECT_EQ(matches(selector, node()), c.matches) << c.key << " " << c.op;
  }
}

TEST(NodeAffinity, terms_are_alternatives_and_an_empty_one_matches_nothing) {
  const api::NodeSelectorTerm wrong{
      .matchExpressions = {{.key = "zone", .operator_ = "In", .values = {"z"}}}};
  const api::NodeSelectorTerm right{.matchExpressions = {{.key = "zone", .operator_ = "Exists"}}};
  EXPECT_FALSE(matches({}, node()));
  EXPECT_FALSE(matches({.nodeSelectorTerms = {{}}}, node()));
  EXPECT_FALSE(matches({.nodeSelectorTerms = {wrong}}, node()));
  EXPECT_TRUE(matches({.nodeSelectorTerms = {wrong, right}}, node()));
}

TEST(NodeAffinity, selector_and_affinity_must_both_match) {
  api::Pod pod;
  EXPECT_TRUE(RequiredNodeAffinity(pod.spec).matches(identity_of(node())));
  pod.spec.nodeSelector = {{"zone", "a"}};
  EXPECT_TRUE(RequiredNodeAffinity(pod.spec).matches(identity_of(node())));
  pod.spec.affinity =
      api::Affinity{.nodeAffinity = api::NodeAffinity{
                        .requiredDuringSchedulingIgnoredDuringExecution = api::NodeSelector{}}};
  EXPECT_FALSE(RequiredNodeAffinity(pod.spec).matches(identity_of(node())));
}

TEST(NodeAffinity, preferred_terms_add_up_and_empty_ones_do_not_count) {
  const api::NodeSelectorTerm in_a{
      .matchExpressions = {{.key = "zone", .operator_ = "In", .values = {"a"}}}};
  const auto terms = PreferredNodeTerms::parse({{.weight = 5, .preference = in_a},
                                                {.weight = 7, .preference = in_a},
                                                {.weight = 0, .preference = in_a},
                                                {.weight = 9, .preference = {}}});
  ASSERT_TRUE(terms.has_value());
  EXPECT_EQ(terms->weight(identity_of(node())), 12);
}

TEST(NodeAffinity, a_preferred_term_that_cannot_be_parsed_is_an_error_with_its_place) {
  const auto terms = PreferredNodeTerms::parse(
      {{.weight = 0, .preference = {.matchExpressions = {{.key = "cores", .operator_ = "Odd"}}}},
       {.weight = 1,
        .preference = {
            .matchExpressions = {{.key = "cores", .operator_ = "Gt", .values = {"four"}}}}}});
  ASSERT_FALSE(terms.has_value());
  EXPECT_EQ(terms.error(),
            "[1].matchExpressions[0].values[0]: Invalid value: \"four\": for 'Gt', 'Lt' "
            "operators, the value must be an integer");
}

}  // namespace
}  // namespace berth::scheduling
