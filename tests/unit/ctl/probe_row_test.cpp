// SPDX-License-Identifier: Apache-2.0

#include "ctl/probe_row.hpp"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

using namespace std::chrono_literals;

ShownProbe probe() {
  return {
      .namespace_ = "default",
      .pod = "web",
      .container = "app",
      .type = "Liveness",
      .result = "success",
      .next_in = 1500ms,
      .period = 10s,
      .runs =
          {{.time = "t0", .took = 2ms, .late = 250us, .outcome = "success", .standing = "counted"}},
      .run = 1,
      .successful = 7};
}

TEST(ProbeRow, shows_what_comes_next_and_what_was) {
  EXPECT_EQ(probe_header(false, false),
            (Row{"POD", "CONTAINER", "TYPE", "RESULT", "NEXT", "LATE", "LAST"}));
  EXPECT_EQ(probe_row(probe(), false, false),
            (Row{"web", "app", "Liveness", "success", "in 1.5 s", "250 µs", "passed in 2 ms"}));
  EXPECT_EQ(probe_header(true, true).size(), probe_row(probe(), true, true).size());
}

TEST(ProbeRow, says_how_far_a_run_of_failures_has_come) {
  auto failing = probe();
  failing.runs.push_back({.time = "t1",
                          .took = 1ms,
                          .outcome = "failure",
                          .standing = "counted",
                          .words = "connect refused after 1 ms"});
  failing.run = 2;
  EXPECT_EQ(last_outcome(failing), "failed: connect refused after 1 ms (2 of 3)");
  failing.run = 3;
  EXPECT_EQ(last_outcome(failing), "failed: connect refused after 1 ms");
}

TEST(ProbeRow, distinguishes_what_did_not_count_from_what_failed) {
  auto late = probe();
  late.runs.back() = {
      .outcome = "failure", .standing = "errored", .words = "no response within 1 s"};
  EXPECT_EQ(last_outcome(late), "errored: no response within 1 s");
}

TEST(ProbeRow, shows_a_run_that_began_late) {
  auto late = probe();
  late.runs.back().late = 1200ms;
  EXPECT_EQ(last_outcome(late), "passed in 2 ms, begun 1.2 s late");
  late.runs.back() = {
      .late = 300ms, .outcome = "failure", .standing = "counted", .words = "status 503"};
  late.run = 2;
  EXPECT_EQ(last_outcome(late), "failed: status 503, begun 300 ms late (2 of 3)");
}

TEST(ProbeRow, says_why_nothing_is_asked) {
  auto waiting = probe();
  waiting.runs.clear();
  waiting.next_in.reset();
  waiting.waits_for = "the container has not started";
  EXPECT_EQ(last_outcome(waiting), "not asked yet; waits: the container has not started");
  EXPECT_EQ(probe_row(waiting, false, false).at(4), "-");
}

TEST(DescribedProbes, show_the_last_runs_that_did_not_pass) {
  auto failing = probe();
  failing.runs.insert(failing.runs.begin(), {.time = "t-",
                                             .took = 1ms,
                                             .outcome = "failure",
                                             .standing = "counted",
                                             .words = "status 503\033[2J"});
  const auto rows = described_probes({failing});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_NE(format_table(rows).find("status 503^[[2J"), std::string::npos);
}

}  // namespace
}  // namespace berth::ctl
