// SPDX-License-Identifier: Apache-2.0

// The status as last computed, and as shown.
#include "lifecycle/worker/shown_status.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

api::PodStatus with_phase(const char* phase) {
  api::PodStatus status;
  status.phase = phase;
  return status;
}

class ShownStatusTest : public ::testing::Test {
 protected:
  ShownSpec spec{.pod = std::make_shared<const api::Pod>()};
  ShownStatus status{with_phase("Pending")};
};

TEST_F(ShownStatusTest, what_this_berthd_shows_first_is_news) {
  EXPECT_FALSE(status.shown_once());
  EXPECT_TRUE(status.differs(with_phase("Pending"), spec));
  status.show(with_phase("Pending"), spec);
  EXPECT_TRUE(status.shown_once());
  EXPECT_FALSE(status.differs(with_phase("Pending"), spec));
  EXPECT_TRUE(status.differs(with_phase("Running"), spec));
}

TEST_F(ShownStatusTest, the_same_status_of_an_edited_pod_or_of_one_that_ends_is_news) {
  status.show(with_phase("Running"), spec);
  EXPECT_TRUE(status.differs(with_phase("Running"), {.pod = std::make_shared<const api::Pod>()}));
  ShownSpec ending = spec;
  ending.end = EndInForce{};
  EXPECT_TRUE(status.differs(with_phase("Running"), ending));
}

TEST_F(ShownStatusTest, a_phase_that_is_held_back_is_computed_and_not_shown) {
  status.show(with_phase("Running"), spec);
  status.compute(with_phase("Succeeded"));
  EXPECT_EQ(status.computed().phase, "Succeeded");
  EXPECT_EQ(status.shown().phase, "Running");
}

TEST_F(ShownStatusTest, what_an_earlier_berthd_showed_is_gone_on_from) {
  status.recall_shown(with_phase("Running"));
  EXPECT_EQ(status.shown().phase, "Running");
  EXPECT_EQ(status.computed().phase, "Pending");
  EXPECT_FALSE(status.shown_once());
}

}  // namespace
}  // namespace berth::lifecycle
