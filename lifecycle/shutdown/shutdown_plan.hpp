// SPDX-License-Identifier: Apache-2.0

// Graceful node shutdown: which pods are stopped when, each within which period.
//
// Pods are in groups by their priority. The groups are stopped one after another, the lowest first,
// so that what others need goes last; the pods of a group are stopped together. A group is left
// behind once its period is over, whatever still runs of it. Groups without pods take no time.
// Seconds are whole. Reference: "Graceful node shutdown" in Kubernetes' documentation. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "api/pod.hpp"

namespace berth::lifecycle {

struct ShutdownGroup {
  std::int32_t priority = 0;  // of its pods at least; below the next group's
  std::chrono::seconds period{};
  bool operator==(const ShutdownGroup&) const = default;
};
// Ascending by priority. Empty: no pod is stopped before the machine goes off.
using ShutdownGroups = std::vector<ShutdownGroup>;

struct PlannedStop {
  std::shared_ptr<const api::Pod> pod{};
  std::chrono::seconds grace{};  // the smaller of its group's and its own
  bool cut_short = false;        // its own is longer
};

struct PlannedGroup {
  ShutdownGroup group{};
  std::chrono::seconds begins{};  // after the announcement, at the latest
  std::vector<PlannedStop> pods{};
};
// In the order in which they are stopped; groups without pods are left out.
using ShutdownPlan = std::vector<PlannedGroup>;

// The group of a pod with that priority (unset counts as 0): the highest that begins at or below
// it; the lowest for a pod below all. `groups` is not empty.
[[nodiscard]] const ShutdownGroup& group_of(const ShutdownGroups& groups, const api::Pod& pod);

// Pods of a group stay in the order in which they are given.
[[nodiscard]] ShutdownPlan shutdown_plan(const ShutdownGroups& groups,
                                         const std::vector<std::shared_ptr<const api::Pod>>& pods);

// What the machine's end has to wait for at most, if every group has pods.
[[nodiscard]] std::chrono::seconds longest_shutdown(const ShutdownGroups& groups);

// How much of the plan fits into the time that the machine grants.
struct ShutdownBudget {
  std::chrono::seconds needed{};  // until the last of these pods has had its period
  std::size_t cut_short = 0;      // pods that get less than their own period
  std::size_t lost = 0;  // pods that the machine's end may catch before their period is over
};
// `granted`: what delays the machine's end at most; unset: unknown, and taken as enough.
[[nodiscard]] ShutdownBudget shutdown_budget(const ShutdownPlan& plan,
                                             std::optional<std::chrono::nanoseconds> granted);

}  // namespace berth::lifecycle
