// SPDX-License-Identifier: Apache-2.0

// Both readers: positions, repeated keys, aliases, broken text.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/codec.hpp"
#include "api/codec/json_reader.hpp"
#include "api/codec/yaml_reader.hpp"

namespace berth::api {
namespace {

Tree yaml(std::string_view text) {
  auto trees = read_yaml(text, Documents::kAll);
  if (!trees || trees->size() != 1) {
    ADD_FAILURE() << (trees ? "not one document" : to_string(trees.error()));
    return {};
  }
  return trees->front();
}

Problem yaml_problem(std::string_view text, const TreeLimits& limits = {}) {
  const auto trees = read_yaml(text, Documents::kAll, limits);
  return trees ? Problem{} : trees.error();
}

Problem json_problem(std::string_view text) {
  const auto tree = read_json(text);
  return tree ? Problem{} : tree.error();
}

TEST(Readers, no_text_at_all_holds_no_document) {
  EXPECT_TRUE(read_yaml({}, Documents::kAll)->empty());
  EXPECT_TRUE(read_yaml("", Documents::kAll)->empty());
  EXPECT_TRUE(parse_documents({})->empty());
}

TEST(Readers, every_node_knows_its_place) {
  const Tree tree = yaml("a: 1\nb:\n  - x\n  - c: yes\n");
  const TreeNode& list = *tree.root.find("b");
  EXPECT_EQ(tree.root.find("a")->column, 4);
  EXPECT_EQ(list.items[0].line, 3);
  EXPECT_EQ(list.items[0].column, 5);
  EXPECT_EQ(list.items[1].find("c")->line, 4);
  EXPECT_EQ(list.items[1].find("c")->column, 8);
  EXPECT_EQ(list.items[1].find("c")->text, "true");
  EXPECT_EQ(list.items[1].find("c")->written, "yes");

  const Tree json = read_json("{\n  \"a\": 1,\n  \"b\": [true]\n}").value();
  EXPECT_EQ(json.root.entries[1].line, 3);
  EXPECT_EQ(json.root.entries[1].column, 3);
  EXPECT_EQ(json.root.find("b")->items[0].column, 9);
}

TEST(Readers, quoted_scalars_are_strings) {
  const Tree tree = yaml("a: '1'\nb: \"yes\"\nc: |\n  true\nd: !!str 5\n");
  for (const TreeEntry& entry : tree.root.entries) {
    EXPECT_EQ(entry.value.kind, NodeKind::kString) << entry.key;
  }
}

TEST(Readers, an_escaped_single_quote_is_one_where_scalars_are_double_quoted) {
  const auto json = [](std::string_view text) { return compact_json(yaml(text).root); };
  EXPECT_EQ(json(R"(a: "it\'s")"), R"({"a":"it's"})");
  EXPECT_EQ(json(R"("it\'s": [x, "\'\'", {b: "\\'"}])"), R"({"it's":["x","''",{"b":"\\'"}]})");
  EXPECT_EQ(json("a: \"x\n  \\'y\"\n"), R"({"a":"x 'y"})");
  // Elsewhere it is a plain backslash, and a quote that may end the scalar.
  EXPECT_EQ(json(R"({a: 'C:\', b: D:\'s, c: "\'"} # it\'s)"),
            R"({"a":"C:\\","b":"D:\\'s","c":"'"})");
  EXPECT_EQ(json("a: |\n  \"\\'\"\nb: \"\\'\"\n"), R"({"a":"\"\\'\"\n","b":"'"})");
  EXPECT_EQ(json("a: \"\xEE\x80\x80\\'\"\n"), "{\"a\":\"\xEE\x80\x80'\"}");
}

TEST(Readers, what_comes_after_an_escaped_quote_keeps_its_place) {
  const Tree tree = yaml(R"({a: "\'\'", b: 1})");
  EXPECT_EQ(tree.root.entries[1].column, 13);
  const Problem control = yaml_problem("{a: \"\\'\", b: \x01}\n");
  EXPECT_EQ(control.line, 1);
  EXPECT_EQ(control.column, 14);
  EXPECT_EQ(yaml_problem(R"(a: "\q\'")").message, "found unknown escape character");
}

TEST(Readers, keys_become_strings) {
  EXPECT_EQ(compact_json(yaml("1: a\nyes: b\n0x10: c\n").root), R"({"1":"a","true":"b","16":"c"})");
  EXPECT_EQ(yaml_problem("~: a\n").message, "null cannot be a key");
  EXPECT_EQ(yaml_problem("? [a]\n: b\n").message, "a list or mapping cannot be a key");
}

TEST(Readers, repeated_keys_stay_in_and_the_last_counts) {
  const Tree tree = yaml("a: 1\na: 2\n");
  EXPECT_EQ(tree.root.entries.size(), 2u);
  EXPECT_EQ(tree.root.find("a")->text, "2");
}

TEST(Readers, aliases_and_merges_are_resolved) {
  const Tree tree = yaml(
      "base: &b {x: 1, w: 2}\n"
      "own: {<<: *b, w: 3}\n"
      "late:\n  w: 4\n  <<: [*b, {z: 5, x: 6}]\n"
      "copy: *b\n");
  EXPECT_EQ(compact_json(*tree.root.find("own")), R"({"w":3,"x":1})");
  EXPECT_EQ(compact_json(*tree.root.find("late")), R"({"w":4,"x":1,"z":5})");
  EXPECT_EQ(compact_json(*tree.root.find("copy")), R"({"x":1,"w":2})");
  EXPECT_EQ(yaml_problem("a: *b\n").message, "the alias *b has no anchor before it");
  EXPECT_EQ(yaml_problem("a: &a [*a]\n").message, "the alias *a has no anchor before it");
  EXPECT_EQ(yaml_problem("<<: 5\n").message, "<< needs a mapping or a list of mappings");
}

TEST(Readers, few_lines_of_aliases_do_not_become_a_billion_nodes) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string from = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + from;
    for (int j = 1; j < 9; ++j) text += ", " + from;
    text += "]\n";
  }
  EXPECT_TRUE(yaml_problem(text).message.starts_with("more than 250000 values"));
}

TEST(Readers, depth_is_bounded) {
  const std::string deep(300, '[');
  EXPECT_EQ(yaml_problem(deep + std::string(300, ']')).message, "nested deeper than 200 levels");
  EXPECT_EQ(json_problem(deep + std::string(300, ']')).message, "nested deeper than 200 levels");
  EXPECT_EQ(yaml_problem("a: &a [[x]]\nb: [*a]\n", TreeLimits{100, 4}).message, "");
  EXPECT_EQ(yaml_problem("a: &a [[x]]\nb: [[*a]]\n", TreeLimits{100, 4}).message,
            "nested deeper than 4 levels");
}

TEST(Readers, broken_yaml_names_its_place) {
  const Problem tab = yaml_problem("a: 1\nb:\n\t- x\n");
  EXPECT_EQ(tab.line, 3);
  EXPECT_EQ(tab.message, "found character that cannot start any token");
  const Problem control = yaml_problem("a: b\nc: d\x01\n");
  EXPECT_EQ(control.line, 2);
  EXPECT_EQ(control.column, 5);
  EXPECT_EQ(control.message, "control characters are not allowed");
  EXPECT_EQ(yaml_problem("a: .inf\n").message, ".inf is no number that JSON knows");
}

TEST(Readers, broken_json_names_its_place) {
  struct Case {
    std::string_view text;
    int line;
    int column;
    std::string_view message;
  };
  const Case cases[] = {
      {"{\"a\":1,}", 1, 8, "unexpected character '}' where a field's name should begin"},
      {"{\n a: 1}", 2, 2, "unexpected character 'a' where a field's name should begin"},
      {"{\"a\":1", 1, 7, "unexpected end of the JSON text"},
      {"{} {}", 1, 4, "unexpected character '{' after the document's end"},
      {"{\"a\":01}", 1, 7, "unexpected character '1' after a field's value"},
      {"{\"a\":\"\\x\"}", 1, 8, "unexpected character 'x' after a backslash"},
      {"{\"a\":tru}", 1, 9, "unexpected character '}' in true"},
      {"{\"a\":1 2}", 1, 8, "unexpected character '2' after a field's value"},
      {"[1 2]", 1, 4, "unexpected character '2' after a list's element"},
      {"{\"a\":\"\n\"}", 1, 7, "unexpected character U+000A inside a string"},
  };
  for (const Case& c : cases) {
    const Problem problem = json_problem(c.text);
    EXPECT_EQ(problem.message, c.message) << c.text;
    EXPECT_EQ(problem.line, c.line) << c.text;
    EXPECT_EQ(problem.column, c.column) << c.text;
  }
}

TEST(Readers, json_strings_are_decoded) {
  const Tree tree = read_json(R"({"a":"\u00e9\ud83d\ude00\n\/\ud800"})").value();
  EXPECT_EQ(tree.root.find("a")->text, "\u00e9\U0001F600\n/\uFFFD");
  EXPECT_EQ(read_json("{\"a\":\"\xff\"}").value().root.find("a")->text, "\uFFFD");
}

TEST(Readers, empty_documents_are_nothing) {
  EXPECT_EQ(read_yaml("---\n---\na: 1\n---\n# comment\n---\nb: 2\n", Documents::kAll)->size(), 2u);
  EXPECT_TRUE(read_yaml("", Documents::kAll)->empty());
  EXPECT_EQ(read_yaml("---\n---\na: 1\n", Documents::kFirst)->front().root.kind, NodeKind::kNull);
  EXPECT_EQ(parse_first_document("")->root.kind, NodeKind::kNull);
}

TEST(Readers, only_the_first_document_is_looked_at_when_asked_so) {
  EXPECT_EQ(parse_first_document("a: 1\n---\n}\n")->root.find("a")->text, "1");
  EXPECT_FALSE(parse_documents("a: 1\n---\n}\n"));
}

TEST(Readers, what_begins_with_a_brace_is_json_and_nothing_else) {
  EXPECT_TRUE(parse_documents("  {\"a\": 1}"));
  EXPECT_FALSE(parse_documents("{a: 1}"));
  EXPECT_FALSE(parse_documents("{\"a\": 1}\n---\nb: 2\n"));
}

}  // namespace
}  // namespace berth::api
