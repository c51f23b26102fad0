// SPDX-License-Identifier: Apache-2.0

#include "agent/store/memory_json.hpp"

#include <gtest/gtest.h>

#include "agent/store/stored_memory.hpp"
#include "tests/unit/agent/store/store_harness.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
using lifecycle::EndCause;
using lifecycle::Verdict;

const WallTime kOdd = kStart + 123'456'789ns;

api::ContainerStatus ended_container() {
  api::ContainerStatus status{.name = "app", .restartCount = 7};
  status.state.waiting = api::ContainerStateWaiting{.reason = "CrashLoopBackOff"};
  status.lastState.terminated =
      api::ContainerStateTerminated{.exitCode = 137,
                                    .message = "said \"no\"\n\x01 \u00e4 <b>",
                                    .startedAt = api::Time{kOdd - 1s},
                                    .finishedAt = api::Time{kOdd + 1ns}};
  return status;
}

// A memory of which every member differs from its initial value.
lifecycle::PodMemory full_memory() {
  auto pod = std::make_shared<api::Pod>(*memory_of("u1")->pod);
  pod->metadata.creationTimestamp = api::Time{kOdd};
  pod->metadata.labels["app.kubernetes.io/name"] = "web";
  pod->spec.priority = 1000;
  pod->spec.terminationGracePeriodSeconds = 0;
  pod->spec.containers.push_back({.name = "app", .image = "busybox:1"});
  pod->spec.containers[0].resources.limits["cpu"] = *api::Quantity::parse("0.5");
  lifecycle::PodMemory memory{.uid = "u1", .incarnation = 3, .pod = pod};
  memory.verdict = Verdict::kCompleted;
  memory.status.phase = "Failed";
  memory.status.startTime = api::Time{kOdd};
  memory.status.containerStatuses.push_back(ended_container());
  memory.end = lifecycle::EndInForce{.ending = {.cause = EndCause::kDeleted,
                                                .grace = 12s,
                                                .then = lifecycle::Afterwards::kRemoveUnseen,
                                                .failure = lifecycle::preempted({}).failure,
                                                .requested_at = kOdd},
                                     .grace_seconds = 12};
  memory.start_again = {{"c1", lifecycle::StartAgain::kStopped},
                        {"c2", lifecycle::StartAgain::kDecided}};
  memory.stops["c1"] = {.begun_at = kOdd, .kill_at = kOdd + 12s, .pre_stop = true};
  memory.next_attempts = {{"app", 8}, {"side", 0}};
  memory.pending_starts["app"] = {.container_id = "c2", .last_exit = kOdd, .at = kOdd + 1ns};
  memory.pending_starts["side"] = {.container_id = "c3", .last_exit = {}, .at = kOdd};
  memory.restarts.entries["k"] = {.window = 40s, .last_start = kOdd};
  memory.pulls.entries[{"u1", "busybox:1"}] = {
      .window = 20s, .last_failure = kOdd, .reason = "ErrImagePull", .message = "no"};
  memory.probes.liveness[cri::ContainerId("c2")] = lifecycle::ProbeResult::kFailure;
  memory.probes.readiness[cri::ContainerId("c2")] = lifecycle::ProbeResult::kSuccess;
  memory.probes.startup[cri::ContainerId("c3")] = lifecycle::ProbeResult::kUnknown;
  memory.sandboxes = {"s1", "s2"};
  return memory;
}

void expect_same(const lifecycle::PodMemory& left, const lifecycle::PodMemory& right) {
  EXPECT_EQ(left.uid, right.uid);
  EXPECT_EQ(left.incarnation, right.incarnation);
  EXPECT_EQ(*left.pod, *right.pod);
  EXPECT_EQ(left.verdict, right.verdict);
  EXPECT_EQ(left.status, right.status);
  EXPECT_EQ(left.end, right.end);
  EXPECT_EQ(left.stops, right.stops);
  EXPECT_EQ(left.start_again, right.start_again);
  EXPECT_EQ(left.next_attempts, right.next_attempts);
  EXPECT_EQ(left.pending_starts, right.pending_starts);
  EXPECT_EQ(left.restarts, right.restarts);
  EXPECT_EQ(left.pulls, right.pulls);
  EXPECT_EQ(left.probes, right.probes);
  EXPECT_EQ(left.sandboxes, right.sandboxes);
}

lifecycle::PodMemory through_text(const lifecycle::PodMemory& memory) {
  const std::string text = memory_text(memory);
  const auto read = read_memory(text);
  EXPECT_TRUE(read.has_value()) << read.error().message << "\n" << text;
  return read ? **read : lifecycle::PodMemory{};
}

TEST(MemoryJson, everything_comes_back_to_the_nanosecond) {
  const auto memory = full_memory();
  expect_same(through_text(memory), memory);
}

TEST(MemoryJson, initial_values_come_back) {
  auto memory = *memory_of("u2");
  expect_same(through_text(memory), memory);
  memory.incarnation = 0;
  memory.end = lifecycle::EndInForce{};
  expect_same(through_text(memory), memory);
}

TEST(MemoryJson, every_verdict_and_cause_has_a_word) {
  for (const auto verdict : {Verdict::kNone, Verdict::kRejected, Verdict::kCompleted,
                             Verdict::kEnded, Verdict::kCollected}) {
    auto memory = full_memory();
    memory.verdict = verdict;
    expect_same(through_text(memory), memory);
  }
  for (const auto cause : {EndCause::kCollected, EndCause::kManifestRemoved, EndCause::kDeleted,
                           EndCause::kUnknownPod, EndCause::kReturns}) {
    auto memory = full_memory();
    memory.end->ending.cause = cause;
    expect_same(through_text(memory), memory);
  }
}

TEST(MemoryJson, every_ending_comes_back) {
  const std::vector<lifecycle::Ending> endings = {
      lifecycle::manifest_removed(kOdd),
      lifecycle::collected(kOdd),
      lifecycle::deleted(7s, kOdd),
      lifecycle::deleted_by_force(kOdd),
      lifecycle::unknown_pod(kOdd),
      lifecycle::active_deadline(kOdd),
      lifecycle::evicted("low. ", 1s, kOdd),
      lifecycle::evicted_for_storage("full. ", kOdd),
      lifecycle::preempted(kOdd),
      lifecycle::node_shutdown(9s, kOdd),
      merge(lifecycle::active_deadline(kOdd), lifecycle::deleted({}, kOdd)),
      merge(lifecycle::evicted("low. ", 1s, kOdd), lifecycle::deleted({}, kOdd)),
      lifecycle::as_given(lifecycle::preempted(kOdd), {}, "Succeeded")};
  for (const auto verdict : {Verdict::kNone, Verdict::kCompleted}) {
    for (const lifecycle::Ending& ending : endings) {
      auto memory = full_memory();
      memory.verdict = verdict;
      memory.end = lifecycle::EndInForce{.ending = ending, .grace_seconds = 3};
      expect_same(through_text(memory), memory);
    }
  }
}

// An older berthd does not know endings that keep a pod: it reads only `end` and
// `deadlineExceeded`, and refuses a cause that it does not know.
TEST(MemoryJson, a_berthd_before_endings_that_keep_a_pod_stops_it_for_good) {
  auto memory = *memory_of("u1");
  memory.end = lifecycle::EndInForce{.ending = lifecycle::evicted("low. ", 1s, kOdd)};
  const auto stopping = read_stored(memory_text(memory));
  ASSERT_TRUE(stopping.has_value());
  EXPECT_FALSE(stopping->end);
  EXPECT_TRUE(stopping->deadlineExceeded);
  memory.verdict = Verdict::kCompleted;  // this suffices, and the reason is in the status
  const auto over = read_stored(memory_text(memory));
  ASSERT_TRUE(over.has_value());
  EXPECT_FALSE(over->end);
  EXPECT_FALSE(over->deadlineExceeded);
}

TEST(MemoryJson, what_a_berthd_before_them_wrote_of_a_deadline_is_understood) {
  const auto read = read_memory(R"({"uid":"u","pod":{},"verdict":"none","deadlineExceeded":true})");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  ASSERT_TRUE((*read)->end);
  EXPECT_EQ((*read)->end->ending, lifecycle::active_deadline({}));
}

TEST(MemoryJson, bytes_that_are_no_text_are_replaced_not_fatal) {
  auto memory = *memory_of("u1");
  memory.status.message = "a\xff\xfe\x80z";
  EXPECT_EQ(through_text(memory).status.message, "a\uFFFD\uFFFD\uFFFDz");
}

TEST(MemoryJson, what_cannot_be_understood_says_why) {
  const struct {
    std::string text;
    std::string says;
  } cases[] = {
      {"", "uid: missing"},
      {"{", "line 1"},
      {"[]", "expected a mapping"},
      {R"({"uid":"u"})", "pod: missing"},
      {R"({"uid":"u","pod":{},"verdict":"lost"})", "verdict \"lost\""},
      {R"({"uid":"u","pod":{},"verdict":"none","end":{"cause":"whim"}})", "end.cause \"whim\""},
      {R"({"uid":"u","pod":{},"verdict":"none","startAgain":{"c":"perhaps"}})", "startAgain"},
      {R"({"uid":"u","pod":{},"verdict":"none","stops":{"c":{"killAt":"x"}}})", "stops[c].killAt"},
  };
  for (const auto& [text, says] : cases) {
    const auto read = read_memory(text);
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_NE(read.error().message.find(says), std::string::npos) << read.error().message;
  }
}

TEST(MemoryJson, members_nobody_knows_are_ignored) {
  const auto read =
      read_memory(R"({"uid":"u","pod":{"kind":"Pod"},"verdict":"none","mood":{"a":[1]}})");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ((*read)->uid, "u");
}

}  // namespace
}  // namespace berth::agent
