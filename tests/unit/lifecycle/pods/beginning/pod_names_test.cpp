// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/beginning/pod_names.hpp"

#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "lifecycle/pods/begin_order.hpp"
#include "tests/unit/lifecycle/pods/named_pod.hpp"

namespace berth::lifecycle {
namespace {

// Which pod has the name already, and whether a later pod of that name may begin, or at least be
// shown.
struct NameCase {
  const char* what;
  RecordState state;
  bool unknown;
  bool hidden;
  bool taken;
  bool taken_if_it_goes_on;
  bool shown;
  bool shown_if_known;
};

TEST(PodNames, one_pod_at_a_time_has_a_name) {
  const NameCase cases[] = {
      {"a working pod", RecordState::kWorking, false, false, true, true, true, true},
      {"one that waits, and came first", RecordState::kWaiting, false, false, true, true, true,
       true},
      {"one deleted by force", RecordState::kWorking, false, true, true, true, false, false},
      {"one that the runtime alone knows", RecordState::kWorking, true, false, true, false, false,
       true},
  };
  for (const NameCase& c : cases) {
    PodRecords fresh;
    auto first = fresh.make(pod("first"));
    first->state = c.state;
    first->unknown = c.unknown;
    first->hidden = c.hidden;
    fresh.add(std::move(first));
    const PodRecord& second = fresh.add(fresh.make(pod("second")));
    fresh.add(fresh.make(pod("third")));
    fresh.add(fresh.make(pod("elsewhere", "db")));
    const PodNames names(fresh);
    EXPECT_EQ(names.is_taken(second, false), c.taken) << c.what;
    EXPECT_EQ(names.is_taken(second, true), c.taken_if_it_goes_on) << c.what;
    EXPECT_EQ(names.is_shown(second, false), c.shown) << c.what;
    EXPECT_EQ(names.is_shown(second, true), c.shown_if_known) << c.what;
    EXPECT_FALSE(names.is_taken(fresh.at("elsewhere"), false)) << c.what;
  }
}

TEST(PodNames, of_those_that_wait_for_a_name_the_first_to_come_has_it) {
  PodRecords records;
  const PodRecord& first = records.add(records.make(pod("z")));
  const PodRecord& second = records.add(records.make(pod("a")));
  const PodNames names(records);
  EXPECT_FALSE(names.is_taken(first, false));
  EXPECT_TRUE(names.is_taken(second, false));
}

TEST(BeginOrder, higher_priority_comes_first_and_then_the_name) {
  auto low = pod("1", "a");
  auto high = pod("2", "z");
  high->spec.priority = 1000;
  auto negative = pod("3", "0");
  negative->spec.priority = -1;
  EXPECT_TRUE(begins_before(high, low));
  EXPECT_FALSE(begins_before(low, high));
  EXPECT_TRUE(begins_before(low, negative));
  EXPECT_TRUE(begins_before(low, pod("0", "b")));
  EXPECT_TRUE(begins_before(pod("0", "a"), low));
}

}  // namespace
}  // namespace berth::lifecycle
