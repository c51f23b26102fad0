// SPDX-License-Identifier: Apache-2.0

// Readings parsed from the kernel's files: a missing value stays missing.
#include <gtest/gtest.h>

#include <limits>

#include "eviction/cgroup_memory.hpp"
#include "eviction/number_text.hpp"
#include "eviction/proc_files.hpp"
#include "eviction/statfs_reading.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::eviction {
namespace {

constexpr std::int64_t kKi = 1024;

const char* const kStatV2 =
    "anon 3000\nfile 2000\nkernel 900\nfile_dirty 100\nfile_writeback 50\n"
    "inactive_anon 10\nactive_file 600\ninactive_file 700\n";

TEST(CgroupMemory, of_version_2_is_current_less_inactive_file) {
  const auto memory = parse_cgroup_memory({.usage = "5000\n", .stat = kStatV2, .limit = "8000\n"},
                                          CgroupVersion::kV2, CgroupPlace::kBelow);
  EXPECT_EQ(memory, (CgroupMemory{.usage = 5000,
                                  .limit = 8000,
                                  .inactive_file = 700,
                                  .active_file = 600,
                                  .file_dirty = 100,
                                  .file_writeback = 50}));
  const auto reading = memory_reading(memory, memory.limit, wall(3));
  EXPECT_EQ(reading.working_set, 4300);
  EXPECT_EQ(reading.available, 3700);
  EXPECT_EQ(reading.limit, 8000);
  EXPECT_EQ(reading.time, wall(3));
}

TEST(CgroupMemory, of_the_root_of_version_2_is_anon_and_file) {
  const auto memory =
      parse_cgroup_memory({.stat = kStatV2}, CgroupVersion::kV2, CgroupPlace::kRoot);
  EXPECT_EQ(memory.usage, 5000);
  EXPECT_EQ(parse_cgroup_memory({.usage = "1", .stat = "anon 5\n"}, CgroupVersion::kV2,
                                CgroupPlace::kRoot)
                .usage,
            std::nullopt);
}

TEST(CgroupMemory, of_version_1_counts_what_is_below_too) {
  const auto memory = parse_cgroup_memory(
      {.usage = "5000",
       .stat = "inactive_file 1\ntotal_inactive_file 700\ntotal_active_file 600\n",
       .limit = "9223372036854771712\n"},
      CgroupVersion::kV1, CgroupPlace::kRoot);
  EXPECT_EQ(memory.inactive_file, 700);
  EXPECT_EQ(memory.active_file, 600);
  EXPECT_EQ(memory.limit, std::nullopt) << "the kernel's word for no limit";
}

TEST(CgroupMemory, without_a_part_there_is_no_sum_and_below_zero_there_is_nothing) {
  struct Case {
    CgroupMemory memory{};
    std::optional<std::int64_t> limit{};
    std::optional<std::int64_t> working_set{};
    std::optional<std::int64_t> available{};
  };
  const Case cases[] = {
      {{.usage = 10}, 100, std::nullopt, std::nullopt},
      {{.inactive_file = 10}, 100, std::nullopt, std::nullopt},
      {{.usage = 10, .inactive_file = 4}, std::nullopt, 6, std::nullopt},
      {{.usage = 10, .inactive_file = 4},
       std::numeric_limits<std::int64_t>::max(),
       6,
       std::nullopt},
      {{.usage = 4, .inactive_file = 10}, 100, 0, 100},
      {{.usage = 200, .inactive_file = 10}, 100, 190, 0},
  };
  for (const Case& one : cases) {
    const auto reading = memory_reading(one.memory, one.limit, std::nullopt);
    EXPECT_EQ(reading.working_set, one.working_set);
    EXPECT_EQ(reading.available, one.available);
  }
}

TEST(CgroupMemory, max_is_no_limit_and_garbage_is_nothing) {
  for (const char* text : {"max\n", "", "x", "-1", "12 kB", "99999999999999999999"}) {
    const auto memory = parse_cgroup_memory({.usage = text, .limit = text}, CgroupVersion::kV2,
                                            CgroupPlace::kBelow);
    EXPECT_EQ(memory, CgroupMemory{}) << text;
  }
}

TEST(MemoryWithCache, counts_half_of_the_clean_active_cache) {
  const auto memory = parse_cgroup_memory({.usage = "5000", .stat = kStatV2, .limit = "8000"},
                                          CgroupVersion::kV2, CgroupPlace::kBelow);
  const auto reading = memory_with_cache(memory, memory.limit, wall(1));
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->available, 3700 + (600 - 100 - 50) / 2);
  EXPECT_EQ(reading->capacity, 8000);
  CgroupMemory unknown = memory;
  unknown.file_dirty.reset();
  EXPECT_FALSE(memory_with_cache(unknown, unknown.limit, wall(1)));
  EXPECT_FALSE(memory_with_cache(memory, std::nullopt, wall(1)));
}

TEST(MemInfo, is_in_bytes) {
  const auto info = parse_meminfo(
      "MemTotal:        4000 kB\nMemFree:         100 kB\nMemAvailable:    1000 kB\n"
      "SwapTotal:       2000 kB\nSwapFree:        1500 kB\nHugePages_Total:       7\n");
  EXPECT_EQ(info, (MemInfo{.total = 4000 * kKi,
                           .available = 1000 * kKi,
                           .swap_total = 2000 * kKi,
                           .swap_free = 1500 * kKi}));
  EXPECT_EQ(node_memory_with_cache(info, wall(1)),
            (AmountReading{.available = 1000 * kKi, .capacity = 4000 * kKi, .time = wall(1)}));
  EXPECT_EQ(swap_reading(info, wall(1)),
            (AmountReading{.available = 1500 * kKi, .capacity = 2000 * kKi, .time = wall(1)}));
}

TEST(MemInfo, shows_what_is_in_use_as_the_root_cgroup_does) {
  const std::string text =
      "MemTotal: 4000 kB\nBuffers: 30 kB\nCached: 500 kB\nSwapCached: 7 kB\nActive: 900 kB\n"
      "Inactive: 600 kB\nInactive(anon): 100 kB\nInactive(file): 400 kB\nAnonPages: 1000 kB\n";
  EXPECT_EQ(memory_in_use(parse_meminfo(text)), (1000 + 500 + 30 + 7 - 400) * kKi);
  for (const char* line : {"Buffers:", "Cached:", "SwapCached:", "Inactive(file):", "AnonPages:"}) {
    std::string without = text;
    without.replace(without.find(line), 1, "X");
    EXPECT_EQ(memory_in_use(parse_meminfo(without)), std::nullopt) << line;
  }
}

TEST(MemInfo, that_lacks_a_line_or_has_no_swap_gives_no_reading) {
  EXPECT_EQ(parse_meminfo("MemTotal: 5 MB\nMemAvailable: x kB\n"), MemInfo{});
  EXPECT_FALSE(node_memory_with_cache({.total = 5}, wall(1)));
  EXPECT_FALSE(swap_reading({.swap_total = 0, .swap_free = 0}, wall(1)));
}

TEST(PressureFile, is_read_in_parts_per_million) {
  const auto stall = parse_pressure(
      "some avg10=1.23 avg60=0.50 avg300=0.00 total=7\n"
      "full avg10=100.00 avg60=0.01 avg300=0.07 total=5\n",
      wall(2));
  EXPECT_EQ(stall, (StallReading{.some_avg10 = 12'300,
                                 .some_avg60 = 5'000,
                                 .full_avg10 = 1'000'000,
                                 .full_avg60 = 100,
                                 .full_avg300 = 700,
                                 .time = wall(2)}));
}

TEST(PressureFile, of_another_form_gives_nothing) {
  for (const char* text : {"", "some avg10=1.00 avg60=1.00 avg300=0.00 total=7\n",
                           "some avg10=1.00 avg60=1.00 avg300=1.00\nfull avg10=1.00 avg60=1.00\n",
                           "some avg10=1 avg60=1\nfull avg10=1 avg60=1\n",
                           "some avg10=1.00 avg60=1.00\nfull avg10=nan avg60=0.00\n",
                           "some avg10=100.01 avg60=1.00\nfull avg10=1.00 avg60=0.00\n"}) {
    EXPECT_FALSE(parse_pressure(text, std::nullopt)) << text;
  }
}

TEST(Tasks, are_the_number_after_the_slash) {
  EXPECT_EQ(parse_loadavg_tasks("0.20 0.18 0.12 1/812 13455\n"), 812);
  EXPECT_EQ(parse_loadavg_tasks("0.20 0.18"), std::nullopt);
  EXPECT_EQ(parse_loadavg_tasks("0.20 0.18 0.12 812 13455"), std::nullopt);
}

TEST(Tasks, may_be_as_many_as_the_smaller_limit) {
  EXPECT_EQ(pid_reading(900, 32768, 4194304, wall(1)),
            (PidReading{.running = 900, .max = 32768, .time = wall(1)}));
  EXPECT_EQ(pid_reading(900, 4194304, 1000, wall(1)).max, 1000);
  EXPECT_EQ(pid_reading(900, 32768, std::nullopt, wall(1)).max, 32768);
  EXPECT_EQ(pid_reading(900, std::nullopt, 4194304, wall(1)).max, 4194304);
  EXPECT_EQ(pid_reading(900, std::nullopt, std::nullopt, wall(1)).max, std::nullopt);
}

TEST(StatFs, counts_what_unprivileged_users_can_have) {
  EXPECT_EQ(file_system_reading(
                {.f_frsize = 4096, .f_blocks = 1000, .f_bavail = 100, .f_files = 50, .f_ffree = 20},
                wall(1)),
            (FileSystemReading{.available = 409'600,
                               .capacity = 4'096'000,
                               .inodes_free = 20,
                               .inodes = 50,
                               .time = wall(1)}));
}

TEST(StatFs, of_a_file_system_without_fixed_inodes_has_none_and_a_huge_one_is_capped) {
  const auto reading = file_system_reading(
      {.f_frsize = 4096, .f_blocks = std::uint64_t{1} << 60, .f_bavail = 1}, std::nullopt);
  EXPECT_EQ(reading.inodes, std::nullopt);
  EXPECT_EQ(reading.inodes_free, std::nullopt);
  EXPECT_EQ(reading.capacity, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(file_system_reading({}, std::nullopt), FileSystemReading{});
}

TEST(Numbers, that_64_bits_cannot_hold_are_the_nearest_that_they_can) {
  using Limits = std::numeric_limits<std::int64_t>;
  EXPECT_EQ(capped_sum(1, Limits::max()), Limits::max());
  EXPECT_EQ(capped_sum(Limits::min(), -1), Limits::min());
  EXPECT_EQ(capped_product(Limits::max(), 2), Limits::max());
  EXPECT_EQ(capped_product(Limits::max(), -2), Limits::min());
}

TEST(Numbers, are_digits_and_nothing_else) {
  EXPECT_EQ(parse_number(" 12\n"), 12);
  for (const char* text : {"", " ", "+1", "-1", "1x", "0x1", "9223372036854775808"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace berth::eviction
