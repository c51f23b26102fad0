// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "agent/journal_log.hpp"

namespace berth::agent {
namespace {

TEST(PlainLine, shows_fields_behind_the_sentence) {
  EXPECT_EQ(plain_line("Killing", "stopping web", {{"POD", "web"}, {"REASON", "a \"b\"\nc"}}),
            "Killing: stopping web POD=web REASON=\"a \\\"b\\\"\\nc\"");
  EXPECT_EQ(plain_line("Ready", "ok", {{"EMPTY", ""}}), "Ready: ok EMPTY=\"\"");
}

TEST(PlainLine, is_one_line_whatever_it_says) {
  EXPECT_EQ(plain_line("Failed", "a\n2026-01-01T00:00:00Z forged\x1b[2J", {{"FILE", "a\rb"}}),
            "Failed: a\\n2026-01-01T00:00:00Z forged^[[2J FILE=a\\rb");
}

}  // namespace
}  // namespace berth::agent
