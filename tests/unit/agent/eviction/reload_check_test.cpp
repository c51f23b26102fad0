// SPDX-License-Identifier: Apache-2.0

// Which thresholds a reload refuses.
#include "agent/eviction/reload_check.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

using eviction::CycleVerdict;
using eviction::Explanation;
using eviction::Signal;

Explanation deciding(CycleVerdict verdict) {
  return {.verdict = verdict};
}

// Memory is due, and `victim` would go for it.
Explanation evicting(const std::string& victim) {
  Explanation view = deciding(CycleVerdict::kEvict);
  eviction::ThresholdOutlook threshold;
  threshold.judged.standing = eviction::ThresholdStanding::kDue;
  view.signals.push_back({.signal = Signal::kMemoryAvailable, .thresholds = {threshold}});
  eviction::RankedPod ranked;
  ranked.pod.namespace_ = "default";
  ranked.pod.name = victim;
  view.rankings.push_back(
      {.signal = Signal::kMemoryAvailable, .ranking = {ranked}, .next_victim = 0});
  return view;
}

TEST(ReloadCheck, refuses_thresholds_that_would_act_at_once_where_those_in_force_would_not) {
  const Explanation idle = deciding(CycleVerdict::kNothingMet);
  for (const auto verdict :
       {CycleVerdict::kEvict, CycleVerdict::kReclaimOnNode, CycleVerdict::kLimitsExceeded}) {
    EXPECT_TRUE(refused_thresholds(idle, deciding(verdict)));
    EXPECT_FALSE(refused_thresholds(deciding(verdict), deciding(verdict)))
        << "it is under way already";
  }
  EXPECT_FALSE(refused_thresholds(idle, idle));
  EXPECT_FALSE(refused_thresholds(idle, deciding(CycleVerdict::kNobodyEvictable)));
}

TEST(ReloadCheck, says_who_would_go_and_how_to_have_it_all_the_same) {
  EXPECT_EQ(refused_thresholds(deciding(CycleVerdict::kNothingMet), evicting("web")),
            "the eviction thresholds would evict at once (memory.available: default/web); to have "
            "them all the same, set evictAtOnce: true");
  Explanation nobody = evicting("web");
  nobody.rankings[0].next_victim.reset();
  EXPECT_NE(refused_thresholds(deciding(CycleVerdict::kNothingMet), nobody)
                ->find("(memory.available: nobody)"),
            std::string::npos);
}

}  // namespace
}  // namespace berth::agent
