// SPDX-License-Identifier: Apache-2.0

// Which pods are stopped when, before the machine powers off.
#include "lifecycle/shutdown/shutdown_plan.hpp"

#include <gtest/gtest.h>

#include <string>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;
using std::chrono::seconds;
using Pods = std::vector<std::shared_ptr<const api::Pod>>;

constexpr std::int32_t kCritical = 2'000'000'000;

std::shared_ptr<const api::Pod> pod(const char* name, std::optional<std::int32_t> priority,
                                    std::optional<std::int64_t> own) {
  auto made = std::make_shared<api::Pod>();
  made->metadata.name = name;
  made->spec.priority = priority;
  made->spec.terminationGracePeriodSeconds = own;
  return made;
}

// "after 0 s (20 s): web 20 cut, db 5; ..."
std::string text(const ShutdownPlan& plan) {
  std::string out;
  for (const PlannedGroup& planned : plan) {
    out += (out.empty() ? "" : "; ") + std::string("after ") +
           std::to_string(planned.begins.count()) + " (" +
           std::to_string(planned.group.period.count()) + "):";
    for (const PlannedStop& stop : planned.pods)
      out += " " + stop.pod->metadata.name + "=" + std::to_string(stop.grace.count()) +
             (stop.cut_short ? "!" : "");
  }
  return out;
}

struct Case {
  const char* name;
  ShutdownGroups groups;
  Pods pods;
  const char* plan;
};

const ShutdownGroups kTwo = {{0, 20s}, {kCritical, 10s}};
const ShutdownGroups kMany = {{10, 5s}, {100, 7s}, {1000, 9s}};

std::vector<Case> cases() {
  return {
      {"nothing is set, so nobody is stopped", {}, {pod("web", 0, 30)}, ""},
      {"there are no pods", kTwo, {}, ""},
      {"the lowest priority goes first",
       kTwo,
       {pod("dns", kCritical, 5), pod("web", 0, 5)},
       "after 0 (20): web=5; after 20 (10): dns=5"},
      {"a group without pods takes no time",
       kTwo,
       {pod("dns", kCritical, 5)},
       "after 0 (10): dns=5"},
      {"a pod gets no more than its group", kTwo, {pod("web", 0, 30)}, "after 0 (20): web=20!"},
      {"a pod gets no more than its own period", kTwo, {pod("web", 0, 3)}, "after 0 (20): web=3"},
      {"one that asks for exactly its group's period is not cut short",
       kTwo,
       {pod("web", 0, 20)},
       "after 0 (20): web=20"},
      {"one without a period of its own has its group's",
       kTwo,
       {pod("web", 0, std::nullopt)},
       "after 0 (20): web=20"},
      {"no priority counts as 0", kTwo, {pod("web", std::nullopt, 1)}, "after 0 (20): web=1"},
      {"a group takes pods up to the next one's priority",
       kMany,
       {pod("a", 99, 1), pod("b", 100, 1), pod("c", 999, 1), pod("d", 1000, 1), pod("e", 5000, 1)},
       "after 0 (5): a=1; after 5 (7): b=1 c=1; after 12 (9): d=1 e=1"},
      {"a pod below all groups is in the lowest",
       kMany,
       {pod("low", -7, 1), pod("none", 9, 1)},
       "after 0 (5): low=1 none=1"},
      {"a group may have no time at all", {{0, 0s}}, {pod("web", 0, 30)}, "after 0 (0): web=0!"},
  };
}

TEST(ShutdownPlan, stops_pods_by_priority_each_within_the_shorter_period) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(text(shutdown_plan(one.groups, one.pods)), one.plan);
  }
}

TEST(ShutdownPlan, takes_as_long_as_all_groups_together) {
  EXPECT_EQ(longest_shutdown(kMany), 21s);
  EXPECT_EQ(longest_shutdown({}), 0s);
}

TEST(ShutdownPlan, fits_if_the_machine_waits_for_its_last_pod) {
  const auto plan = shutdown_plan(kTwo, {pod("web", 0, 30), pod("dns", kCritical, 8)});
  const ShutdownBudget budget = shutdown_budget(plan, 30s);
  EXPECT_EQ(budget.needed, 28s);
  EXPECT_EQ(budget.cut_short, 1U);
  EXPECT_EQ(budget.lost, 0U);
  EXPECT_EQ(shutdown_budget(plan, 28s).lost, 0U);
  EXPECT_EQ(shutdown_budget(plan, 27s).lost, 1U);
  EXPECT_EQ(shutdown_budget(plan, 5s).lost, 2U);
  EXPECT_EQ(shutdown_budget(plan, std::nullopt).lost, 0U) << "what is not known is no complaint";
}

}  // namespace
}  // namespace berth::lifecycle
