#include "node/node_selector.hpp"

#include <gtest/gtest.h>

namespace berth::node {
namespace {

api::Node node() {
  api::Node node;
  node.metadata.name = "node1";
  node.metadata.labels = {{"zone", "a"}, {"cores", "8"}, {"odd", "x8"}};
  return node;
}

struct Case {
  const char* key;
  const char* op;
  std::vector<std::string> values;
  bool matches;
};

TEST(NodeSelector, expressions_match_as_kubernetes_defines_them) {
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
    EXPECT_EQ(matches_node_selector(selector, node()), c.matches) << c.key << " " << c.op;
  }
}

TEST(NodeSelector, fields_ask_for_the_nodes_name_only) {
  const Case cases[] = {
      {"metadata.name", "In", {"node1"}, true},
      {"metadata.name", "In", {"node2"}, false},
      {"metadata.name", "NotIn", {"node2"}, true},
      {"metadata.name", "In", {"node1", "node2"}, false},
      {"metadata.name", "Exists", {}, false},
      {"metadata.uid", "In", {"node1"}, false},
  };
  for (const auto& c : cases) {
    const api::NodeSelector selector{
        .nodeSelectorTerms = {
            {.matchFields = {{.key = c.key, .operator_ = c.op, .values = c.values}}}}};
    EXPECT_EQ(matches_node_selector(selector, node()), c.matches) << c.key << " " << c.op;
  }
}

TEST(NodeSelector, terms_are_alternatives_and_an_empty_one_matches_nothing) {
  const api::NodeSelectorTerm wrong{
      .matchExpressions = {{.key = "zone", .operator_ = "In", .values = {"z"}}}};
  const api::NodeSelectorTerm right{.matchExpressions = {{.key = "zone", .operator_ = "Exists"}}};
  EXPECT_FALSE(matches_node_selector({}, node()));
  EXPECT_FALSE(matches_node_selector({.nodeSelectorTerms = {{}}}, node()));
  EXPECT_FALSE(matches_node_selector({.nodeSelectorTerms = {wrong}}, node()));
  EXPECT_TRUE(matches_node_selector({.nodeSelectorTerms = {wrong, right}}, node()));
}

TEST(NodeSelector, selector_and_affinity_must_both_match) {
  api::Pod pod;
  EXPECT_TRUE(matches_node(pod, node()));
  pod.spec.nodeSelector = {{"zone", "a"}};
  EXPECT_TRUE(matches_node(pod, node()));
  pod.spec.affinity =
      api::Affinity{.nodeAffinity = api::NodeAffinity{
                        .requiredDuringSchedulingIgnoredDuringExecution = api::NodeSelector{}}};
  EXPECT_FALSE(matches_node(pod, node()));
}

}  // namespace
}  // namespace berth::node
