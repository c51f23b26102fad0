// SPDX-License-Identifier: Apache-2.0

// The status of a PodDisruptionBudget: how many of its pods are expected, how many are healthy, how
// many may be disrupted now.
//
// Pure. Numbers and reasons are the disruption controller's, v1.34. It derives the expected pods
// from the controllers of a budget's pods and their replicas. On a node without controllers these
// rules apply:
//
// * A present manifest is a controller of one replica, even while its pod does not exist.
//   So a pod that was evicted or is being recreated is expected, and is not healthy.
// * A pod with an owner elsewhere adds that owner's replicas, once for all pods of that owner. An
//   owner with unknown replicas fails the budget's sync, and no pod may be disrupted.
// * A pod with neither is unmanaged: it counts as healthy, is not expected, and is reported.
//
// minAvailable as a number does not need these rules: then the existing pods are the expected ones.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "api/pod_disruption_budget.hpp"
#include "api/time.hpp"

namespace berth::scheduling {

// How long an evicted pod that still exists counts as removed.
inline constexpr std::chrono::minutes kDeletionTimeout{2};

// The owner that recreates a removed pod.
struct PodOwner {
  std::string id{};                        // the same for all pods of one owner
  std::optional<std::int32_t> replicas{};  // unset if unknown
};

struct OwnedPod {
  const api::Pod* pod = nullptr;
  std::optional<PodOwner> owner{};  // unset if there is no owner
};

struct BudgetInput {
  // All pods, including those that the budget does not select. The owner of a manifest's pod is the
  // manifest, with one replica.
  std::vector<OwnedPod> pods{};
  // The pods of present manifests, with the manifests as owners; they need not exist.
  std::vector<OwnedPod> standing{};
  api::WallTime now{};
};

struct BudgetEvent {
  std::string reason{};  // UnmanagedPods, NotDeleted
  std::string message{};
  std::string pod{};  // the pod concerned; empty if it is the budget

  bool operator==(const BudgetEvent&) const = default;
};

struct BudgetSync {
  api::PodDisruptionBudgetStatus status{};
  std::vector<BudgetEvent> events{};  // all of type Warning
  // When the next entry of disruptedPods expires, if nothing happens before.
  std::optional<api::WallTime> look_again{};
};

[[nodiscard]] BudgetSync sync_budget(const api::PodDisruptionBudget& budget,
                                     const BudgetInput& input);

// Whether a pod was to be disrupted but still exists after two minutes, so that its condition
// DisruptionTarget should become False. Not for pods that a kubelet terminates itself.
[[nodiscard]] bool has_stale_disruption_target(const api::Pod& pod, api::WallTime now);

}  // namespace berth::scheduling
