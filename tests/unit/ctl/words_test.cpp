// SPDX-License-Identifier: Apache-2.0

#include "ctl/words.hpp"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

using namespace std::chrono_literals;

TEST(RequestTimeout, is_read_as_kubectl_reads_it_and_with_fractions) {
  struct Case {
    const char* text;
    Nanoseconds limit;
  };
  for (const Case& one :
       {Case{"0", 0s}, Case{"0.5", 500ms}, Case{".5", 500ms}, Case{"10", 10s}, Case{"10s", 10s},
        Case{"1m", 60s}, Case{"1m30s", 90s}, Case{"250ms", 250ms}, Case{"1.5h", 90min}}) {
    const auto limit = request_timeout(one.text);
    ASSERT_TRUE(limit) << one.text;
    EXPECT_EQ(*limit, one.limit) << one.text;
  }
  for (const char* text : {"", "-1", "-1s", "soon", "1 s", "1d", ".", "1.2.3", "s"})
    EXPECT_FALSE(request_timeout(text)) << text;
}

TEST(WholeSeconds, are_never_less_than_what_was_asked_for) {
  EXPECT_EQ(whole_seconds("--since", "500ms")->count(), 1);
  EXPECT_EQ(whole_seconds("--since", "0")->count(), 0);
  EXPECT_EQ(whole_seconds("--since", "90")->count(), 90);
  EXPECT_EQ(whole_seconds("--since", "2h")->count(), 7200);
  EXPECT_FALSE(whole_seconds("--since", "-1s"));
  EXPECT_TRUE(whole_seconds("--since", "x").error().message.starts_with("--since: "));
}

TEST(TypedObjects, are_a_type_and_names_in_either_form) {
  const auto plain = typed_objects({"po", "a", "shop/b"});
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->type, ObjectType::kPod);
  EXPECT_EQ(plain->names, (std::vector<std::string>{"a", "shop/b"}));
  const auto slashed = typed_objects({"node/n1", "no/n2"});
  ASSERT_TRUE(slashed);
  EXPECT_EQ(slashed->type, ObjectType::kNode);
  EXPECT_EQ(slashed->names, (std::vector<std::string>{"n1", "n2"}));
  EXPECT_EQ(typed_objects({"events"})->names.size(), 0U);
}

TEST(TypedObjects, that_make_no_sense_are_reported_with_what_would) {
  const auto message = [](const std::vector<std::string>& words) {
    const auto objects = typed_objects(words);
    return objects ? "" : objects.error().message;
  };
  EXPECT_EQ(message({}), "which type? pods, node, events, probes, poddisruptionbudgets");
  EXPECT_EQ(message({"pds"}),
            "unknown resource type \"pds\" (did you mean \"pods\"?); known are pods, node, events, "
            "probes, poddisruptionbudgets");
  EXPECT_EQ(message({"pod/a", "b"}), "\"b\" has no type; write TYPE NAME... or TYPE/NAME...");
  EXPECT_EQ(message({"pod/a", "node/b"}),
            "\"node/b\" is of another type than \"pod/a\"; ask for one type at a time");
  EXPECT_EQ(message({"pod/"}), "\"pod/\" has no name; write TYPE/NAME");
}

TEST(OutputFormat, is_one_of_those_that_the_command_has) {
  EXPECT_EQ(output_format("", kListFormats).value(), Output::kTable);
  EXPECT_EQ(output_format("wide", kListFormats).value(), Output::kWide);
  EXPECT_EQ(output_format("yaml", kReportFormats).value(), Output::kYaml);
  EXPECT_EQ(output_format("name", kReportFormats).error().message,
            "unknown output format \"name\"; known are table, json, yaml");
  EXPECT_EQ(output_format("yml", kListFormats).error().message,
            "unknown output format \"yml\" (did you mean \"yaml\"?); known are table, wide, json, "
            "yaml, name");
}

TEST(WithoutEquals, only_short_options_lose_it) {
  EXPECT_EQ(without_equals({"-o=json", "--tail=1", "-n=", "a=b", "-w"}),
            (std::vector<std::string>{"-ojson", "--tail=1", "-n=", "a=b", "-w"}));
}

}  // namespace
}  // namespace berth::ctl
