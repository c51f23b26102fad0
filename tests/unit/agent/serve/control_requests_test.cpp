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

TEST(ControlRequests, a_list_of_a_named_pod_finds_it_as_a_call_about_one_pod_does) {
  ListedPods pods;
  for (const auto& [of_namespace, name] :
       {std::pair{"default", "web"}, {"default", "web-n1"}, {"shop", "db-n1"}, {"cart", "db-n1"}}) {
    api::Pod pod;
    pod.metadata.namespace_ = of_namespace;
    pod.metadata.name = name;
    pods.push_back(std::make_shared<const api::Pod>(std::move(pod)));
  }
  const auto listed = [&pods](const char* of_namespace, bool all, const char* name) {
    const auto taken = PodSelection(of_namespace, all, name, "n1").among(pods);
    if (!taken) return std::string(to_string(taken.error().code)) + ": " + taken.error().message;
    std::string text;
    for (const auto& pod : *taken)
      text += pod->metadata.namespace_ + "/" + pod->metadata.name + " ";
    return text;
  };
  EXPECT_EQ(listed("", false, ""), "default/web default/web-n1 ");
  EXPECT_EQ(listed("none", false, ""), "") << "no pods are no failure";
  EXPECT_EQ(listed("", false, "web"), "default/web ") << "a whole name goes before a short one";
  EXPECT_EQ(listed("shop", false, "db"), "shop/db-n1 ");
  EXPECT_EQ(listed("", false, "shop/db"), "shop/db-n1 ");
  EXPECT_EQ(listed("", true, "db"), "shop/db-n1 cart/db-n1 ");
  EXPECT_EQ(listed("shop", false, "bd"),
            "not found: pod \"bd\" not found in namespace \"shop\"; did you mean \"db\"?");
  EXPECT_EQ(listed("", true, "cache"),
            "not found: pod \"cache\" not found in namespace \"default\"");
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
