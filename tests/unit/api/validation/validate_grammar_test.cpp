// SPDX-License-Identifier: Apache-2.0

#include "api/validation/validate_grammar.hpp"

#include <gtest/gtest.h>

#include "api/field_error.hpp"

namespace berth::api {
namespace {

struct Case {
  const char* value;
  std::size_t problems;
};

void expect_problems(grammar::Details (*check)(std::string_view), std::vector<Case> cases) {
  for (const Case& one : cases) {
    EXPECT_EQ(check(one.value).size(), one.problems) << '"' << one.value << '"';
  }
}

const std::string kLong64(64, 'a');

TEST(Grammar, labels_are_short_lower_case_words) {
  expect_problems(grammar::dns1123_label, {{"a", 0},
                                           {"my-name", 0},
                                           {"", 1},
                                           {"-a", 1},
                                           {"a-", 1},
                                           {"A", 1},
                                           {"a.b", 1},
                                           {kLong64.c_str(), 1}});
  EXPECT_EQ(grammar::dns1123_label("a.b").front(), "must not contain dots");
}

TEST(Grammar, single_labels_of_a_subdomain_may_be_long) {
  expect_problems(grammar::dns1123_subdomain,
                  {{"a.b", 0}, {kLong64.c_str(), 0}, {"a..b", 1}, {".a", 1}, {"A.b", 1}});
}

TEST(Grammar, one_label_key_can_break_several_rules) {
  expect_problems(grammar::qualified_name, {{"app", 0},
                                            {"example.com/App_1", 0},
                                            {"", 2},
                                            {"/x", 1},
                                            {"Example.com/x", 1},
                                            {"example.com/", 2},
                                            {"a/b/c", 1},
                                            {"bad key!", 1}});
}

TEST(Grammar, one_port_name_can_break_five_rules) {
  expect_problems(grammar::port_name,
                  {{"http", 0}, {"8080", 1}, {"-8--80-----------", 4}, {"", 2}, {"Http", 1}});
}

TEST(Grammar, addresses_may_have_leading_zeros) {
  expect_problems(grammar::ip_address, {{"10.0.0.1", 0},
                                        {"010.000.0.01", 0},
                                        {"::1", 0},
                                        {"2001:db8::ffff", 0},
                                        {"::ffff:10.0.0.1", 0},
                                        {"1:2:3:4:5:6:7:8", 0},
                                        {"1:2:3:4:5:6:7", 1},
                                        {"10.0.0.256", 1},
                                        {"10.0.0", 1},
                                        {"1::2::3", 1},
                                        {"", 1}});
}

TEST(Grammar, names_of_environment_variables_may_have_spaces_and_digits_first) {
  expect_problems(grammar::env_var_name, {{"A B", 0}, {"1X", 0}, {"a=b", 1}, {"\xC3\xA4", 1}});
}

TEST(Grammar, keys_of_config_maps_are_no_paths) {
  expect_problems(grammar::config_map_key,
                  {{"a.b_c-D", 0}, {".", 1}, {"..", 1}, {"..a", 1}, {"a/b", 1}, {"", 1}});
}

TEST(Grammar, a_trailing_dash_of_a_generated_name_is_no_mistake) {
  EXPECT_EQ(grammar::mask_trailing_dash("web-"), "wea");
  EXPECT_EQ(grammar::mask_trailing_dash("A-"), "a");
  EXPECT_EQ(grammar::mask_trailing_dash("-"), "-");
}

TEST(FieldError, is_written_as_kubernetes_writes_it) {
  const FieldPath path = FieldPath("spec") / "containers" / 0 / "name";
  const struct {
    FieldError error;
    const char* text;
  } cases[] = {
      {required(path), "spec.containers[0].name: Required value"},
      {required(path, "why"), "spec.containers[0].name: Required value: why"},
      {invalid(path, quoted("a\"\n"), "no"),
       R"(spec.containers[0].name: Invalid value: "a\"\n": no)"},
      {invalid(path, json_string("x<y"), "no"),
       R"(spec.containers[0].name: Invalid value: "x\u003cy": no)"},
      {duplicate(path, quoted("a")), R"(spec.containers[0].name: Duplicate value: "a")"},
      {forbidden(path, "no"), "spec.containers[0].name: Forbidden: no"},
      {not_supported(path, json_string("x"), {"a", "b"}),
       R"(spec.containers[0].name: Unsupported value: "x": supported values: "a", "b")"},
      {not_found(path, quoted("v")), R"(spec.containers[0].name: Not found: "v")"},
      {too_long(path, 63), "spec.containers[0].name: Too long: may not be more than 63 bytes"},
      {too_many(path, 3, 2), "spec.containers[0].name: Too many: 3: must have at most 2 items"},
  };
  for (const auto& one : cases) EXPECT_EQ(one.error.to_string(), one.text);
}

TEST(FieldError, lists_differ_between_kubelet_and_api_server) {
  const FieldErrors one = {required(FieldPath("a"))};
  const FieldErrors repeated = {required(FieldPath("a")), required(FieldPath("b")),
                                required(FieldPath("a"))};
  EXPECT_EQ(kubelet_list(one), "[a: Required value]");
  EXPECT_EQ(api_list(one), "a: Required value");
  EXPECT_EQ(kubelet_list(repeated), "[a: Required value b: Required value a: Required value]");
  EXPECT_EQ(api_list(repeated), "[a: Required value, b: Required value]");
}

}  // namespace
}  // namespace berth::api
