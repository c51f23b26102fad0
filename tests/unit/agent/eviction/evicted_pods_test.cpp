// SPDX-License-Identifier: Apache-2.0

// When evicted pods come back.
#include "agent/eviction/evicted_pods.hpp"

#include <gtest/gtest.h>

#include "node/sandbox_config.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

api::Pod pod_of(const std::string& uid, const char* reason = "Evicted") {
  api::Pod pod{.metadata = {.name = "web", .namespace_ = "default", .uid = uid}};
  pod.status.phase = "Failed";
  pod.status.reason = reason;
  return pod;
}

TEST(EvictedPods, are_those_that_failed_for_it_or_were_ordered_to_go) {
  EXPECT_TRUE(was_evicted(pod_of("a"), nullptr)) << "it may have been refused";
  EXPECT_FALSE(was_evicted(pod_of("a", "Preempting"), nullptr));
  api::Pod running = pod_of("a");
  running.status.phase = "Running";
  EXPECT_FALSE(was_evicted(running, &running)) << "it is still being ended";
  api::Pod well = pod_of("a", "");
  well.status.phase = "Succeeded";
  EXPECT_FALSE(was_evicted(well, nullptr));
  EXPECT_TRUE(was_evicted(well, &running)) << "all its containers exited 0";
  EXPECT_FALSE(was_evicted(well, &well)) << "it had finished before";
  running.metadata.annotations[node::kAnnotationManifest] = "one text";
  well.metadata.annotations[node::kAnnotationManifest] = "another text";
  EXPECT_FALSE(was_evicted(well, &running)) << "another pod has that uid";
}

TEST(EvictedPods, are_known_by_their_recorded_ending) {
  const auto memory = [](const char* uid, std::optional<lifecycle::Ending> ending) {
    auto out = std::make_shared<lifecycle::PodMemory>();
    out->uid = uid;
    out->pod = std::make_shared<const api::Pod>(pod_of(uid));
    if (ending) out->end = lifecycle::EndInForce{.ending = *ending, .grace_seconds = 1};
    return out;
  };
  auto finished = lifecycle::evicted("m", 1s, {});
  finished.failure.reset();  // as recorded for a pod that had already finished
  const auto pods = ordered_to_go(
      {memory("runs", std::nullopt), memory("finished", finished),
       memory("short", lifecycle::evicted("m", 1s, {})),
       memory("limit", lifecycle::evicted_for_storage("m", {})),
       memory("preempted", lifecycle::preempted({})),
       memory("deleted", merge(lifecycle::evicted("m", 1s, {}), lifecycle::deleted({}, {}))),
       memory("collected", merge(lifecycle::evicted("m", 1s, {}), lifecycle::collected({})))});
  ASSERT_EQ(pods.size(), 3U);
  EXPECT_EQ(pods[0]->uid, "short");
  EXPECT_EQ(pods[1]->uid, "limit");
  EXPECT_EQ(pods[2]->uid, "collected");
}

TEST(EvictedPods, are_known_when_nobody_is_shown_them_any_more) {
  using lifecycle::Verdict;
  const auto memory = [](const char* uid, Verdict verdict, const char* phase, const char* reason,
                         std::optional<lifecycle::Ending> ending) {
    auto out = std::make_shared<lifecycle::PodMemory>();
    out->uid = uid;
    out->pod = std::make_shared<const api::Pod>(api::Pod{.metadata = {.uid = uid}});
    out->verdict = verdict;
    out->status = {.phase = phase, .reason = reason};
    if (ending) out->end = lifecycle::EndInForce{.ending = *ending, .grace_seconds = 1};
    return out;
  };
  const auto evicted = lifecycle::evicted("m", 1s, {});
  const auto collected = lifecycle::collected({});
  const auto pods = collected_since(
      {memory("shown", Verdict::kCompleted, "Failed", "Evicted", evicted),
       memory("failed", Verdict::kCollected, "Failed", "Evicted", evicted),
       memory("refused", Verdict::kCollected, "Failed", "Evicted", std::nullopt),
       memory("refused-before", Verdict::kRejected, "Failed", "Evicted", std::nullopt),
       memory("exits-0", Verdict::kCollected, "Succeeded", "", evicted),
       memory("done", Verdict::kCollected, "Succeeded", "", std::nullopt),
       memory("going", Verdict::kCompleted, "Succeeded", "", merge(evicted, collected)),
       memory("ran-before", Verdict::kNone, "Running", "", evicted),
       memory("done-going", Verdict::kCompleted, "Succeeded", "", collected),
       memory("preempted", Verdict::kCollected, "Failed", "Preempting", std::nullopt)},
      [](const std::string& uid) { return uid != "shown"; });
  std::vector<std::string> uids;
  for (const auto& one : pods) uids.push_back(one->uid);
  EXPECT_EQ(uids, (std::vector<std::string>{"failed", "refused", "refused-before", "exits-0",
                                            "going", "ran-before"}));
}

TEST(EvictedPods, come_back_after_waits_that_double_and_end_at_five_minutes) {
  EvictedPods evicted;
  SteadyTime now{};
  std::string uid = "uid";
  const Nanoseconds waits[] = {10s, 20s, 40s, 80s, 160s, 300s, 300s};
  for (const Nanoseconds wait : waits) {
    evicted.add(pod_of(uid), now);
    evicted.add(pod_of(uid), now + 1s);  // adding the same pod again changes nothing
    EXPECT_EQ(evicted.next(), now + wait);
    EXPECT_TRUE(evicted.due(now + wait - 1ns).empty());
    EXPECT_EQ(evicted.due(now + wait), std::vector<std::string>{uid});
    evicted.remove(uid);
    now += wait;
    uid += "-next";  // each incarnation has a uid of its own
  }
  EXPECT_EQ(evicted.next(), std::nullopt);
  now += EvictedPods::kForgottenAfter;
  evicted.add(pod_of(uid), now);
  EXPECT_EQ(evicted.next(), now + 10s) << "that was long ago";
}

}  // namespace
}  // namespace berth::agent
