// SPDX-License-Identifier: Apache-2.0

#include "api/codec/yaml_text.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "api/codec.hpp"
#include "api/codec/json_text.hpp"

namespace berth::api {
namespace {

TEST(YamlText, looks_as_kubectl_prints_it) {
  const boost::json::value value = boost::json::parse(
      R"({"kind":"Pod","b":[{"name":"x","args":["-c","a: b"]},[],[1]],"a":{},"n":null,)"
      R"("t":"yes","i":12,"port":"80","m":"one\ntwo\n","q":"it's #1: [x]","e":""})");
  EXPECT_EQ(yaml_text(value),
            "a: {}\n"
            "b:\n"
            "- args:\n"
            "  - -c\n"
            "  - 'a: b'\n"
            "  name: x\n"
            "- []\n"
            "- - 1\n"
            "e: \"\"\n"
            "i: 12\n"
            "kind: Pod\n"
            "m: |\n"
            "  one\n"
            "  two\n"
            "\"n\": null\n"
            "port: \"80\"\n"
            "q: 'it''s #1: [x]'\n"
            "t: \"yes\"\n");
}

TEST(YamlText, a_text_of_several_lines_is_a_block_where_the_syntax_has_one) {
  EXPECT_EQ(yaml_text(boost::json::value{{"k", "  a\nb"}}), "k: |2-\n    a\n  b\n");
  EXPECT_EQ(yaml_text(boost::json::value{{"k", "a\n\nb\n"}}), "k: |\n  a\n\n  b\n");
  EXPECT_EQ(yaml_text(boost::json::value{{"k", "a \nb"}}), "k: \"a \\nb\"\n");
  EXPECT_EQ(yaml_text(boost::json::value{{"k", "a\tb"}}), "k: \"a\\tb\"\n");
}

TEST(YamlText, a_long_line_is_not_broken) {
  const std::string words = "one" + std::string(60, 'x') + " two three " + std::string(60, 'y');
  EXPECT_EQ(yaml_text(boost::json::value{{"k", words}}), "k: " + words + "\n");
  EXPECT_EQ(yaml_text(boost::json::value{{"k", words + ": z"}}), "k: '" + words + ": z'\n");
}

TEST(YamlText, bytes_that_are_no_text_are_replaced) {
  EXPECT_EQ(yaml_text(boost::json::value{{"k", "a\xff"}}), "k: a\uFFFD\n");
}

TEST(YamlText, a_deep_document_is_written) {
  boost::json::value value = 1;
  for (int i = 0; i < 100; ++i) value = boost::json::array{std::move(value)};
  std::string expected;
  for (int i = 0; i < 100; ++i) expected += "- ";
  EXPECT_EQ(yaml_text(value), expected + "1\n");
}

TEST(YamlText, every_string_is_read_back_as_it_was) {
  for (const char* text :
       {"",           " ",      "a b",    " a",         "a ",     "-",        "- a",
        "-a",         "?",      ":",      "a:",         "a: b",   "a #b",     "#a",
        "[a]",        "{a}",    "*a",     "&a",         "!a",     "|",        ">",
        "%a",         "@a",     "`a",     "'a'",        "\"a\"",  "a\\b",     "a\nb",
        "a\nb\n",     "a\n\n",  "\n",     "\na",        "  a\nb", "a \nb",    "a\n b",
        "a\tb",       "\t",     "a\r\nb", "---",        "--- a",  "...",      "yes",
        "null",       "~",      "1",      "0x1F",       "1e3",    "12:30:45", "\u00e9",
        "\u2028",     "\u0085", "\ufeff", "\U0001F600", "\x01",   "\x7f",     "=",
        "2006-01-02", "1_0",    "a,b",    ",a",         "a: ",    "<<",       "a\n\n\nb",
        "a\n#b\n"}) {
    const boost::json::value value{{"k", text}, {text, "v"}, {"l", {text}}};
    const std::string yaml = yaml_text(value);
    const auto tree = parse_documents(yaml);
    ASSERT_TRUE(tree) << yaml << to_string(tree.error().front());
    ASSERT_EQ(tree->size(), 1u) << yaml;
    const TreeNode& root = tree->front().root;
    EXPECT_EQ(root.string_at("k"), text) << yaml;
    EXPECT_EQ(root.string_at(text), "v") << yaml;
    EXPECT_EQ(root.find("l")->items.at(0).text, text) << yaml;
    EXPECT_EQ(root.find("l")->items.at(0).kind, NodeKind::kString) << yaml;
  }
}

TEST(YamlText, so_is_whatever_is_made_of_what_the_syntax_uses) {
  constexpr std::string_view kParts[] = {
      "a", "b",  " ", "  ",  "\n",  "\n\n", "\t",     ":",      ": ",     "#",      " #",
      "-", "- ", "?", "? ",  "|",   ">",    "'",      "\"",     "\\",     "[",      "]",
      "{", "}",  ",", "&",   "*",   "!",    "%",      "@",      "`",      "~",      "0",
      "1", "e",  ".", "---", "...", "\r",   "\u00e9", "\u2028", "\u0085", "\ufeff", "\x01"};
  std::minstd_rand random(1);
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (auto parts = random() % 8; parts > 0; --parts)
      text += kParts[random() % std::size(kParts)];
    const std::string yaml = yaml_text({{"k", text}, {"l", {text, {{text, text}}}}, {"z", 1}});
    const auto tree = parse_documents(yaml);
    ASSERT_TRUE(tree) << yaml;
    const TreeNode& root = tree->front().root;
    ASSERT_EQ(root.string_at("k"), text) << yaml;
    ASSERT_EQ(root.find("l")->items.at(0).text, text) << yaml;
    ASSERT_EQ(root.find("l")->items.at(1).string_at(text), text) << yaml;
    ASSERT_NE(root.find("z"), nullptr) << yaml;
  }
}

TEST(JsonText, is_compact_or_indented) {
  const boost::json::value value = boost::json::parse(R"({"a":[1,{"b":"<&>"}],"c":{},"d":[]})");
  EXPECT_EQ(compact_json(value), R"({"a":[1,{"b":"\u003c\u0026\u003e"}],"c":{},"d":[]})");
  EXPECT_EQ(pretty_json(value),
            "{\n    \"a\": [\n        1,\n        {\n            \"b\": "
            "\"\\u003c\\u0026\\u003e\"\n        }\n    ],\n    \"c\": {},\n    \"d\": []\n}");
}

TEST(JsonText, what_is_no_utf8_is_replaced_byte_by_byte) {
  EXPECT_EQ(compact_json("a\xff\xe4z\u00e4\U0001F600"), "\"a\uFFFD\uFFFDz\u00e4\U0001F600\"");
}

TEST(JsonText, prints_numbers_as_go_does) {
  EXPECT_EQ(json_number(1000), "1000");
  EXPECT_EQ(json_number(0.5), "0.5");
  EXPECT_EQ(json_number(-0.05), "-0.05");
  EXPECT_EQ(json_number(-123.25), "-123.25");
  EXPECT_EQ(json_number(0), "0");
  EXPECT_EQ(json_number(18446744073709551616.0), "18446744073709552000");
  EXPECT_EQ(json_number(1e20), "100000000000000000000");
  EXPECT_EQ(json_number(1e21), "1e+21");
  EXPECT_EQ(json_number(1e-7), "1e-7");
  EXPECT_EQ(json_number(0.000001), "0.000001");
}

}  // namespace
}  // namespace berth::api
