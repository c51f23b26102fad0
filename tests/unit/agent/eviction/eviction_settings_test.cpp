// SPDX-License-Identifier: Apache-2.0

// The eviction settings in a configuration: valid and invalid ones.
#include "agent/eviction/eviction_settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
using eviction::Signal;
using Values = std::map<std::string, std::string>;

ResolvedEviction resolve(const KubeletConfiguration& kubelet,
                         const BerthConfiguration& berth = {}) {
  return resolve_eviction(kubelet, berth, false, 85);
}

std::vector<std::string> thresholds_of(const ResolvedEviction& resolved) {
  std::vector<std::string> texts;
  for (const auto& threshold : resolved.settings.config.thresholds)
    texts.push_back(eviction::to_string(threshold));
  std::ranges::sort(texts);
  return texts;
}

KubeletConfiguration with_hard(Values hard) {
  KubeletConfiguration kubelet;
  kubelet.evictionHard = std::move(hard);
  return kubelet;
}

TEST(EvictionSettings, without_a_word_of_it_are_the_kubelets_defaults) {
  const auto resolved = resolve({});
  EXPECT_TRUE(resolved.problems.empty());
  EXPECT_TRUE(resolved.warnings.empty()) << "nobody has to answer for defaults";
  EXPECT_EQ(thresholds_of(resolved),
            (std::vector<std::string>{"allocatableMemory.available<100Mi", "imagefs.available<15%",
                                      "imagefs.inodesFree<5%", "memory.available<100Mi",
                                      "nodefs.available<10%", "nodefs.inodesFree<5%"}));
  EXPECT_EQ(resolved.settings.config.pressure_transition_period, 5min);
  EXPECT_EQ(resolved.settings.config.max_pod_grace_period, 0);
  EXPECT_TRUE(resolved.settings.config.local_storage_capacity_isolation);
  EXPECT_TRUE(resolved.settings.config.rules.evict_within_requests);
  EXPECT_EQ(resolved.settings.volume_period, 1min);
}

TEST(EvictionSettings, a_map_replaces_the_defaults_unless_they_are_merged) {
  auto kubelet = with_hard({{"pid.available", "100"}});
  EXPECT_EQ(thresholds_of(resolve(kubelet)), std::vector<std::string>{"pid.available<100"});
  kubelet.mergeDefaultEvictionSettings = true;
  EXPECT_EQ(thresholds_of(resolve(kubelet)).size(), 7U);
  EXPECT_TRUE(thresholds_of(resolve(with_hard({}))).empty());
}

TEST(EvictionSettings, the_pods_cgroup_has_a_threshold_of_its_own_only_where_it_is_enforced) {
  KubeletConfiguration kubelet;
  kubelet.enforceNodeAllocatable = {"none"};
  const auto resolved = resolve(kubelet);
  EXPECT_FALSE(resolved.settings.enforce_pods_allocatable);
  EXPECT_EQ(thresholds_of(resolved).front(), "imagefs.available<15%");
  kubelet.enforceNodeAllocatable = {"pods", "system-reserved"};
  EXPECT_TRUE(resolve(kubelet).settings.enforce_pods_allocatable);
}

TEST(EvictionSettings, every_field_has_its_effect) {
  KubeletConfiguration kubelet;
  kubelet.evictionSoft = Values{{"memory.available", "300Mi"}};
  kubelet.evictionSoftGracePeriod = Values{{"memory.available", "1m30s"}};
  kubelet.evictionMinimumReclaim = Values{{"memory.available", "50Mi"}};
  kubelet.evictionPressureTransitionPeriod = api::Duration{30s};
  kubelet.evictionMaxPodGracePeriod = 40;
  kubelet.localStorageCapacityIsolation = false;
  kubelet.volumeStatsAggPeriod = api::Duration{-1s};
  const auto resolved = resolve(kubelet, {.recreateEvicted = {}, .evictWithinRequests = false});
  EXPECT_TRUE(resolved.problems.empty());
  const auto& config = resolved.settings.config;
  const auto soft =
      std::ranges::find(config.thresholds, Nanoseconds(90s), &eviction::Threshold::grace_period);
  ASSERT_NE(soft, config.thresholds.end());
  EXPECT_EQ(eviction::to_string(*soft->min_reclaim), "50Mi");
  EXPECT_EQ(config.pressure_transition_period, 30s);
  EXPECT_EQ(config.max_pod_grace_period, 40);
  EXPECT_FALSE(config.local_storage_capacity_isolation);
  EXPECT_FALSE(config.rules.evict_within_requests);
  EXPECT_LT(resolved.settings.volume_period, 0s);
}

TEST(EvictionSettings, a_transition_period_of_0_is_the_default) {
  KubeletConfiguration kubelet;
  kubelet.evictionPressureTransitionPeriod = api::Duration{0s};
  EXPECT_EQ(resolve(kubelet).settings.config.pressure_transition_period, 5min);
}

TEST(EvictionSettings, own_signals_stand_in_the_own_document_and_nowhere_else) {
  BerthConfiguration berth;
  berth.ownEvictionHard = Values{{"memory.pressure.full.avg10", "20%"}};
  const auto resolved = resolve({}, berth);
  EXPECT_TRUE(resolved.problems.empty());
  EXPECT_EQ(std::ranges::count(thresholds_of(resolved), "memory.pressure.full.avg10>20%"), 1);
  EXPECT_EQ(thresholds_of(resolved).size(), 7U) << "the defaults stay";
}

struct Wrong {
  KubeletConfiguration kubelet{};
  BerthConfiguration berth{};
  std::string field{};
  std::string words{};
};

TEST(EvictionSettings, what_is_wrong_is_named_with_its_field_and_signal) {
  KubeletConfiguration soft;
  soft.evictionSoft = Values{{"memory.available", "1Gi"}};
  KubeletConfiguration period;
  period.evictionPressureTransitionPeriod = api::Duration{-1s};
  BerthConfiguration kubernetes_signal;
  kubernetes_signal.ownEvictionHard = Values{{"memory.available", "1Gi"}};
  BerthConfiguration bad_own;
  bad_own.ownEvictionSoft = Values{{"swap.available", "1Gi"}};
  const Wrong cases[] = {
      {with_hard({{"memory.available", "0"}}), {}, "evictionHard[memory.available]", "positive"},
      {with_hard({{"memory.pressure.full.avg10", "1%"}}),
       {},
       "evictionHard[memory.pressure.full.avg10]",
       "unsupported eviction signal"},
      {soft, {}, "evictionSoft[memory.available]", "grace period must be specified"},
      {period, {}, "evictionPressureTransitionPeriod", "negative"},
      {{}, kubernetes_signal, "ownEvictionHard[memory.available]", "state it in Kubelet"},
      {{}, bad_own, "ownEvictionSoft[swap.available]", "grace period must be specified"},
  };
  for (const Wrong& test : cases) {
    const auto problems = resolve(test.kubelet, test.berth).problems;
    ASSERT_FALSE(problems.empty()) << test.field;
    EXPECT_EQ(problems[0].field, test.field);
    EXPECT_NE(problems[0].message.find(test.words), std::string::npos) << problems[0].message;
  }
}

TEST(EvictionSettings, what_is_rarely_meant_is_a_warning) {
  const auto warnings = resolve(with_hard({{"memory.available", "1Gi"}})).warnings;
  EXPECT_GE(warnings.size(), 2U) << "neither disk nor processes are looked after any more";
}

}  // namespace
}  // namespace berth::agent
