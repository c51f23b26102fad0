// When pods that were evicted come back.
#include "agent/eviction/evicted_pods.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

api::Pod pod_of(const std::string& uid, const char* reason = "Evicted") {
  api::Pod pod{.metadata = {.name = "web", .namespace_ = "default", .uid = uid}};
  pod.status.phase = "Failed";
  pod.status.reason = reason;
  return pod;
}

TEST(EvictedPods, are_those_that_failed_for_it) {
  EXPECT_TRUE(was_evicted(pod_of("a")));
  EXPECT_FALSE(was_evicted(pod_of("a", "Preempting")));
  api::Pod running = pod_of("a");
  running.status.phase = "Running";
  EXPECT_FALSE(was_evicted(running)) << "it is still being ended";
  api::Pod well = pod_of("a", "");
  well.status.phase = "Succeeded";
  EXPECT_FALSE(was_evicted(well));
  well.status.conditions = {{.type = "DisruptionTarget",
                             .status = "True",
                             .reason = "TerminationByKubelet",
                             .message = "The node was low on resource: memory. "}};
  EXPECT_TRUE(was_evicted(well)) << "all its containers exited 0";
  well.status.conditions[0].message = "Preempted in order to admit critical pod";
  EXPECT_FALSE(was_evicted(well));
}

TEST(EvictedPods, come_back_after_waits_that_double_and_end_at_five_minutes) {
  EvictedPods evicted;
  SteadyTime now{};
  const Nanoseconds waits[] = {10s, 20s, 40s, 80s, 160s, 300s, 300s};
  for (const Nanoseconds wait : waits) {
    evicted.add(pod_of("uid"), now);
    evicted.add(pod_of("uid"), now + 1s);  // the same again says nothing new
    EXPECT_EQ(evicted.next(), now + wait);
    EXPECT_TRUE(evicted.due(now + wait - 1ns).empty());
    EXPECT_EQ(evicted.due(now + wait), std::vector<std::string>{"uid"});
    evicted.remove("uid");
    now += wait;
  }
  EXPECT_EQ(evicted.next(), std::nullopt);
  now += EvictedPods::kForgottenAfter;
  evicted.add(pod_of("uid"), now);
  EXPECT_EQ(evicted.next(), now + 10s) << "that was long ago";
}

}  // namespace
}  // namespace berth::agent
