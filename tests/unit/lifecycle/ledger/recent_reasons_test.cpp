// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/recent_reasons.hpp"

#include <gtest/gtest.h>

namespace berth::lifecycle::test {
namespace {

LedgerRecord record(std::string kind, std::vector<std::string> texts) {
  LedgerRecord record{.kind = std::move(kind)};
  for (std::string& text : texts) record.reasons.push_back({.rule = "Rule", .text = text});
  return record;
}

std::vector<std::string> shown(const std::vector<LedgerRecord>& records, std::size_t most = 64) {
  std::vector<std::string> out;
  for (const DatedReason& dated : recent_reasons(records, most)) out.push_back(dated.reason.text);
  return out;
}

using Texts = std::vector<std::string>;

TEST(RecentReasons, leave_out_what_the_decision_before_said_as_well) {
  EXPECT_EQ(shown({record("plan", {"a", "b"}), record("stops", {"a"}), record("plan", {"b", "c"}),
                   record("plan", {"a"})}),
            (Texts{"a", "b", "a", "c", "a"}));
}

TEST(RecentReasons, have_every_fact) {
  EXPECT_EQ(shown({record("fact", {"a"}), record("fact", {"a"})}), (Texts{"a", "a"}));
}

TEST(RecentReasons, are_the_newest_if_there_are_more) {
  EXPECT_EQ(shown({record("fact", {"a"}), record("plan", {"b", "c"})}, 2), (Texts{"b", "c"}));
  EXPECT_TRUE(shown({}).empty());
}

}  // namespace
}  // namespace berth::lifecycle::test
