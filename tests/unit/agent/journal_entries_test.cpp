// SPDX-License-Identifier: Apache-2.0

#include "agent/journal_entries.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace berth::agent {
namespace {

using Entries = std::vector<std::string>;

TEST(JournalEntries, a_line_has_its_priority_its_event_and_its_fields) {
  const std::vector<LogField> fields{{"NAMESPACE", "shop"}, {"CONTAINER", "app"}};
  EXPECT_EQ(journal_entries({.level = LogLevel::kWarn,
                             .event = "Unhealthy",
                             .message = "Liveness probe failed",
                             .fields = fields},
                            "node1"),
            (Entries{"MESSAGE=Liveness probe failed", "PRIORITY=4", "SYSLOG_IDENTIFIER=berthd",
                     "BERTH_EVENT=Unhealthy", "BERTH_NAMESPACE=shop", "BERTH_CONTAINER=app"}));
}

TEST(JournalEntries, the_place_in_the_code_is_within_the_source) {
  const std::vector<LogField> none;
  const auto entries = journal_entries(
      {.message = "m", .fields = none, .where = std::source_location::current()}, "node1");
  ASSERT_GE(entries.size(), 3U);
  EXPECT_EQ(entries[entries.size() - 3], "CODE_FILE=tests/unit/agent/journal_entries_test.cpp");
  EXPECT_TRUE(entries[entries.size() - 2].starts_with("CODE_LINE=")) << entries.back();
  EXPECT_TRUE(entries.back().starts_with("CODE_FUNC=")) << entries.back();
  EXPECT_TRUE(entries.back().ends_with("::TestBody")) << entries.back();
}

TEST(JournalEntries, a_pod_is_found_by_its_name_and_by_that_of_its_manifest) {
  const auto pods = [](const std::string& name, const std::string& node) {
    const std::vector<LogField> fields{{"POD", name}};
    Entries found;
    for (auto& entry : journal_entries({.fields = fields}, node))
      if (entry.starts_with("BERTH_POD=")) found.push_back(std::move(entry));
    return found;
  };
  EXPECT_EQ(pods("web-node1", "node1"), (Entries{"BERTH_POD=web-node1", "BERTH_POD=web"}));
  EXPECT_EQ(pods("web-node2", "node1"), Entries{"BERTH_POD=web-node2"});
  EXPECT_EQ(pods("-node1", "node1"), Entries{"BERTH_POD=-node1"}) << "nothing would be left";
}

TEST(JournalEntries, what_an_operator_has_to_act_on_has_an_entry_in_the_catalogue) {
  const std::vector<LogField> none;
  const auto entries = journal_entries(
      {.level = LogLevel::kError, .event = "StoreFailing", .fields = none}, "node1");
  EXPECT_EQ(entries.at(1), "PRIORITY=3");
  EXPECT_EQ(entries.at(4), "MESSAGE_ID=661fff1527d64e53b733e0d64433e9bc");
}

TEST(JournalEntries, a_pod_that_is_refused_under_pressure_is_not_catalogued_as_evicted) {
  const std::vector<LogField> evicted{{"SIGNAL", "memory.available"}};
  const std::vector<LogField> refused{{"POD", "web-node1"}};
  const auto ids = [](const std::vector<LogField>& fields) {
    return std::ranges::count_if(
        journal_entries({.event = "Evicted", .message = "m", .fields = fields}, "node1"),
        [](const std::string& entry) { return entry.starts_with("MESSAGE_ID="); });
  };
  EXPECT_EQ(ids(evicted), 1);
  EXPECT_EQ(ids(refused), 0);
}

TEST(JournalEntries, a_function_is_named_without_its_types) {
  struct Row {
    const char* signature = "";
    const char* name = "";
  };
  const std::vector<Row> rows = {
      {"int main()", "main"},
      {"main", "main"},
      {"", ""},
      {"berth::lifecycle::W::W()", "lifecycle::W::W"},
      {"void berth::lifecycle::{anonymous}::say(int)", "say"},
      {"std::map<int, std::vector<int> > berth::agent::all(const int&)", "agent::all"},
      {"void berth::Box<int, long int>::put(T) [with T = int]", "Box<int, long int>::put"},
      {"berth::W::plain(const std::map<int, int>&) const::<lambda(int (*)(int))>", "W::plain"},
      {"void berth::lifecycle::(anonymous namespace)::say(int)", "say"},
      {"(anonymous namespace)::T berth::agent::all((anonymous namespace)::T)", "agent::all"},
      // The signature of a coroutine.
      {"void berth::lifecycle::W::observe(berth::lifecycle::W::observe(std::string)::"
       "_ZN5berth9lifecycle1W7observeENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE.Frame*)",
       "lifecycle::W::observe"}};
  for (const Row& row : rows) EXPECT_EQ(plain_function(row.signature), row.name) << row.signature;
}

TEST(JournalEntries, a_line_about_a_pod_says_which_and_of_which_container) {
  const std::vector<LogField> pod{{"NAMESPACE", "shop"}, {"POD", "web-node1"}};
  std::vector<LogField> container = pod;
  container.push_back({"CONTAINER", "app"});
  struct Row {
    std::vector<LogField> fields{};
    const char* text = "";
    const char* before = "";  // the prefix that the journal adds
  };
  const std::vector<Row> rows = {
      {pod, "Pending -> Running", "shop/web-node1: "},
      {pod, "shop/web-node1 was evicted", ""},
      {pod, "was evicted for web-node1.", ""},
      {pod, "evicted: web-node1", ""},
      {pod, "web-node10 was evicted", "shop/web-node1: "},
      {pod, "web-node10 went before web-node1", ""},
      {pod, "the-web-node1 was evicted", "shop/web-node1: "},
      {pod, "web-node1-b was evicted", "shop/web-node1: "},
      {pod, "web-node1.shop was asked", "shop/web-node1: "},
      {pod, "www.web-node1 was asked", "shop/web-node1: "},
      {container, "its turn to stop has come", "shop/web-node1 app: "},
      {container, "container app ended with exit code 0", "shop/web-node1: "},
      {container, "Pulling image \"app\"", "shop/web-node1: "},
      {container, "an apple a day", "shop/web-node1 app: "},
      {container, "container app of web-node1 ended", ""},
      {{}, "berthd stops", ""}};
  for (const auto& [fields, text, before] : rows)
    EXPECT_EQ(journal_entries({.message = text, .fields = fields}, "node1").front(),
              std::string("MESSAGE=") + before + text);
}

TEST(JournalEntries, no_value_breaks_out_of_its_line) {
  const std::vector<LogField> fields{{"FILE", "a\nMESSAGE=forged"}};
  const auto entries = journal_entries({.message = "b\nPRIORITY=0", .fields = fields}, "node1");
  EXPECT_EQ(entries.front(), "MESSAGE=b\\nPRIORITY=0");
  EXPECT_EQ(entries.back(), "BERTH_FILE=a\\nMESSAGE=forged");
}

}  // namespace
}  // namespace berth::agent
