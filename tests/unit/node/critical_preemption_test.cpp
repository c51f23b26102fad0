// SPDX-License-Identifier: Apache-2.0

#include "node/critical_preemption.hpp"

#include <gtest/gtest.h>

namespace berth::node {
namespace {

api::Pod pod_of(const std::string& name, const std::string& cpu, const std::string& memory,
                bool limited = false) {
  api::Pod pod;
  pod.metadata.name = name;
  pod.spec.priority = 0;
  api::Container container{.name = "c"};
  if (!cpu.empty()) container.resources.requests["cpu"] = *api::Quantity::parse(cpu);
  if (!memory.empty()) container.resources.requests["memory"] = *api::Quantity::parse(memory);
  if (limited) container.resources.limits = container.resources.requests;
  pod.spec.containers.push_back(std::move(container));
  return pod;
}

api::Pod critical_pod() {
  api::Pod pod = pod_of("critical", "100m", "");
  pod.spec.priority = 2000001000;
  return pod;
}

std::vector<const api::Pod*> pointers(const std::vector<api::Pod>& pods) {
  std::vector<const api::Pod*> out;
  for (const api::Pod& pod : pods) out.push_back(&pod);
  return out;
}

using Names = std::vector<std::string>;

Names victims_of(const std::vector<api::Pod>& pods, const std::vector<MissingAmount>& missing) {
  const auto victims = choose_critical_victims({}, critical_pod(), pointers(pods), missing);
  if (!victims) return {"failed: " + victims.error().message};
  Names names;
  for (const CriticalVictim& victim : *victims) names.push_back(victim.pod->metadata.name);
  return names;
}

TEST(CriticalPreemption, victims_are_the_cheapest_class_and_the_nearest_requests) {
  struct Case {
    const char* what;
    std::vector<api::Pod> pods;
    std::vector<MissingAmount> missing;
    Names victims;
  };
  const Case cases[] = {
      {"nothing is missing", {pod_of("a", "1", "")}, {}, {}},
      {"an amount that is not above zero is not missing", {pod_of("a", "1", "")}, {{"cpu", 0}}, {}},
      {"a BestEffort pod frees a place",
       {pod_of("a", "1", ""), pod_of("b", "", "")},
       {{"pods", 1}},
       {"b"}},
      {"a Burstable pod goes before a Guaranteed one",
       {pod_of("g", "1", "1Gi", true), pod_of("b", "1", "1Gi")},
       {{"cpu", 500}},
       {"b"}},
      {"a Guaranteed pod goes where the others are too small",
       {pod_of("b", "100m", ""), pod_of("g", "1", "1Gi", true)},
       {{"cpu", 1000}},
       {"g"}},
      {"both where both are needed, the cheaper class first",
       {pod_of("g", "1", "1Gi", true), pod_of("b", "100m", "")},
       {{"cpu", 1100}},
       {"b", "g"}},
      {"of those that cover it the one that asks for less memory",
       {pod_of("a", "2", "2Gi"), pod_of("b", "3", "1Gi"), pod_of("c", "2", "3Gi")},
       {{"cpu", 2000}},
       {"b"}},
      {"then the one that asks for less cpu",
       {pod_of("a", "3", "1Gi"), pod_of("b", "2", "1Gi")},
       {{"memory", 1}},
       {"b"}},
      {"the later of two equal ones",
       {pod_of("a", "1", ""), pod_of("b", "1", ""), pod_of("c", "1", "")},
       {{"cpu", 1000}},
       {"c"}},
      {"the distance is over all that is missing",
       {pod_of("cpu", "1", ""), pod_of("both", "600m", "600Mi"), pod_of("memory", "", "1000Mi")},
       {{"cpu", 1000}, {"memory", 1000LL << 20}},
       {"both", "cpu", "memory"}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(victims_of(c.pods, c.missing), c.victims) << c.what;
  }
}

TEST(CriticalPreemption, what_all_candidates_cannot_free_is_listed) {
  const std::vector<api::Pod> pods = {pod_of("a", "1", "64Mi")};
  const auto victims = choose_critical_victims({}, critical_pod(), pointers(pods),
                                               {{"cpu", 900}, {"memory", 100 << 20}, {"pods", 2}});
  ASSERT_FALSE(victims.has_value());
  EXPECT_EQ(victims.error().unmet, (std::vector<MissingAmount>{{"memory", 36 << 20}, {"pods", 1}}));
  EXPECT_EQ(
      unexpected_admission_message(victims.error()),
      "Unexpected error while attempting to recover from admission failure: preemption: error "
      "finding a set of pods to preempt: no set of running pods found to reclaim resources: "
      "[(res: memory, q: 37748736), (res: pods, q: 1), ]");
}

TEST(CriticalPreemption, only_lesser_pods_are_candidates) {
  struct Case {
    const char* what;
    std::optional<std::int32_t> incoming;
    std::optional<std::int32_t> other;
    bool other_is_static;
    bool static_pods_are_critical;
    bool chosen;
  };
  const Case cases[] = {
      {"a usual pod", 2000000000, 0, false, false, true},
      {"a pod without a priority", 2000000000, std::nullopt, false, false, true},
      {"an equally critical pod", 2000000000, 2000000000, false, false, false},
      {"a less critical pod", 2000001000, 2000000000, false, false, true},
      {"a static pod by the kubelet's rule", 2000000000, std::nullopt, true, true, false},
      {"a static pod of lower priority by the kubelet's rule", 2000000000, 5, true, true, true},
      {"a static pod by berth's rule", 2000000000, std::nullopt, true, false, true},
      {"a usual pod, for one that is not critical", std::nullopt, 0, false, false, false},
  };
  for (const Case& c : cases) {
    api::Pod incoming = critical_pod();
    incoming.spec.priority = c.incoming;
    api::Pod other = pod_of("other", "1", "");
    other.spec.priority = c.other;
    if (c.other_is_static) other.metadata.annotations["kubernetes.io/config.source"] = "file";
    const auto victims =
        choose_critical_victims({.static_pods_are_critical = c.static_pods_are_critical}, incoming,
                                {&other}, {{"cpu", 500}});
    EXPECT_EQ(victims.has_value(), c.chosen) << c.what;
  }
}

TEST(CriticalPreemption, each_victim_says_what_was_missing_when_it_was_chosen) {
  const std::vector<api::Pod> pods = {pod_of("small", "500m", ""), pod_of("large", "1", "")};
  const auto victims = choose_critical_victims({}, critical_pod(), pointers(pods), {{"cpu", 1250}});
  ASSERT_TRUE(victims.has_value());
  ASSERT_EQ(victims->size(), 2U);
  EXPECT_EQ((*victims)[0].pod->metadata.name, "large");
  EXPECT_EQ((*victims)[0].qos, QosClass::kBurstable);
  EXPECT_DOUBLE_EQ((*victims)[0].distance, 0.2 * 0.2);
  EXPECT_EQ((*victims)[1].missing, (std::vector<MissingAmount>{{"cpu", 250}}));
  EXPECT_DOUBLE_EQ((*victims)[1].distance, 0);
}

TEST(CriticalPreemption, missing_is_what_is_asked_beyond_what_is_free) {
  EXPECT_EQ(missing_amounts({{.resource = "cpu", .requested = 300, .used = 900, .capacity = 1000},
                             {.resource = "pods", .requested = 1, .used = 5, .capacity = 3}}),
            (std::vector<MissingAmount>{{"cpu", 200}, {"pods", 3}}));
}

}  // namespace
}  // namespace berth::node
