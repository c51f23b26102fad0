// SPDX-License-Identifier: Apache-2.0

// Graceful node shutdown: which pods are stopped when, and within which period.
//
// Pods are grouped by priority. The groups are stopped one after another, the lowest first, so that
// what others need stops last; the pods of a group are stopped together. Once a group's period is
// over, the next group follows, whatever still runs. Groups without pods take no time. Seconds are
// whole. Reference: "Graceful node shutdown" in Kubernetes' documentation. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "api/pod.hpp"

namespace berth::lifecycle {

struct ShutdownGroup {
  std::int32_t priority = 0;  // its pods have at least this; lower than the next group's
  std::chrono::seconds period{};
  bool operator==(const ShutdownGroup&) const = default;
};
// Ascending by priority. If empty, no pod is stopped before the machine powers off.
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

// How long the machine's shutdown has to wait at most, if every group has pods.
[[nodiscard]] std::chrono::seconds longest_shutdown(const ShutdownGroups& groups);

// How much of the plan fits into the time that the machine allows.
struct ShutdownBudget {
  std::chrono::seconds needed{};  // until the last of these pods has had its period
  std::size_t cut_short = 0;      // pods that get less than their own period
  std::size_t lost = 0;  // pods that the machine's shutdown may catch before their period is over
};
// `granted`: how long the machine's shutdown can be delayed at most; if unset, it is unknown, and
// assumed to be enough.
[[nodiscard]] ShutdownBudget shutdown_budget(const ShutdownPlan& plan,
                                             std::optional<std::chrono::nanoseconds> granted);

}  // namespace berth::lifecycle
