// SPDX-License-Identifier: Apache-2.0

#include "probes/run_words.hpp"

#include <gtest/gtest.h>

namespace berth::probes {
namespace {

using namespace std::chrono_literals;

ProbeRun failed(std::string words, Nanoseconds late = 1ms) {
  return {.late = late, .outcome = Outcome::kFailure, .words = std::move(words)};
}

ProbeRun passed() {
  return {.took = 2ms, .outcome = Outcome::kSuccess};
}

TEST(RunWords, state_the_whole_run_behind_a_failure) {
  const std::vector<ProbeRun> runs = {passed(), failed("status 503"), failed("status 500"),
                                      failed("connect refused after 1 ms")};
  EXPECT_EQ(verdict_words(runs, 3),
            "failed 3 of 3, connect refused after 1 ms; before that: status 503, then status 500");
}

TEST(RunWords, say_the_same_once) {
  const std::vector<ProbeRun> runs(3, failed("no response within 1 s"));
  EXPECT_EQ(verdict_words(runs, 3), "failed 3 of 3, no response within 1 s each time");
}

TEST(RunWords, stop_at_what_counted_before_the_run_began) {
  const std::vector<ProbeRun> runs = {failed("status 501"), failed("status 502"),
                                      failed("status 503")};
  EXPECT_EQ(verdict_words(runs, 2), "failed 2 of 2, status 503; before that: status 502");
  EXPECT_EQ(verdict_words(runs, 1), "failed 1 of 1, status 503");
  // There are more runs than are kept: the kept ones are used.
  EXPECT_EQ(verdict_words(runs, 9),
            "failed 9 of 9, status 503; before that: status 501, then status 502");
}

TEST(RunWords, say_what_began_late) {
  EXPECT_EQ(
      verdict_words(std::vector<ProbeRun>{failed("status 503", 1200ms), failed("status 503")}, 2),
      "failed 2 of 2, status 503; before that: status 503 (begun 1.2 s late)");
  EXPECT_EQ(verdict_words(std::vector<ProbeRun>{failed("status 503", 250ms)}, 1),
            "failed 1 of 1, status 503 (begun 250 ms late)");
}

TEST(RunWords, pass_over_what_did_not_count) {
  ProbeRun errored = failed("the node itself ran short");
  errored.standing = Standing::kErrored;
  const std::vector<ProbeRun> runs = {failed("status 500"), errored, failed("status 503")};
  EXPECT_EQ(verdict_words(runs, 2), "failed 2 of 2, status 503; before that: status 500");
}

TEST(RunWords, are_short_where_all_is_well) {
  EXPECT_EQ(verdict_words(std::vector<ProbeRun>{passed(), passed()}, 2),
            "passed 2 of 2, answered in 2 ms");
}

}  // namespace
}  // namespace berth::probes
