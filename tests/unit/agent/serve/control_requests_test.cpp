// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/control_requests.hpp"

#include <chrono>
#include <limits>

#include <gtest/gtest.h>

#include "agent/serve/follow_limits.hpp"

namespace berth::agent {
namespace {

constexpr WallTime kNow{std::chrono::days(20'000)};

TEST(ControlRequests, since_any_number_of_seconds_is_before_now) {
  wire::LogsRequest request;
  request.set_since_seconds(60);
  EXPECT_EQ(log_query(request, kNow)->since, kNow - std::chrono::minutes(1));
  request.set_since_seconds(std::numeric_limits<std::int64_t>::max());
  EXPECT_LT(*log_query(request, kNow)->since, kNow - std::chrono::years(50));
}

TEST(ControlRequests, what_no_log_can_give_is_refused) {
  const auto refused = [](auto change) {
    wire::LogsRequest request;
    change(request);
    const auto query = log_query(request, kNow);
    return query ? "" : query.error().message;
  };
  EXPECT_EQ(refused([](auto& request) { request.set_tail_lines(-1); }),
            "tail: must be at least 0, not -1");
  EXPECT_EQ(refused([](auto& request) { request.set_limit_bytes(0); }),
            "limit of bytes: must be at least 1");
  EXPECT_EQ(refused([](auto& request) { request.set_since_seconds(0); }),
            "since: must be at least 1 second");
  EXPECT_EQ(refused([](auto& request) {
              request.set_since_seconds(1);
              request.set_since_time("2026-01-02T03:04:05Z");
            }),
            "since and since-time: only one of the two may be used");
}

TEST(ControlRequests, a_command_of_anything_but_text_is_refused_with_the_word_that_it_is) {
  const auto asked = [](const std::vector<std::string>& words) {
    wire::ExecStart start;
    for (const auto& word : words) start.add_command(word);
    // The message as received over the wire.
    wire::ExecStart received;
    EXPECT_TRUE(received.ParseFromString(start.SerializeAsString()));
    const auto command = command_of(received);
    return command ? "" : command.error().message;
  };
  EXPECT_EQ(asked({"echo", "", "\xc3\xa9\n"}), "");
  EXPECT_EQ(asked({}), "exec: a command is missing; put it behind --");
  EXPECT_EQ(asked({"echo", "a\xff"}),
            "exec: word 2 of the command (\"a\\xff\") is not UTF-8, which a container runtime "
            "cannot be given");
  EXPECT_NE(asked({std::string("a\0b", 3)}).find("holds a NUL byte"), std::string::npos);
}

TEST(ControlRequests, followed_logs_leave_others_their_inotify_instances) {
  for (const std::size_t instances : {0U, 1U, 2U, 128U, 8192U}) {
    const FollowLimits limits = follow_limits(instances);
    EXPECT_LE(2 * limits.all, instances);
    EXPECT_LE(limits.of_user, limits.all);
  }
  EXPECT_EQ(follow_limits(128).all, 64U);
  EXPECT_EQ(follow_limits(128).of_user, 48U);
}

}  // namespace
}  // namespace berth::agent
