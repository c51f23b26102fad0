// SPDX-License-Identifier: Apache-2.0

#include "api/quantity.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>

namespace berth::api {
namespace {

using Format = Quantity::Format;

Quantity q(std::string_view text) {
  return Quantity::parse(text).value();
}

struct Printed {
  std::string_view text;
  std::string_view canonical;
};

TEST(Quantity, prints_as_kubernetes_does) {
  const Printed cases[] = {
      {"0", "0"},
      {"100m", "100m"},
      {"1000m", "1"},
      {"1500m", "1500m"},
      {"1.5", "1500m"},
      {"0.5", "500m"},
      {"1000", "1k"},
      {"1024", "1024"},
      {"32Mi", "32Mi"},
      {"1024Mi", "1Gi"},
      {"1536Mi", "1536Mi"},
      {"1.5Gi", "1536Mi"},
      {"0.5Ki", "512"},
      {"1000e3", "1e6"},
      {"12e3", "12e3"},
      {"100e-3", "100e-3"},
      {"+102T", "+102T"},
      {"000345T", "000345T"},
      {"+64Gi", "64Gi"},
      {"-5", "-5"},
      {"1000E", "1"},
      {"16Ei", "9223372036854775807"},
      {"0.1n", "1n"},
      {"3.0000000001", "3000000001n"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"1e99999999999", "10e1215752190"},
  };
  for (const Printed& c : cases) EXPECT_EQ(q(c.text).to_string(), c.canonical) << c.text;
}

TEST(Quantity, refuses_what_is_no_quantity) {
  for (const std::string_view text : {"", " 1", "1 Gi", "1_000", "0x10", "1.2.3", "abc", "1Gib"}) {
    const Result<Quantity> parsed = Quantity::parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalid);
    EXPECT_TRUE(parsed.error().message.starts_with("quantities must match")) << text;
  }
  for (const std::string_view text : {"1i", "1Mm", "1e", "1ee3", "5e+"}) {
    EXPECT_EQ(Quantity::parse(text).error().message, "unable to parse quantity's suffix") << text;
  }
  EXPECT_EQ(Quantity::parse("+.Ei").error().message, "unable to parse numeric part of quantity");
}

struct Whole {
  std::string_view text;
  std::int64_t value;
  std::int64_t milli;
};

TEST(Quantity, rounds_up_to_whole_numbers_and_saturates) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const Whole cases[] = {
      {"100m", 1, 100},
      {"1001m", 2, 1001},
      {"1u", 1, 1},
      {"2", 2, 2000},
      {"1Ki", 1024, 1024000},
      {"1.1Ki", 1127, 1126400},
      {"9E", 9'000'000'000'000'000'000, kMost},
      {"10E", kMost, kMost},
      {"1e1000000000", kMost, kMost},
      {"-1500m", -2, -1500},
      {"-10E", std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::min()},
  };
  for (const Whole& c : cases) {
    EXPECT_EQ(q(c.text).value(), c.value) << c.text;
    EXPECT_EQ(q(c.text).milli_value(), c.milli) << c.text;
  }
}

TEST(Quantity, compares_by_value_and_not_by_notation) {
  EXPECT_EQ(q("1"), q("1000m"));
  EXPECT_EQ(q("1Ki"), q("1.024k"));
  EXPECT_EQ(q("0"), q("0Mi"));
  EXPECT_LT(q("999m"), q("1"));
  EXPECT_LT(q("-1"), q("0.0001"));
  EXPECT_LT(q("-1e1000000"), q("-1"));
  EXPECT_GT(q("1e1000000000"), q("123456789012345678901234567890"));
  EXPECT_GT(q("8Ei"), q("7.999Ei"));
}

TEST(Quantity, adds_exactly_and_keeps_the_left_notation) {
  EXPECT_EQ((q("1Gi") + q("512Mi")).to_string(), "1536Mi");
  EXPECT_EQ((q("1Gi") + q("1")).to_string(), "1073741825");
  EXPECT_EQ((q("100m") + q("1")).to_string(), "1100m");
  EXPECT_EQ((q("1Gi") - q("1Gi")).to_string(), "0");
  EXPECT_EQ((Quantity{} + q("5Ki")).format(), Format::kBinarySI);
  EXPECT_EQ((q("9223372036854775807") + q("1")).to_string(), "9223372036854775808");
  EXPECT_EQ((q("0.000000001") + q("9E")).to_string(), "9000000000000000000000000001n");
}

TEST(Quantity, absurd_exponents_cost_nothing) {
  const Quantity huge = q("1e1000000000");
  EXPECT_EQ(huge + q("1"), huge);
  EXPECT_EQ((huge - huge).sign(), 0);
}

TEST(Quantity, rounds_up_to_thousandths) {
  EXPECT_EQ(q("1u").round_up_to_milli().to_string(), "1m");
  EXPECT_EQ(q("1.0001").round_up_to_milli().to_string(), "1001m");
  EXPECT_EQ(q("-1u").round_up_to_milli().to_string(), "-1m");
  EXPECT_EQ(q("100m").round_up_to_milli().to_string(), "100m");
}

TEST(Quantity, knows_which_numbers_are_whole) {
  EXPECT_EQ(q("5k").as_int64(), 5000);
  EXPECT_EQ(q("5m").as_int64(), std::nullopt);
  EXPECT_EQ(q("10E").as_int64(), std::nullopt);
}

TEST(Quantity, is_the_double_that_is_nearest_to_it) {
  for (const auto& [text, number] : std::initializer_list<std::pair<const char*, double>>{
           {"0", 0.0},
           {"1500m", 1.5},
           {"-3m", -0.003},
           {"7n", 7e-9},
           {"123456789012345679n", 123456789.012345679},
           {"9007199254740993", 9007199254740993.0},
           {"9223372036854775807", 9223372036854775807.0},
           {"3E", 3e18},
           {"1e22", 1e22},
           {"7e23", 7e23},
           {"123456789012345678901234567890", 1.2345678901234568e29}})
    EXPECT_EQ(q(text).as_double(), number) << text;
}

TEST(Quantity, is_made_from_numbers) {
  EXPECT_EQ(Quantity::from_int(1 << 20, Format::kBinarySI).to_string(), "1Mi");
  EXPECT_EQ(Quantity::from_int(1000000).to_string(), "1M");
  EXPECT_EQ(Quantity::from_milli(250).to_string(), "250m");
  EXPECT_EQ(Quantity::from_milli(2000).to_string(), "2");
  EXPECT_EQ(Quantity{}.to_string(), "0");
}

}  // namespace
}  // namespace berth::api
