// SPDX-License-Identifier: Apache-2.0

// berthctl evictions, from its command line to its output and exit code.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "ctl/run.hpp"
#include "fake_agent.hpp"

namespace berth::ctl {
namespace {

struct Ran {
  int exit_code = -1;
  std::string out{};
  std::string err{};
};

Ran ran(const std::vector<std::string>& words) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Ran result;
  result.exit_code = run(words);
  result.out = testing::internal::GetCapturedStdout();
  result.err = testing::internal::GetCapturedStderr();
  return result;
}

TEST(EvictionsRun, an_option_of_another_command_about_evictions_is_named_with_what_takes_it) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"log", "--since", "1h"},
       "evictions log takes no --since: it is an option of evictions simulate"},
      {{"log", "--config", "f"},
       "evictions log takes no --config: it is an option of evictions simulate"},
      {{"log", "--plot", "f"},
       "evictions log takes no --plot: it is an option of evictions simulate"},
      {{"explain", "--since", "1h"},
       "evictions explain takes no --since: it is an option of evictions simulate"},
      {{"explain", "--limit", "3"},
       "evictions explain takes no --limit: it is an option of evictions log"},
      {{"simulate", "--config", "f", "--limit", "0"},
       "evictions simulate takes no --limit: it is an option of evictions log"},
      {{"simulate"}, "which thresholds?"}};
  for (auto [words, said] : cases) {
    words.insert(words.begin(), {"--socket", "/nowhere", "evictions"});
    const auto refused = ran(words);
    EXPECT_EQ(refused.exit_code, 2) << said;
    EXPECT_NE(refused.err.find(said), std::string::npos) << refused.err;
  }
}

TEST(EvictionsRun, a_simulation_is_shown_even_if_its_picture_cannot_be_drawn_or_written) {
  FakeAgent agent;
  const std::vector<std::string> words = {
      "--socket", agent.socket(), "evictions", "simulate",
      "--config", "/dev/null",    "--plot",    "/dev/null/picture.svg"};
  const auto empty = ran(words);
  EXPECT_EQ(empty.exit_code, 1);
  EXPECT_NE(empty.err.find("nothing to draw: no history"), std::string::npos) << empty.err;
  EXPECT_EQ(empty.out, "No measurements were recorded in that time.\n");
  agent.simulation.set_samples(3);
  const auto unmeasured = ran(words);
  EXPECT_EQ(unmeasured.exit_code, 1);
  EXPECT_NE(unmeasured.err.find("no signal that has a threshold was measured"), std::string::npos)
      << unmeasured.err;
  auto& series = *agent.simulation.add_series();
  series.set_signal("memory.available");
  series.set_unit("bytes");
  series.add_time_ms(0);
  series.add_values(1);
  const auto unwritten = ran(words);
  EXPECT_EQ(unwritten.exit_code, 1);
  EXPECT_NE(unwritten.err.find("writing /dev/null/picture.svg: Not a directory"), std::string::npos)
      << unwritten.err;
  EXPECT_NE(unwritten.out.find("Nothing would have happened."), std::string::npos) << unwritten.out;
}

}  // namespace
}  // namespace berth::ctl
