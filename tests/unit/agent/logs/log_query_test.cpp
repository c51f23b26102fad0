// SPDX-License-Identifier: Apache-2.0

#include "agent/logs/log_query.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "api/time.hpp"

namespace berth::agent {
namespace {

constexpr const char* kLines =
    "2026-01-02T03:04:05.000000000Z stdout F one\n"
    "2026-01-02T03:04:06.000000000Z stderr P tw\n"
    "2026-01-02T03:04:07.000000000Z stderr F o\n";

TEST(LogFilter, gives_the_text_and_joins_partial_lines) {
  LogFilter filter(LogQuery{});
  EXPECT_EQ(filter.feed(kLines), "one\ntwo\n");
}

TEST(LogFilter, takes_lines_that_come_in_pieces) {
  LogFilter filter(LogQuery{});
  std::string shown;
  for (const char c : std::string(kLines)) shown += filter.feed(std::string_view(&c, 1));
  EXPECT_EQ(shown, "one\ntwo\n");
}

TEST(LogFilter, shows_times_when_asked) {
  LogFilter filter(LogQuery{.timestamps = true});
  EXPECT_EQ(filter.feed("2026-01-02T03:04:05.5Z stdout F one\n"), "2026-01-02T03:04:05.5Z one\n");
}

TEST(LogFilter, leaves_out_what_is_older) {
  LogFilter filter(LogQuery{.since = api::Time::parse("2026-01-02T03:04:06Z")->at});
  EXPECT_EQ(filter.feed(kLines), "two\n");
}

TEST(LogFilter, stops_at_the_limit_of_bytes) {
  LogFilter filter(LogQuery{.limit_bytes = 5});
  EXPECT_EQ(filter.feed(kLines), "one\nt");
  EXPECT_TRUE(filter.full());
  EXPECT_EQ(filter.feed(kLines), "");
}

// Feeds the text in pieces of that size.
std::string fed(LogFilter filter, std::string_view text, std::size_t piece) {
  std::string shown;
  for (std::size_t at = 0; at < text.size(); at += piece)
    shown += filter.feed(text.substr(at, piece));
  return shown;
}

TEST(LogFilter, a_line_longer_than_berthd_holds_is_shown_as_it_comes) {
  const std::string much(300'000, 'x');
  const std::string text = "2026-01-02T03:04:05Z stdout F " + much + "\n" + kLines;
  const std::string unended = "2026-01-02T03:04:05Z stdout P " + much + "\n" + kLines;
  const std::string alien = much + "\n" + kLines;
  for (const std::size_t piece : {std::size_t{7}, std::size_t{65'536}, text.size()}) {
    EXPECT_EQ(fed(LogFilter(LogQuery{}), text, piece), much + "\none\ntwo\n");
    EXPECT_EQ(fed(LogFilter(LogQuery{}), unended, piece), much + "one\ntwo\n");
    EXPECT_EQ(fed(LogFilter(LogQuery{}), alien, piece), "one\ntwo\n");
    EXPECT_EQ(fed(LogFilter(LogQuery{.limit_bytes = 200'000}), text, piece),
              much.substr(0, 200'000));
    const LogQuery later{.since = api::Time::parse("2026-01-02T03:04:06Z")->at};
    EXPECT_EQ(fed(LogFilter(later), text, piece), "two\n");
  }
}

TEST(LogFilter, of_a_line_without_end_what_comes_is_shown) {
  LogFilter filter(LogQuery{});
  std::string shown = filter.feed("2026-01-02T03:04:05Z stdout F ");
  for (int i = 0; i < 100; ++i) shown += filter.feed(std::string(65'536, 'x'));
  EXPECT_EQ(shown.size(), 6'553'600U);
}

struct Tail {
  std::string_view text;
  std::int64_t lines;
  std::optional<std::size_t> start;
  std::int64_t missing;
};

// Searches the text from its end, in pieces of that size.
Tail searched(std::string_view text, std::int64_t lines, std::size_t piece) {
  TailSearch search(lines);
  for (std::size_t end = text.size(); end > 0;) {
    const std::size_t begin = end - std::min(end, piece);
    if (const auto start = search.before(text.substr(begin, end - begin)))
      return {text, lines, begin + *start, 0};
    end = begin;
  }
  return {text, lines, std::nullopt, search.missing()};
}

TEST(TailSearch, finds_where_the_last_lines_begin_or_how_many_are_missing) {
  const Tail cases[] = {
      {"a\nb\nc\n", 1, 4, 0},
      {"a\nb\nc\n", 2, 2, 0},
      {"a\nb\nc", 1, 4, 0},
      {"a\nb\nc\n", 3, std::nullopt, 0},
      {"a\nb\nc", 3, std::nullopt, 0},
      {"a\nb\nc\n", 5, std::nullopt, 2},
      {"", 1, std::nullopt, 1},
      {"\n\n\n", 2, 1, 0},
      {"\n", 1, std::nullopt, 0},
  };
  for (const Tail& one : cases)
    for (const std::size_t piece : {1U, 2U, 3U, 100U}) {
      const Tail found = searched(one.text, one.lines, piece);
      EXPECT_EQ(found.start, one.start) << one.text << one.lines << " in " << piece;
      EXPECT_EQ(found.missing, one.missing) << one.text << one.lines << " in " << piece;
    }
}

api::Pod pod_with(std::vector<std::string> names) {
  api::Pod pod;
  pod.metadata.name = "web-n1";
  for (auto& name : names) pod.spec.containers.push_back({.name = std::move(name)});
  return pod;
}

TEST(ChooseContainer, the_only_one_needs_no_words) {
  const auto chosen = choose_container(pod_with({"app"}), "");
  EXPECT_EQ(chosen->name, "app");
  EXPECT_EQ(chosen->notice, "");
}

TEST(ChooseContainer, the_first_of_several_is_named) {
  const auto chosen = choose_container(pod_with({"app", "proxy"}), "");
  EXPECT_EQ(chosen->name, "app");
  EXPECT_EQ(chosen->notice, "Defaulted container \"app\" out of: app, proxy");
}

TEST(ChooseContainer, init_containers_are_marked_as_kubectl_marks_them) {
  auto pod = pod_with({"app"});
  pod.spec.initContainers.push_back({.name = "setup"});
  EXPECT_EQ(choose_container(pod, "")->notice,
            "Defaulted container \"app\" out of: app, setup (init)");
  EXPECT_EQ(choose_container(pod, "setup")->name, "setup");
}

TEST(ChooseContainer, an_annotation_decides) {
  auto pod = pod_with({"app", "proxy"});
  pod.metadata.annotations["kubectl.kubernetes.io/default-container"] = "proxy";
  EXPECT_EQ(choose_container(pod, "")->name, "proxy");
}

TEST(ChooseContainer, a_wrong_name_is_answered_with_the_right_ones) {
  const auto chosen = choose_container(pod_with({"app", "proxy"}), "ap");
  ASSERT_FALSE(chosen.has_value());
  EXPECT_EQ(chosen.error().message,
            "container \"ap\" not found in pod \"web-n1\"; it has: app, proxy");
}

api::Pod pod_in(api::ContainerStatus status) {
  auto pod = pod_with({"app"});
  status.name = "app";
  pod.status.containerStatuses.push_back(std::move(status));
  return pod;
}

TEST(ChooseInstance, a_running_container_writes_the_newest_file) {
  const auto pod = pod_in({.state = {.running = api::ContainerStateRunning{}}, .restartCount = 2});
  const auto instance = choose_instance(pod, "app", false);
  EXPECT_EQ(instance->restart_count, 2);
  EXPECT_TRUE(instance->running);
}

TEST(ChooseInstance, the_previous_one_of_a_running_container_is_one_before) {
  const auto pod = pod_in({.state = {.running = api::ContainerStateRunning{}},
                           .lastState = {.terminated = api::ContainerStateTerminated{}},
                           .restartCount = 2});
  EXPECT_EQ(choose_instance(pod, "app", true)->restart_count, 1);
}

TEST(ChooseInstance, one_that_waits_for_its_next_start_ended_last) {
  const auto pod =
      pod_in({.state = {.waiting = api::ContainerStateWaiting{.reason = "CrashLoopBackOff"}},
              .lastState = {.terminated = api::ContainerStateTerminated{}},
              .restartCount = 3});
  EXPECT_EQ(choose_instance(pod, "app", false)->restart_count, 3);
  EXPECT_EQ(choose_instance(pod, "app", true)->restart_count, 3);
}

TEST(ChooseInstance, says_why_there_is_no_log_yet) {
  const auto waiting = [](const char* reason) {
    return choose_instance(
               pod_in({.state = {.waiting = api::ContainerStateWaiting{.reason = reason}}}), "app",
               false)
        .error()
        .message;
  };
  const std::string head = "container \"app\" in pod \"web-n1\" is waiting to start: ";
  EXPECT_EQ(waiting("ErrImagePull"), head + "image can't be pulled");
  EXPECT_EQ(waiting("ImagePullBackOff"), head + "trying and failing to pull image");
  EXPECT_EQ(waiting("PodInitializing"), head + "PodInitializing");
  EXPECT_EQ(choose_instance(pod_with({"app"}), "app", false).error().message,
            "container \"app\" in pod \"web-n1\" is not available");
}

}  // namespace
}  // namespace berth::agent
