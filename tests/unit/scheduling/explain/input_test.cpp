// SPDX-License-Identifier: Apache-2.0

// What files may contain, and the problems reported for invalid ones.
#include "tests/unit/scheduling/explain/explained.hpp"

namespace berth::scheduling {
namespace {

constexpr const char* kYamlList =
    "apiVersion: v1\n"
    "items:\n"
    "- apiVersion: v1\n"
    "  kind: Node\n"
    "  metadata:\n"
    "    name: n1\n"
    "  futureField: {a: [1, 2]}\n"
    "- apiVersion: v1\n"
    "  kind: Pod\n"
    "  metadata:\n"
    "    name: p1\n"
    "  spec:\n"
    "    containers: [{name: c}]\n"
    "kind: List\n"
    "metadata:\n"
    "  resourceVersion: \"\"\n";

constexpr const char* kJsonList =
    R"({"apiVersion": "v1", "items": [)"
    "\n"
    R"(  {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n,1]"}},)"
    "\n"
    R"(  {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "\"}{"}}],)"
    "\n"
    R"( "kind": "List"})";

TEST(TextPieces, of_a_list_are_its_items_where_they_stand) {
  const auto yaml = cut(kYamlList);
  ASSERT_EQ(yaml.size(), 2U);
  EXPECT_EQ(yaml[1].place.lines_before, 7);
  EXPECT_EQ(yaml[1].place.item, 1U);
  EXPECT_EQ(parse(yaml[1])->string_at("kind"), "Pod");
  const auto json = cut(kJsonList);
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[1].place.lines_before, 2);
  EXPECT_EQ(json[1].place.columns_before, 2);
  EXPECT_EQ(parse(json[0])->find("metadata")->string_at("name"), "n,1]");
}

TEST(TextPieces, of_other_texts_are_documents) {
  EXPECT_EQ(cut("a: 1\n---\nb: 2\n--- \nc: 3\n").size(), 3U);
  EXPECT_EQ(cut("---\na: |\n  items:\n  - x\n").size(), 1U);
  EXPECT_EQ(cut("").size(), 1U);
  // Lists in a style other than kubectl's, and texts that are no lists.
  EXPECT_EQ(cut("kind: List\nitems:\n  - a: 1\n  - b: 2\n").size(), 1U);
  EXPECT_EQ(cut("kind: List\nitems: [{a: 1}, {b: 2}]\n").size(), 1U);
  EXPECT_EQ(cut("kind: Pod\nitems:\n- a: 1\n- b: 2\n").size(), 1U);
  EXPECT_EQ(cut(R"({"kind": "List", "items": [{"a": 1} {"b": 2}]})").size(), 1U);
  EXPECT_EQ(cut(R"({"kind": "List", "items": [{"a": 1},]})").size(), 1U);
}

TEST(ReadObjects, are_the_same_however_a_list_is_written) {
  for (
      const char* text :
      {kYamlList,
       "kind: List\napiVersion: v1\nitems:\n  - {kind: Node, apiVersion: v1, metadata: {name: "
       "n1}}\n  - {kind: Pod, apiVersion: v1, metadata: {name: p1}, spec: {containers: []}}\n",
       "kind: Node\napiVersion: v1\nmetadata: {name: n1}\n---\n\n---\nkind: PodList\napiVersion: "
       "v1\nitems:\n- metadata: {name: p1}\n",
       R"({"kind":"List","apiVersion":"v1","items":[{"kind":"NodeList","apiVersion":"v1","items":)"
       R"([{"metadata":{"name":"n1"}}]},{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p1"}}]})"}) {
    const ReadObjects read = scheduling::read("", text);
    ASSERT_EQ(read.objects.nodes.size(), 1U) << text;
    EXPECT_EQ(read.objects.nodes[0].metadata.name, "n1");
    ASSERT_EQ(read.objects.pods.size(), 1U) << text;
    EXPECT_EQ(read.objects.pods[0].metadata.namespace_, "default");
  }
  EXPECT_EQ(scheduling::read("", kJsonList).passed_over.at("ConfigMap"), 1U);
}

TEST(ReadObjects, list_every_problem_with_its_place) {
  ReadObjects read;
  read_objects("nodes.yaml",
               "kind: Node\napiVersion: v1\nmetadata: {name: n1}\nspec: {taints: x}\n"
               "---\n"
               "apiVersion: v1\nkind: List\nitems:\n"
               "- kind: Node\n  apiVersion: v1\n  metadata: {}\n"
               "- 7\n"
               "---\n"
               "a: [\n",
               PodsAre::kThere, read);
  std::vector<std::string> texts;
  for (const auto& problem : read.problems) texts.push_back(to_string(problem));
  ASSERT_EQ(texts.size(), 4U);
  EXPECT_TRUE(texts[0].starts_with("nodes.yaml:4:16: spec.taints: ")) << texts[0];
  EXPECT_EQ(texts[1], "nodes.yaml:9:3: document 2: items[0].metadata.name: Required value");
  EXPECT_EQ(texts[2],
            "nodes.yaml:12:3: document 2: items[1]: expected an object with apiVersion and kind");
  EXPECT_TRUE(texts[3].starts_with("nodes.yaml:15:1: document 3: ")) << texts[3];
}

TEST(ReadObjects, of_a_pod_to_be_placed_take_no_unknown_field) {
  ReadObjects read;
  read_objects("pod.yaml",
               "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {nodeSelektor: {}}",
               PodsAre::kToBePlaced, read);
  ASSERT_EQ(read.problems.size(), 1U);
  EXPECT_NE(to_string(read.problems[0]).find("unknown field"), std::string::npos)
      << to_string(read.problems[0]);
}

std::vector<std::string> refusals(const std::string& spec, const std::string& cluster = "") {
  const ReadObjects objects = read(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: web}}\nspec:\n"
      "  containers: [{name: c, image: i}]\n" +
          spec,
      cluster);
  const auto question = ask_about(objects, {.file = "pod.yaml", .namespace_ = "default"});
  std::vector<std::string> texts;
  if (question) return texts;
  for (const auto& problem : question.error()) texts.push_back(to_string(problem));
  return texts;
}

TEST(PodQuestion, refuses_what_the_api_refuses_with_the_way_out) {
  struct Case {
    std::string spec;
    std::string text;
  };
  const Case cases[] = {
      {"  topologySpreadConstraints:\n"
       "  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, matchLabelKeys: "
       "[app]}\n",
       "pod.yaml:7:87: spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be "
       "specified when labelSelector is not set (add labelSelector: {}, which the keys then "
       "narrow)"},
      {"  topologySpreadConstraints:\n  - {maxSkew: 1, topologyKey: zone}\n",
       "pod.yaml:7:5: spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "
       "\"\": supported values: \"DoNotSchedule\", \"ScheduleAnyway\" (there is no default; "
       "DoNotSchedule is usual, ScheduleAnyway is only a preference)"},
      {"  topologySpreadConstraints:\n  - {topologyKey: zone, whenUnsatisfiable: DoNotSchedule}\n",
       "pod.yaml:7:5: spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater "
       "than zero (there is no default; 1 is usual)"},
      {"  priorityClassName: high\n",
       "pod.yaml:6:22: spec.priorityClassName: pods \"web\" is forbidden: no PriorityClass with "
       "name high was found (add the class to the files: kubectl get priorityclasses -o yaml)"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(refusals(one.spec), std::vector<std::string>{one.text});
  }
}

TEST(PodQuestion, of_a_pod_that_exists_is_asked_as_if_it_had_no_node) {
  const ReadObjects objects = read(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: a, creationTimestamp: "
      "\"2026-01-01T00:00:00Z\"}\nspec: {nodeName: n1, containers: [{name: c}]}",
      "");
  const auto question = ask_about(objects, {.file = "pod.yaml", .namespace_ = "default"});
  ASSERT_TRUE(question.has_value());
  EXPECT_EQ(question->pod.metadata.namespace_, "a");
  EXPECT_EQ(question->pod.spec.nodeName, "");
  EXPECT_EQ(question->notes.size(), 1U);
}

TEST(PodQuestion, is_about_the_next_pod_of_a_controller) {
  const std::string set =
      "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db}\nspec:\n"
      "  selector: {matchLabels: {app: db}}\n  template:\n    metadata: {labels: {app: db}}\n"
      "    spec:\n      containers: [{name: c, image: i}]\n";
  const auto explanation =
      explained(set, node_yaml("n1", "") + node_yaml("n2", "") + pod_yaml("db-0", "n1", "app: db"));
  EXPECT_EQ(explanation.best, std::vector<std::string>{"n2"});
  ASSERT_EQ(explanation.spread.size(), 2U);
  EXPECT_EQ(explanation.spread[0].selector, "app=db");
  const ReadObjects objects = read(set + "      nodeSelector: {\"a b\": c}\n", "");
  const auto question = ask_about(objects, {.file = "pod.yaml", .namespace_ = "default"});
  ASSERT_FALSE(question.has_value());
  const std::string problem = to_string(question.error().front());
  EXPECT_TRUE(problem.starts_with("pod.yaml:10:21: spec.template.spec.nodeSelector: Invalid value"))
      << problem;
}

TEST(PodQuestion, of_several_pods_wants_a_name) {
  const ReadObjects objects = read(
      "kind: Pod\napiVersion: v1\nmetadata: {name: a}\n---\nkind: Pod\n"
      "apiVersion: v1\nmetadata: {name: b}\n",
      pod_yaml("c", "n1", "k: v"));
  const auto said = [&](const PodChoice& choice) {
    const auto question = ask_about(objects, choice);
    return question ? question->pod.metadata.name : question.error().front().problem.message;
  };
  EXPECT_EQ(said({.namespace_ = "default"}), "contains several pods; name one of a, b");
  EXPECT_EQ(said({.name = "z", .namespace_ = "default"}),
            "no pod \"z\" in namespace default, but a, b");
  EXPECT_EQ(said({.name = "default/c", .namespace_ = "x", .among = PodAmong::kObjects}), "c");
  EXPECT_EQ(said({.name = "c", .namespace_ = "x", .among = PodAmong::kObjects}),
            "no pod \"c\" in namespace x, but c");
}

}  // namespace
}  // namespace berth::scheduling
