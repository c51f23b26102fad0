// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/restart_backoff.hpp"

#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

using std::chrono::seconds;

const RestartBackoffPolicy kPolicy;

RestartIdentity identity(std::string image = "app:1") {
  return RestartIdentity{.pod_name = "web",
                         .pod_namespace = "default",
                         .pod_uid = "uid-1",
                         .container = "app",
                         .image = std::move(image)};
}

TEST(RestartBackoff, first_start_leaves_no_trace) {
  const auto history = record_start({}, kPolicy, identity(), std::nullopt, at(0));
  EXPECT_TRUE(history.entries.empty());
}

TEST(RestartBackoff, first_restart_is_immediate_then_windows_double_to_five_minutes) {
  RestartBackoff history;
  double now = 0;
  std::vector<long> windows;
  for (int i = 0; i < 8; ++i) {
    const auto exit = at(now);
    const auto verdict = check_restart(history, kPolicy, identity(), exit, exit);
    const auto wait = verdict.in_backoff ? verdict.until - exit : Nanoseconds{0};
    windows.push_back(std::chrono::duration_cast<seconds>(wait).count());
    now += static_cast<double>(windows.back());
    EXPECT_FALSE(check_restart(history, kPolicy, identity(), exit, at(now)).in_backoff);
    history = record_start(std::move(history), kPolicy, identity(), exit, at(now));
    now += 1;
  }
  EXPECT_EQ(windows, (std::vector<long>{0, 10, 20, 40, 80, 160, 300, 300}));
}

TEST(RestartBackoff, a_window_ends_to_the_nanosecond) {
  const auto history = record_start({}, kPolicy, identity(), at(0), at(0));
  const WallTime exit = at(5);
  EXPECT_TRUE(
      check_restart(history, kPolicy, identity(), exit, at(15) - Nanoseconds{1}).in_backoff);
  EXPECT_FALSE(check_restart(history, kPolicy, identity(), exit, at(15)).in_backoff);
}

TEST(RestartBackoff, running_for_more_than_ten_minutes_starts_over) {
  RestartBackoff history;
  for (int i = 0; i < 4; ++i) {
    history = record_start(std::move(history), kPolicy, identity(), at(0), at(0));
  }
  EXPECT_TRUE(check_restart(history, kPolicy, identity(), at(600), at(600)).in_backoff);
  EXPECT_FALSE(check_restart(history, kPolicy, identity(), at(600.001), at(600.001)).in_backoff);
  history = record_start(std::move(history), kPolicy, identity(), at(601), at(601));
  EXPECT_EQ(history.entries.begin()->second.window, seconds{10});
}

TEST(RestartBackoff, another_image_is_a_fresh_start) {
  const auto history = record_start({}, kPolicy, identity(), at(0), at(0));
  EXPECT_TRUE(check_restart(history, kPolicy, identity(), at(1), at(1)).in_backoff);
  EXPECT_FALSE(check_restart(history, kPolicy, identity("app:2"), at(1), at(1)).in_backoff);
}

TEST(RestartBackoff, refusal_uses_the_words_of_the_kubelet) {
  const auto history = record_start({}, kPolicy, identity(), at(0), at(0));
  const auto verdict = check_restart(history, kPolicy, identity(), at(1), at(1));
  EXPECT_EQ(verdict.reason, "CrashLoopBackOff");
  EXPECT_EQ(verdict.message, "back-off 10s restarting failed container=app pod=web_default(uid-1)");
}

TEST(RestartBackoff, garbage_is_what_was_not_started_for_ten_minutes) {
  const auto history = record_start({}, kPolicy, identity(), at(0), at(0));
  EXPECT_EQ(collect_garbage(history, kPolicy, at(600)).entries.size(), 1U);
  EXPECT_TRUE(collect_garbage(history, kPolicy, at(600.001)).entries.empty());
}

TEST(RestartBackoff, a_wait_ends_when_its_start_is_forgotten) {
  RestartBackoff history;
  history.entries[identity().key()] = {.window = seconds{300}, .last_start = at(0)};
  const auto early = check_restart(history, kPolicy, identity(), at(200), at(201));
  EXPECT_EQ(early.until, at(500));
  const auto late = check_restart(history, kPolicy, identity(), at(400), at(401));
  EXPECT_EQ(late.until, at(600) + Nanoseconds{1});
  EXPECT_TRUE(collect_garbage(history, kPolicy, late.until).entries.empty());
  EXPECT_FALSE(collect_garbage(history, kPolicy, at(600)).entries.empty());
}

TEST(RestartBackoff, last_exit_is_that_of_the_newest_exited_instance) {
  const RuntimePod shown =
      runtime({running("app"), exited("app", 1, at(7)), exited("app", 1, at(3))});
  EXPECT_EQ(last_exit(shown, "app"), at(7));
  EXPECT_EQ(last_exit(shown, "other"), std::nullopt);
}

TEST(RestartBackoff, a_restart_counts_from_the_newest_exit_also_of_an_instance_that_was_stopped) {
  const auto stopped = [](double second, std::int32_t restarts) {
    RuntimeContainer out = exited("app", 137, at(second));
    out.start_again = StartAgain::kStopped;
    out.restart_count = restarts;
    return out;
  };
  struct Case {
    const char* name;
    std::vector<RuntimeContainer> seen;
    std::optional<WallTime> checked;  // what the wait before the start counts from
    std::optional<WallTime> counted;  // what the start itself is recorded with
  };
  const std::vector<Case> cases = {
      {"none has ended", {running("app")}, {}, {}},
      {"another container's", {exited("other", 1, at(5))}, {}, {}},
      {"it ended by itself", {exited("app", 1, at(7)), exited("app", 1, at(3))}, at(7), at(7)},
      {"the first one was stopped", {stopped(50, 0)}, {}, at(50)},
      {"stopped after an exit", {stopped(50, 1), exited("app", 1, at(10))}, at(10), at(50)},
      {"another instance runs", {running("app"), stopped(50, 0)}, {}, at(50)},
  };
  for (const Case& c : cases) {
    const RuntimePod shown = runtime(c.seen);
    EXPECT_EQ(last_exit(shown, "app"), c.checked) << c.name;
    EXPECT_EQ(exit_before_start(shown, "app"), c.counted) << c.name;
  }
}

TEST(RestartBackoff, the_longest_wait_is_the_first_one_too_where_that_would_be_longer) {
  const RestartBackoffPolicy brief = restart_backoff_policy(seconds{3});
  RestartBackoff history = record_start({}, brief, identity(), at(0), at(1));
  EXPECT_EQ(check_restart(history, brief, identity(), at(2), at(2)).until, at(5));
  history = record_start(std::move(history), brief, identity(), at(2), at(5));
  EXPECT_EQ(check_restart(history, brief, identity(), at(6), at(6)).until, at(9));
  EXPECT_EQ(restart_backoff_policy(seconds{300}), kPolicy);
}

TEST(RestartBackoff, a_wait_recorded_under_a_longer_limit_is_cut) {
  RestartBackoff history;
  history.entries[identity().key()] = {.window = seconds{160}, .last_start = at(0)};
  const RestartVerdict verdict =
      check_restart(history, restart_backoff_policy(seconds{20}), identity(), at(1), at(2));
  EXPECT_EQ(verdict.until, at(21));
  EXPECT_NE(verdict.message.find("back-off 20s "), std::string::npos) << verdict.message;
}

}  // namespace
}  // namespace berth::lifecycle::test
