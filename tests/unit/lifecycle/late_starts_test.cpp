// SPDX-License-Identifier: Apache-2.0

// A start that an earlier berthd requested takes effect after that berthd, and all that it stored,
// is gone.
#include <algorithm>
#include <deque>
#include <memory>

#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

class LateStarts : public PodSetTest {
 protected:
  // The pod's only container is being started, and no berthd knows about it.
  void begin_in_vain(Nanoseconds start_takes) {
    begin_on({.latencies = {.start = {start_takes, start_takes}}});
    desire({desired});
    while (instances().empty() || !instances()[0].start_called) clock.advance(1ms);
    end_agent();
    store.lose(false);
    begin_agent();
  }
  [[nodiscard]] const std::deque<simulation::Instance>& instances() const {
    return rebooted->instances();
  }
  void watch_for(Nanoseconds time) {
    for (Nanoseconds passed{}; passed < time; passed += 1ms) {
      clock.advance(1ms);
      const auto lives = [](const simulation::Instance& one) { return one.live(); };
      ASSERT_LE(std::ranges::count_if(instances(), lives), 1) << "two run side by side";
    }
  }

  std::shared_ptr<api::Pod> desired = pod("u1", {container("main", {"sim"})});
};

TEST_F(LateStarts, its_successor_waits_until_it_shows_and_has_been_stopped) {
  begin_in_vain(2s);
  desired = std::make_shared<api::Pod>(*desired);
  desired->spec.containers[0].image = "present/app2:1";
  desire({desired});
  watch_for(10s);
  ASSERT_EQ(instances().size(), 2U);
  EXPECT_TRUE(instances()[0].exited);
  EXPECT_TRUE(instances()[0].first_term) << "it is stopped as any other";
  EXPECT_TRUE(instances()[1].live());
}

TEST_F(LateStarts, the_same_container_is_taken_for_what_was_asked_for) {
  begin_in_vain(2s);
  desire({desired});
  watch_for(10s);
  ASSERT_EQ(instances().size(), 1U);
  EXPECT_TRUE(instances()[0].live());
}

}  // namespace
}  // namespace berth::lifecycle
