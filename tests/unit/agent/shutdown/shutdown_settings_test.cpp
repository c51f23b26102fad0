// SPDX-License-Identifier: Apache-2.0

// The node shutdown settings in a configuration: valid and invalid ones.
#include "agent/shutdown/shutdown_settings.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
using lifecycle::ShutdownGroups;

constexpr std::int32_t kCritical = 2'000'000'000;
constexpr const char* kPeriod = "shutdownGracePeriod";
constexpr std::int64_t kTooLong = 40'000'000;

KubeletConfiguration periods(std::optional<std::chrono::nanoseconds> whole,
                             std::optional<std::chrono::nanoseconds> critical = {}) {
  KubeletConfiguration kubelet;
  if (whole) kubelet.shutdownGracePeriod = api::Duration{*whole};
  if (critical) kubelet.shutdownGracePeriodCriticalPods = api::Duration{*critical};
  return kubelet;
}

KubeletConfiguration by_priority(std::vector<ShutdownGracePeriodByPodPriority> list) {
  KubeletConfiguration kubelet;
  kubelet.shutdownGracePeriodByPodPriority = std::move(list);
  return kubelet;
}

TEST(ShutdownSettings, come_to_groups_by_priority_as_in_the_kubelet) {
  const struct {
    const char* name;
    KubeletConfiguration kubelet;
    ShutdownGroups groups;
    std::string field;
  } cases[] = {
      {"nothing is set", {}, {}, ""},
      {"zero is nothing", periods(0s, 0s), {}, ""},
      {"an empty list is nothing", by_priority({}), {}, ""},
      {"a part for critical pods", periods(30s, 10s), {{0, 20s}, {kCritical, 10s}}, kPeriod},
      {"no part for them", periods(30s), {{0, 30s}, {kCritical, 0s}}, kPeriod},
      {"all of it for them", periods(30s, 30s), {{0, 0s}, {kCritical, 30s}}, kPeriod},
      {"fractions of a second are cut off",
       periods(2500ms, 1200ms),
       {{0, 1s}, {kCritical, 1s}},
       kPeriod},
      {"a list, in whatever order",
       by_priority({{.priority = 1000, .shutdownGracePeriodSeconds = 20},
                    {.priority = -5, .shutdownGracePeriodSeconds = 60},
                    {.shutdownGracePeriodSeconds = 40}}),
       {{-5, 60s}, {0, 40s}, {1000, 20s}},
       "shutdownGracePeriodByPodPriority"},
      {"an empty list beside periods",
       [] {
         auto kubelet = periods(30s, 10s);
         kubelet.shutdownGracePeriodByPodPriority.emplace();
         return kubelet;
       }(),
       {{0, 20s}, {kCritical, 10s}},
       kPeriod},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    const auto resolved = resolve_shutdown(one.kubelet);
    EXPECT_TRUE(resolved.problems.empty());
    EXPECT_EQ(resolved.configured.groups, one.groups);
    EXPECT_EQ(resolved.configured.field, one.field) << "what messages name";
  }
}

TEST(ShutdownSettings, that_contradict_each_other_are_refused_by_their_names) {
  auto both = by_priority({{.priority = 0, .shutdownGracePeriodSeconds = 5}});
  both.shutdownGracePeriod = api::Duration{30s};
  const struct {
    const char* name;
    KubeletConfiguration kubelet;
    const char* field;
    const char* message;
  } cases[] = {
      {"the critical part is longer", periods(10s, 20s), "shutdownGracePeriodCriticalPods",
       "must not be longer than shutdownGracePeriod, of which it is a part: 10s, not 20s"},
      {"a critical part of nothing", periods({}, 20s), "shutdownGracePeriodCriticalPods",
       "must not be longer than shutdownGracePeriod, of which it is a part: 0s, not 20s"},
      {"less than a second", periods(500ms), "shutdownGracePeriod",
       "must be 0 or between 1s and 8765h49m12s, not 500ms"},
      {"a critical part below a second", periods(10s, 1ms), "shutdownGracePeriodCriticalPods",
       "must be 0 or between 1s and 8765h49m12s, not 1ms"},
      {"negative", periods(-3s), "shutdownGracePeriod",
       "must be 0 or between 1s and 8765h49m12s, not -3s"},
      {"both forms", both, "shutdownGracePeriodByPodPriority",
       "cannot stand beside shutdownGracePeriod and shutdownGracePeriodCriticalPods: leave out one "
       "or the other"},
      {"a negative group", by_priority({{.priority = 1, .shutdownGracePeriodSeconds = -1}}),
       "shutdownGracePeriodByPodPriority[0].shutdownGracePeriodSeconds",
       "must be between 0 and 31556952, not -1"},
      {"a group of years", by_priority({{.priority = 1, .shutdownGracePeriodSeconds = kTooLong}}),
       "shutdownGracePeriodByPodPriority[0].shutdownGracePeriodSeconds",
       "must be between 0 and 31556952, not 40000000"},
      {"a priority twice",
       by_priority({{.priority = 1, .shutdownGracePeriodSeconds = 1},
                    {.priority = 1, .shutdownGracePeriodSeconds = 2}}),
       "shutdownGracePeriodByPodPriority[1].priority", "1 is stated twice: each group has its own"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    const auto resolved = resolve_shutdown(one.kubelet);
    EXPECT_TRUE(resolved.configured.groups.empty());
    ASSERT_EQ(resolved.problems.size(), 1U);
    EXPECT_EQ(resolved.problems.front().field, one.field);
    EXPECT_EQ(resolved.problems.front().message, one.message);
  }
}

}  // namespace
}  // namespace berth::agent
