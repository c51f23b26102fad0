// SPDX-License-Identifier: Apache-2.0

// A pod's log contains each exit of a container once, as soon as it is known.
#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

using Lines = std::vector<std::string>;

class ReportedExits : public PodSetTest {
 protected:
  // The log lines about exits.
  [[nodiscard]] Lines ends() const {
    Lines found;
    for (const std::string& line : agent->logged())
      if (line.find(" ContainerExited: ") != line.npos || line.find(" OOMKilled: ") != line.npos)
        found.push_back(line);
    return found;
  }
  [[nodiscard]] std::size_t place_of(std::string_view part) const {
    const auto found = std::ranges::find_if(
        agent->logged(), [part](const std::string& line) { return line.find(part) != line.npos; });
    return static_cast<std::size_t>(found - agent->logged().begin());
  }
};

TEST_F(ReportedExits, a_job_that_fails_is_logged_with_its_code_before_its_pod_fails) {
  desire({pod("u1", {container("main", {"sim", "exit=3", "after=500"})}, "Never")});
  clock.advance(10s);
  EXPECT_EQ(ends(),
            Lines{"warn ContainerExited: container main ended with exit code 3, after 500 ms"});
  EXPECT_LT(place_of("Started container main"), place_of("ContainerExited: "));
  EXPECT_LT(place_of("ContainerExited: "), place_of("Running -> Failed"));
  EXPECT_LT(place_of("Running -> Failed"), agent->logged().size());
}

TEST_F(ReportedExits, one_that_ends_at_once_is_logged_after_its_start) {
  desire({pod("u1", {container("main", {"sim", "exit=3", "after=0"})}, "Never")});
  clock.advance(10s);
  ASSERT_EQ(ends().size(), 1U);
  EXPECT_LT(place_of("Started container main"), place_of("ContainerExited: "));
}

TEST_F(ReportedExits, each_run_of_one_that_starts_again_is_logged) {
  desire({pod("u1", {container("main", {"sim", "exit=0", "after=500"})})});
  while (runtime.instances().size() < 3 || !runtime.instances()[2].exited) clock.advance(10ms);
  clock.advance(1s);
  EXPECT_EQ(ends(),
            Lines(3, "info ContainerExited: container main ended with exit code 0, after 500 ms"));
}

TEST_F(ReportedExits, one_that_is_stopped_was_being_stopped) {
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(2s);
  desire({});
  clock.advance(10s);
  ASSERT_EQ(ends().size(), 1U);
  EXPECT_TRUE(
      ends()[0].starts_with("info ContainerExited: container main was being stopped, and ended "
                            "with exit code 143 (signal TERM)"))
      << ends()[0];
}

// A sidecar is signalled after the containers that it serves.
TEST_F(ReportedExits, one_that_ends_while_it_waits_for_its_turn_was_not_being_stopped) {
  auto desired = pod("u1", {container("main", {"sim", "term=ignore"})});
  auto sidecar = container("proxy", {"sim", "exit=3", "after=5000"});
  sidecar.restartPolicy = "Always";
  desired->spec.initContainers = {sidecar};
  desire({desired});
  clock.advance(2s);
  desire({});
  clock.advance(8s);
  ASSERT_EQ(ends().size(), 1U);
  EXPECT_EQ(ends()[0],
            "info ContainerExited: sidecar proxy was about to be stopped, and ended with exit "
            "code 3, after 5 s");
}

TEST_F(ReportedExits, want_of_memory_is_logged_by_kubernetes_word) {
  desire({pod("u1", {container("main", {"sim", "oom", "after=500"})}, "Never")});
  clock.advance(10s);
  EXPECT_EQ(ends(), Lines{"warn OOMKilled: container main ran out of memory, and ended with exit "
                          "code 137 (signal KILL), after 500 ms"});
}

TEST_F(ReportedExits, what_ended_while_no_berthd_was_there_is_logged_by_the_next_and_never_again) {
  const auto desired = pod("u1", {container("main", {"sim", "exit=3", "after=5000"})}, "Never");
  desire({desired});
  clock.advance(2s);
  end_agent();
  clock.advance(10s);
  begin_agent();
  desire({desired});
  clock.advance(2s);
  EXPECT_EQ(ends().size(), 1U);
  end_agent();
  begin_agent();
  desire({desired});
  clock.advance(2s);
  EXPECT_EQ(ends(), Lines{});
}

}  // namespace
}  // namespace berth::lifecycle
