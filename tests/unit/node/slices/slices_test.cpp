// SPDX-License-Identifier: Apache-2.0

// A pod's limits as properties of its slice.
#include "node/slices/slices.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "node/cgroups/cgroup_name.hpp"

namespace berth::node {
namespace {

using Properties = std::vector<SliceProperty>;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

TEST(SliceProperties, of_version_2_are_weights_and_maxima) {
  EXPECT_EQ(slice_properties({.cpu_shares = 1024,
                              .cpu_quota = 50'000,
                              .cpu_period = 100'000,
                              .memory_limit = 1 << 20,
                              .pids_limit = 100,
                              .hugepage_limits = {{2 << 20, 4 << 20}}},
                             2),
            (Properties{{"CPUWeight", 39},
                        {"CPUQuotaPeriodUSec", 100'000},
                        {"CPUQuotaPerSecUSec", 500'000},
                        {"MemoryMax", 1 << 20},
                        {"TasksMax", 100}}));
}

TEST(SliceProperties, of_version_1_have_their_older_names) {
  EXPECT_EQ(slice_properties({.cpu_shares = 1024, .memory_limit = 1 << 20}, 1),
            (Properties{{"CPUShares", 1024}, {"MemoryLimit", 1 << 20}}));
}

TEST(SliceProperties, a_quota_is_rounded_up_to_what_systemd_can_keep) {
  const auto per_second = [](std::int64_t quota, std::int64_t period) {
    return slice_properties({.cpu_quota = quota, .cpu_period = period}, 2).back().value;
  };
  EXPECT_EQ(per_second(12'345, 100'000), 130'000U) << "123450 µs, in steps of 10000";
  EXPECT_EQ(per_second(1'000, 100'000), 10'000U);
  EXPECT_EQ(per_second(250'000, 100'000), 2'500'000U);
  EXPECT_EQ(per_second(-1, 100'000), kNoLimit);
}

TEST(SliceProperties, what_is_not_set_is_not_named) {
  EXPECT_TRUE(slice_properties({}, 2).empty());
  EXPECT_EQ(slice_properties({.pids_limit = -1}, 2), (Properties{{"TasksMax", kNoLimit}}));
}

TEST(SliceNames, each_level_repeats_those_above_it) {
  EXPECT_EQ(slice_names({"kubepods", "burstable", "podab-cd"}),
            (CgroupName{"kubepods.slice", "kubepods-burstable.slice",
                        "kubepods-burstable-podab_cd.slice"}));
  EXPECT_TRUE(slice_names({}).empty());
}

TEST(SliceNames, a_component_is_found_again_below_its_parent_only) {
  const CgroupName above{"kubepods", "burstable"};
  EXPECT_EQ(slice_component_below(above, "kubepods-burstable-podab_cd.slice"), "podab-cd");
  EXPECT_EQ(slice_component_below({}, "kubepods.slice"), "kubepods");
  for (const char* other :
       {"kubepods-podab.slice", "kubepods-burstable.slice", "kubepods-burstable-podab.scope",
        "kubepods-burstable-a-b.slice", "kubepods-burstable-.slice", ""})
    EXPECT_EQ(slice_component_below(above, other), std::nullopt) << other;
}

}  // namespace
}  // namespace berth::node
