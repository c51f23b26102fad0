// SPDX-License-Identifier: Apache-2.0

#include "api/text/readable_quantity.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace berth::api {
namespace {

constexpr std::int64_t kMi = std::int64_t{1} << 20;
constexpr std::int64_t kGi = std::int64_t{1} << 30;

TEST(ReadableQuantity, bytes_have_the_unit_and_the_digits_that_people_read) {
  struct Case {
    std::int64_t bytes;
    const char* text;
  };
  for (const Case& one : {Case{0, "0"},
                          {1, "1"},
                          {1000, "1000"},
                          {1023, "1023"},
                          {1024, "1Ki"},
                          {1536, "1.5Ki"},
                          {104'399'872, "99.6Mi"},
                          {524'288'000, "500Mi"},
                          {1'610'612'736, "1.5Gi"},
                          {kGi - 1, "1Gi"},
                          {1023 * kMi, "1023Mi"},
                          {12 * kGi + 1, "12Gi"},
                          {8'140'564 * std::int64_t{1024}, "7.76Gi"},
                          {1000 * kGi, "1000Gi"},
                          {kGi * 1024, "1Ti"},
                          {-3 * kMi, "-3Mi"},
                          {-(kGi + kGi / 2), "-1.5Gi"},
                          {std::numeric_limits<std::int64_t>::max(), "8Ei"},
                          {std::numeric_limits<std::int64_t>::min(), "-8Ei"}})
    EXPECT_EQ(readable_bytes(one.bytes), one.text) << one.bytes;
}

TEST(ReadableQuantity, what_is_left_is_rounded_down_and_what_is_used_up) {
  struct Case {
    std::int64_t bytes;
    const char* down;
    const char* up;
  };
  for (const Case& one : {Case{100 * kMi, "100Mi", "100Mi"},
                          {100 * kMi - 1, "99.9Mi", "100Mi"},
                          {100 * kMi + 1, "100Mi", "101Mi"},
                          {kGi - 1, "1023Mi", "1Gi"},
                          {kGi + 1, "1Gi", "1.01Gi"},
                          {-kGi - 1, "-1.01Gi", "-1Gi"}}) {
    EXPECT_EQ(readable_bytes(one.bytes, Rounding::kDown), one.down) << one.bytes;
    EXPECT_EQ(readable_bytes(one.bytes, Rounding::kUp), one.up) << one.bytes;
  }
}

TEST(ReadableQuantity, a_share_of_time_is_a_percentage) {
  struct Case {
    double parts;
    const char* text;
  };
  for (const Case& one : {Case{0, "0%"},
                          {200'000, "20%"},
                          {40'500, "4.05%"},
                          {1'000'000, "100%"},
                          {100, "0.01%"},
                          {-25'000, "-2.5%"},
                          {-1, "0%"}})
    EXPECT_EQ(readable_share(one.parts), one.text) << one.parts;
}

}  // namespace
}  // namespace berth::api
