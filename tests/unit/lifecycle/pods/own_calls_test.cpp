// SPDX-License-Identifier: Apache-2.0

// What a relist sees of a call that berthd itself has under way.
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

class OwnCalls : public PodSetTest {
 protected:
  // An answer may take longer than the listing that is requested after it was sent.
  void begin_with_slow_answers(std::uint64_t seed) {
    begin_on({.random = simulation::Random{seed}, .latencies = {.transport = {1ms, 20s}}});
  }
};

TEST_F(OwnCalls, a_pod_that_begins_and_ends_differs_in_nothing_from_the_listings_meanwhile) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::string uid = "u" + std::to_string(seed);
    begin_with_slow_answers(seed);
    desire({pod(uid.c_str(), {container("main", {"sim"})})});
    clock.advance(10min);
    ASSERT_EQ(shown.last->metadata.uid, uid);
    EXPECT_EQ(status().phase, "Running");
    desire({});
    clock.advance(10min);
    ASSERT_EQ(shown.gone.size(), seed);
    EXPECT_EQ(agent->pods().missed_events(), 0U) << "seed " << seed;
    for (const std::string& line : agent->logged())
      EXPECT_FALSE(line.starts_with("info Relist")) << line << ", seed " << seed;
  }
}

}  // namespace
}  // namespace berth::lifecycle
