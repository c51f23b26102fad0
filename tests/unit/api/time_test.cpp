// SPDX-License-Identifier: Apache-2.0

#include "api/time.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string_view>

namespace berth::api {
namespace {

using std::chrono::nanoseconds;

TEST(Time, reads_rfc3339_and_prints_utc_seconds) {
  struct Case {
    std::string_view text;
    std::string_view printed;
  };
  const Case cases[] = {
      {"2006-01-02T15:04:05Z", "2006-01-02T15:04:05Z"},
      {"2006-01-02T15:04:05.999Z", "2006-01-02T15:04:05Z"},
      {"2006-01-02T15:04:05+01:30", "2006-01-02T13:34:05Z"},
      {"2024-02-29T23:59:59-00:01", "2024-03-01T00:00:59Z"},
      {"1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59Z"},
  };
  for (const Case& c : cases) EXPECT_EQ(Time::parse(c.text).value().to_string(), c.printed);
}

TEST(Time, refuses_what_is_no_time) {
  for (const std::string_view text :
       {"", "yesterday", "2006-01-02", "2006-01-02T15:04:05", "2006-02-30T00:00:00Z",
        "2006-01-02T24:00:00Z", "2006-1-2T15:04:05Z", "2006-01-02 15:04:05Z",
        "2006-01-02T15:04:05Zx", "2006-01-02T15:04:05.Z", "9999-01-01T00:00:00Z",
        "2261-12-31T23:59:59-01:00", "1678-01-01T00:00:00+01:00"}) {
    EXPECT_FALSE(Time::parse(text)) << text;
  }
}

TEST(Time, keeps_nanoseconds_inside) {
  const Time time = Time::parse("1970-01-01T00:00:01.000000001Z").value();
  EXPECT_EQ(time, Time::from_unix_nanoseconds(1'000'000'001));
  EXPECT_EQ(time.unix_seconds(), 1);
  EXPECT_EQ(time.whole_seconds(), Time::from_unix_seconds(1));
}

TEST(MicroTime, prints_six_digits) {
  EXPECT_EQ(MicroTime::parse("2006-01-02T15:04:05.123456789Z").value().to_string(),
            "2006-01-02T15:04:05.123456Z");
  EXPECT_EQ(MicroTime::parse("2006-01-02T15:04:05Z").value().to_string(),
            "2006-01-02T15:04:05.000000Z");
}

TEST(Duration, prints_as_go_does) {
  struct Case {
    std::string_view text;
    std::string_view printed;
  };
  const Case cases[] = {
      {"0", "0s"},
      {"90s", "1m30s"},
      {"1h", "1h0m0s"},
      {"1.5h", "1h30m0s"},
      {"300ms", "300ms"},
      {"1500ms", "1.5s"},
      {"1us", "1µs"},
      {"1µs", "1µs"},
      {"1500ns", "1.5µs"},
      {"7ns", "7ns"},
      {"-2m3.5s", "-2m3.5s"},
      {"+5s", "5s"},
      {"1h2m3s4ms", "1h2m3.004s"},
      {"100h", "100h0m0s"},
      {".5s", "500ms"},
      {"5.s", "5s"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Duration::parse(c.text).value().to_string(), c.printed) << c.text;
  }
  EXPECT_EQ(Duration{nanoseconds::min()}.to_string(), "-2562047h47m16.854775808s");
}

TEST(Duration, refuses_what_is_no_duration) {
  for (const std::string_view text :
       {"", "5", "s", "1d", "1 s", "1s ", "-", ".s", "1h-5m", "9999999999h"}) {
    EXPECT_FALSE(Duration::parse(text)) << text;
  }
}

}  // namespace
}  // namespace berth::api
