#include <gtest/gtest.h>

#include "agent/journal_log.hpp"

namespace berth::agent {
namespace {

TEST(PlainLine, shows_fields_behind_the_sentence) {
  EXPECT_EQ(plain_line("Killing", "stopping web", {{"POD", "web"}, {"REASON", "a \"b\"\nc"}}),
            "Killing: stopping web POD=web REASON=\"a \\\"b\\\" c\"");
  EXPECT_EQ(plain_line("Ready", "ok", {{"EMPTY", ""}}), "Ready: ok EMPTY=\"\"");
}

}  // namespace
}  // namespace berth::agent
