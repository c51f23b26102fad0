// The status of a PodDisruptionBudget: how many of its pods there should be, how many are healthy,
// how many may be disrupted now.
//
// Pure. Numbers and reasons are the disruption controller's, v1.34. It counts what a budget expects
// by the controllers of its pods, each with its replicas. On a node without controllers that is
// counted so:
//
// * A manifest that stands is a controller of one replica, whether its pod exists at the moment or
//   not. So a pod that was evicted or is being made again is expected, and is not healthy.
// * A pod with an owner elsewhere brings that owner's replicas, once for all pods of that owner. An
//   owner whose replicas nobody knows fails the budget's sync, and nothing may be disrupted.
// * A pod with neither is unmanaged: it counts as healthy, is not expected, and is reported.
//
// minAvailable as a number needs none of this: then the pods that exist are the expected ones.
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

// How long an evicted pod counts as gone before it is.
inline constexpr std::chrono::minutes kDeletionTimeout{2};

// Who makes a pod again if it goes.
struct PodOwner {
  std::string id{};                        // the same for all pods of one owner
  std::optional<std::int32_t> replicas{};  // none: not known
};

struct OwnedPod {
  const api::Pod* pod = nullptr;
  std::optional<PodOwner> owner{};  // none: nobody
};

struct BudgetInput {
  // All pods, those the budget does not select included. A manifest's pod names the manifest as
  // its owner, with one replica.
  std::vector<OwnedPod> pods{};
  // As their manifests state them, with those manifests as owners; they need not exist.
  std::vector<OwnedPod> standing{};
  api::WallTime now{};
};

struct BudgetEvent {
  std::string reason{};  // UnmanagedPods, NotDeleted
  std::string message{};
  std::string pod{};  // the pod it is about; empty: the budget

  bool operator==(const BudgetEvent&) const = default;
};

struct BudgetSync {
  api::PodDisruptionBudgetStatus status{};
  std::vector<BudgetEvent> events{};  // all of type Warning
  // When an entry of disruptedPods runs out, if nothing happens before.
  std::optional<api::WallTime> look_again{};
};

[[nodiscard]] BudgetSync sync_budget(const api::PodDisruptionBudget& budget,
                                     const BudgetInput& input);

// A pod that was to be disrupted and after two minutes still is not: its condition DisruptionTarget
// is to become False. Not for what a kubelet ends itself.
[[nodiscard]] bool has_stale_disruption_target(const api::Pod& pod, api::WallTime now);

}  // namespace berth::scheduling
