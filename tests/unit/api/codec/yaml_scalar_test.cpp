// SPDX-License-Identifier: Apache-2.0

#include "api/codec/yaml_scalar.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace berth::api {
namespace {

struct Case {
  std::string_view plain;
  NodeKind kind;
  std::string_view text;
};

TEST(YamlScalar, plain_text_has_the_type_that_kubernetes_sees) {
  const Case cases[] = {
      {"", NodeKind::kNull, ""},
      {"~", NodeKind::kNull, ""},
      {"null", NodeKind::kNull, ""},
      {"nULL", NodeKind::kString, "nULL"},
      {"yes", NodeKind::kBool, "true"},
      {"On", NodeKind::kBool, "true"},
      {"y", NodeKind::kBool, "true"},
      {"off", NodeKind::kBool, "false"},
      {"oN", NodeKind::kString, "oN"},
      {"0", NodeKind::kNumber, "0"},
      {"-0", NodeKind::kNumber, "0"},
      {"+12", NodeKind::kNumber, "12"},
      {"0644", NodeKind::kNumber, "420"},
      {"0o644", NodeKind::kNumber, "420"},
      {"0x1FF", NodeKind::kNumber, "511"},
      {"-0b11", NodeKind::kNumber, "-3"},
      {"08", NodeKind::kNumber, "8"},
      {"1_000", NodeKind::kNumber, "1000"},
      {"1e3", NodeKind::kNumber, "1000"},
      {"1.0", NodeKind::kNumber, "1"},
      {".5", NodeKind::kNumber, "0.5"},
      {"1e-9", NodeKind::kNumber, "1e-9"},
      {"1e21", NodeKind::kNumber, "1e+21"},
      {"18446744073709551615", NodeKind::kNumber, "18446744073709551615"},
      {"18446744073709551616", NodeKind::kNumber, "18446744073709552000"},
      {"1.2.3", NodeKind::kString, "1.2.3"},
      {"0ba995bec7301f2b", NodeKind::kString, "0ba995bec7301f2b"},
      {"100m", NodeKind::kString, "100m"},
      {"2006-01-02", NodeKind::kString, "2006-01-02"},
      {"12:30:45", NodeKind::kString, "12:30:45"},
      {"-", NodeKind::kString, "-"},
      {"1e400", NodeKind::kString, "1e400"},
  };
  for (const Case& c : cases) {
    const auto found = resolve_plain(c.plain);
    ASSERT_TRUE(found) << c.plain;
    EXPECT_EQ(found->kind, c.kind) << c.plain;
    EXPECT_EQ(found->text, c.text) << c.plain;
  }
  EXPECT_FALSE(resolve_plain(".inf"));
  EXPECT_FALSE(resolve_plain(".NaN"));
}

TEST(YamlScalar, tags_override_the_look) {
  EXPECT_EQ(resolve_tagged("tag:yaml.org,2002:str", "123")->kind, NodeKind::kString);
  EXPECT_EQ(resolve_tagged("!mine", "123")->kind, NodeKind::kString);
  EXPECT_EQ(resolve_tagged("tag:yaml.org,2002:int", "0x10")->text, "16");
  EXPECT_EQ(resolve_tagged("tag:yaml.org,2002:float", "3")->text, "3");
  EXPECT_FALSE(resolve_tagged("tag:yaml.org,2002:int", "three"));
  EXPECT_FALSE(resolve_tagged("tag:yaml.org,2002:bool", "1"));
}

TEST(YamlScalar, doubtful_strings_are_known) {
  for (const std::string_view text : {"",
                                      "~",
                                      "null",
                                      "yes",
                                      "No",
                                      "true",
                                      "1",
                                      "0x1F",
                                      "010",
                                      "1e3",
                                      ".5",
                                      "1_000",
                                      "12:30:45",
                                      "2006-01-02",
                                      "2006-01-02T15:04:05Z",
                                      "1e400",
                                      "0xFFFFFFFFFFFFFFFFFF",
                                      ".inf",
                                      "=",
                                      "<<"}) {
    EXPECT_TRUE(could_be_another_type(text)) << text;
  }
  for (const std::string_view text :
       {"web", "100m", "10.88.0.12", "1.27-alpine", "79b4627ff71ff1a4", "a:b", "-c", "nginx:1.27",
        "2006-01-02-backup", "+x"}) {
    EXPECT_FALSE(could_be_another_type(text)) << text;
  }
}

}  // namespace
}  // namespace berth::api
