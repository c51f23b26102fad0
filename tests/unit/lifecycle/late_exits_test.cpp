// SPDX-License-Identifier: Apache-2.0

// The runtime reports an exit in an event before it shows it in a status, and sends the event only
// once.
#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

class LateExits : public PodSetTest {
 protected:
  void show_exits_after(Nanoseconds time) { begin_on({.latencies = {.exit_shown = {time, time}}}); }
};

TEST_F(LateExits, an_exit_that_was_shown_is_not_taken_back_by_a_restart) {
  show_exits_after(500ms);
  desire({pod("u1", {container("main", {"sim"}), container("other", {"sim", "term=ignore"})})});
  clock.advance(1s);
  desire({});
  clock.advance(100ms);  // the exit is stored, and the runtime does not show it yet
  const auto main_has_ended = [this] {
    return status().containerStatuses.at(0).state.terminated.has_value();
  };
  ASSERT_TRUE(main_has_ended());
  end_agent();
  shown.last = nullptr;
  begin_agent();
  desire({});
  for (int i = 0; i < 100; ++i) {
    clock.advance(10ms);
    ASSERT_TRUE(!shown.last || main_has_ended()) << i;
  }
  ASSERT_TRUE(shown.last);
}

// A start that an earlier berthd called shows up only after the exit was reported. It is not tried
// again meanwhile: it has been charged to the backoff.
TEST_F(LateExits, an_exit_that_is_reported_before_its_start_shows_is_asked_for_until_it_does) {
  show_exits_after(500ms);
  const auto desired = pod("u1", {container("main", {"sim", "exit=0", "after=500"})});
  desire({desired});
  const auto& instances = rebooted->instances();
  while (instances.size() < 3 || !instances[2].start_called) clock.advance(1ms);
  end_agent();
  begin_agent();
  desire({desired});
  while (!instances[2].exited) clock.advance(1ms);
  clock.advance(1s);
  const api::ContainerStatus& reported = status().containerStatuses.at(0);
  EXPECT_TRUE(reported.state.waiting);
  ASSERT_TRUE(reported.lastState.terminated);
  EXPECT_TRUE(reported.lastState.terminated->containerID.ends_with(instances[2].id.str()));
}

// An earlier berthd received the exit's event and created the successor; the next one has lost the
// store, and finds both.
TEST_F(LateExits, a_created_successor_is_started_once_the_runtime_shows_the_exit_before_it) {
  show_exits_after(500ms);
  const auto desired = pod("u1", {container("main", {"sim", "exit=0", "after=500"})});
  desire({desired});
  const auto& instances = rebooted->instances();
  while (instances.size() < 2) clock.advance(50us);
  ASSERT_TRUE(instances[0].exited);
  ASSERT_FALSE(instances[1].start_called);
  end_agent();
  store.lose(false);
  begin_agent();
  desire({desired});
  while (!instances[1].start_called) clock.advance(1ms);
  EXPECT_GE(clock.steady_now() - *instances[0].exited, 500ms);
}

}  // namespace
}  // namespace berth::lifecycle
