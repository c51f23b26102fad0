// SPDX-License-Identifier: Apache-2.0

// berthctl evictions, from its command line to its output and exit code.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fake_agent.hpp"
#include "ran.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::ctl {
namespace {

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

TEST(EvictionsRun, a_simulation_gets_the_drop_ins_of_its_file_and_names_them) {
  const agent::TemporaryFolder folder;
  folder.write("new.yaml", "kind: A\n");
  std::filesystem::create_directory(folder.path("new.yaml.d"));
  folder.write("new.yaml.d/20.yaml", "kind: C\n");
  folder.write("new.yaml.d/10.yaml", "kind: B\n");
  folder.write("new.yaml.d/30.yml", "kind: D\n");
  FakeAgent agent;
  const std::string file = folder.path("new.yaml");
  const auto shown = ran({"--socket", agent.socket(), "evictions", "simulate", "--config", file});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  ASSERT_TRUE(agent.simulate_request);
  EXPECT_EQ(agent.simulate_request->file(), file);
  EXPECT_EQ(agent.simulate_request->configuration(), "kind: A\n");
  ASSERT_EQ(agent.simulate_request->drop_ins_size(), 2);
  EXPECT_EQ(agent.simulate_request->drop_ins(0).text(), "kind: B\n");
  EXPECT_EQ(agent.simulate_request->drop_ins(1).file(), file + ".d/20.yaml");
  for (const char* said : {"10.yaml", "20.yaml", "30.yml is not read"})
    EXPECT_NE(shown.err.find(said), std::string::npos) << shown.err;
}

TEST(EvictionsRun, a_drop_in_that_cannot_be_read_stops_the_simulation) {
  const agent::TemporaryFolder folder;
  folder.write("new.yaml", "");
  std::filesystem::create_directories(folder.path("new.yaml.d/10.yaml"));
  FakeAgent agent;
  const auto refused = ran(
      {"--socket", agent.socket(), "evictions", "simulate", "--config", folder.path("new.yaml")});
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_NE(refused.err.find("new.yaml.d/10.yaml"), std::string::npos) << refused.err;
  EXPECT_FALSE(agent.simulate_request);
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
