// SPDX-License-Identifier: Apache-2.0

#include "node/log_rotation.hpp"

#include <gtest/gtest.h>

namespace berth::node {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kNow = "20260102-030405";

TEST(LogCare, rotates_at_the_limit_and_reopens_what_is_not_there) {
  const LogRotationPolicy policy{.max_bytes = 100};
  EXPECT_EQ(log_care(99, policy), LogCare::kNone);
  EXPECT_EQ(log_care(100, policy), LogCare::kRotate);
  EXPECT_EQ(log_care(std::nullopt, policy), LogCare::kReopen);
  EXPECT_EQ(log_care(1000, {.max_bytes = -1}), LogCare::kNone);
  EXPECT_EQ(log_care(std::nullopt, {.max_bytes = -1}), LogCare::kNone);
}

TEST(NextLogLook, comes_before_the_limit_can_be_reached_and_seldom_where_nothing_grows) {
  using std::chrono::seconds;
  static constexpr SteadyTime kStart{seconds(1000)};
  struct Case {
    const char* what;
    std::optional<LogLook> last;
    std::optional<std::int64_t> bytes;
    int after;  // seconds since the last check
    int pause;  // seconds
  };
  const auto last = [](std::int64_t bytes, int pause) {
    return LogLook{.at = kStart, .bytes = bytes, .pause = seconds(pause)};
  };
  const Case cases[] = {
      {"the first look", std::nullopt, 0, 0, 10},
      {"no file", last(500, 40), std::nullopt, 40, 10},
      {"another file", last(500, 40), 10, 40, 10},
      {"does not grow", last(500, 10), 500, 10, 20},
      {"has not grown for long", last(500, 40), 500, 40, 60},
      {"has not grown for very long", last(500, 60), 500, 60, 60},
      {"grows slowly", last(500, 10), 510, 10, 20},
      {"reaches the limit in 200 s, or in 50", last(0, 60), 200, 50, 50},
      {"reaches the limit in 96 s, or in 24", last(100, 20), 200, 12, 24},
      {"grows fast", last(0, 10), 900, 10, 10},
      {"is over the limit", last(900, 10), 2000, 10, 10},
  };
  for (const Case& c : cases) {
    const SteadyTime now = kStart + seconds(c.after);
    const LogLook next = next_log_look(c.last, c.bytes, {.max_bytes = 1000}, seconds(10), now);
    EXPECT_EQ(next.pause, seconds(c.pause)) << c.what;
    EXPECT_EQ(next.next_at(), now + seconds(c.pause));
    EXPECT_EQ(next.bytes, c.bytes.value_or(0));
  }
}

TEST(RotateLog, the_first_time_there_is_only_a_name_to_find) {
  const auto rotation = rotate_log("0.log", {"0.log"}, {}, kNow);
  EXPECT_EQ(rotation, (LogRotation{.rename_to = "0.log.20260102-030405"}));
}

TEST(RotateLog, the_newest_rotated_file_is_compressed_when_the_next_one_comes) {
  const auto rotation =
      rotate_log("0.log", {"0.log", "0.log.20260101-000000.gz", "0.log.20260102-000000"}, {}, kNow);
  EXPECT_EQ(rotation.compress, Names{"0.log.20260102-000000"});
  EXPECT_TRUE(rotation.remove.empty());
}

TEST(RotateLog, the_oldest_go_and_with_the_current_one_as_many_as_allowed_remain) {
  const Names files = {"0.log", "0.log.20260101-000001.gz", "0.log.20260101-000002.gz",
                       "0.log.20260101-000003.gz", "0.log.20260101-000004"};
  const auto rotation = rotate_log("0.log", files, {.max_files = 5}, kNow);
  EXPECT_EQ(rotation.remove, Names{"0.log.20260101-000001.gz"});
  EXPECT_EQ(rotation.compress, Names{"0.log.20260101-000004"});
  const auto two = rotate_log("0.log", files, {.max_files = 2}, kNow);
  EXPECT_EQ(two.remove.size(), 4U);
  EXPECT_TRUE(two.compress.empty());
}

TEST(RotateLog, what_an_interrupted_compression_left_goes) {
  const auto rotation = rotate_log("0.log",
                                   {"0.log", "0.log.20260101-000001", "0.log.20260101-000001.gz",
                                    "0.log.20260101-000002", "0.log.20260101-000002.tmp"},
                                   {}, kNow);
  EXPECT_EQ(rotation.remove, (Names{"0.log.20260101-000001", "0.log.20260101-000002.tmp"}));
  EXPECT_EQ(rotation.compress, Names{"0.log.20260101-000002"});
}

TEST(RotateLog, other_instances_logs_are_left_alone) {
  const auto rotation = rotate_log(
      "1.log", {"0.log", "0.log.20260101-000001", "1.log", "11.log.20260101-000001"}, {}, kNow);
  EXPECT_EQ(rotation, (LogRotation{.rename_to = "1.log.20260102-030405"}));
}

TEST(RotateLog, a_clock_that_was_set_back_overwrites_nothing) {
  const auto rotation = rotate_log("0.log", {"0.log", "0.log.20260102-030405.gz"}, {}, kNow);
  EXPECT_EQ(rotation.rename_to, "0.log.20260102-030405-2");
}

TEST(RotateLog, of_two_rotations_at_one_second_the_first_is_the_older) {
  const Names files = {"0.log", "0.log.20260101-000001.gz", "0.log.20260101-000001-2.gz",
                       "0.log.20260101-000001-10"};
  const auto rotation = rotate_log("0.log", files, {.max_files = 4}, kNow);
  EXPECT_EQ(rotation.remove, Names{"0.log.20260101-000001.gz"});
}

TEST(RotatedLogs, are_listed_by_age_each_once) {
  EXPECT_EQ(
      rotated_logs("0.log", {"0.log.20260101-000002.gz", "0.log", "10.log.20260101-000001",
                             "0.log.20260101-000001-10.gz", "0.log.20260101-000001-2",
                             "0.log.20260101-000001.gz", "0.log.20260101-000001",
                             "0.log.20260101-000003", "0.log.20260101-000003.tmp"}),
      (Names{"0.log.20260101-000001", "0.log.20260101-000001-2", "0.log.20260101-000001-10.gz",
             "0.log.20260101-000002.gz", "0.log.20260101-000003"}));
}

}  // namespace
}  // namespace berth::node
