// SPDX-License-Identifier: Apache-2.0

// The answer to a request to evict a pod (POST .../pods/NAME/eviction), and the writes that the
// request causes.
//
// Pure over the request, the pod and the budgets of its namespace. Answers, messages and numbers
// are the API server's, v1.34. A plan is executed in this order: write the budget's status, write
// the pod's condition, delete the pod, answer. Each write is conditional on the resourceVersion
// that the plan was made from; after a conflict the functions below decide how to continue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/eviction.hpp"
#include "api/pod.hpp"
#include "api/pod_disruption_budget.hpp"
#include "api/status.hpp"
#include "api/time.hpp"

namespace berth::scheduling {

inline constexpr const char* kEvictionReason = "EvictionByEvictionAPI";
inline constexpr const char* kEvictionMessage = "Eviction API: evicting";

// How often a write is tried before its conflicts are answered with a timeout, and the wait between
// two tries: 500 ms plus a random part of up to 10 %.
inline constexpr int kEvictionTries = 20;

// If disruptedPods has more entries, the disruption controller is not keeping up.
inline constexpr std::size_t kMostDisruptedPods = 2000;

// The wait that a client is asked for when the disruption controller is behind, in seconds.
inline constexpr std::int32_t kRetryAfterSeconds = 10;

struct EvictionRequest {
  std::string name{};                  // the pod's name in the URL
  std::vector<std::string> dry_run{};  // from the query
  api::Eviction eviction{};            // the request body
};

// The state in which the request is decided. Owns nothing.
struct EvictionView {
  const api::Pod* pod = nullptr;  // null if no pod has that name
  // The budgets of its namespace; others are ignored.
  std::vector<const api::PodDisruptionBudget*> budgets{};
  api::WallTime now{};
};

// The rule that allowed the eviction.
enum class EvictionRule : std::uint8_t {
  kRefused,
  kPodIsPastProtection,  // phase Pending, Succeeded or Failed, or terminating: no budget is
                         // consulted
  kNoBudget,
  kUnhealthyPod,  // not ready, and the budget allows its eviction without counting it
  kBudgetSpent,
};

struct EvictionPlan {
  EvictionRule rule = EvictionRule::kRefused;
  std::string budget_name{};  // the budget that decided, if one did
  // The budget with the status to write. It is written even if a precondition then refuses the
  // deletion, and the allowance is not restored.
  std::optional<api::PodDisruptionBudget> budget{};
  std::optional<api::PodCondition> condition{};  // DisruptionTarget
  // How to delete the pod; unset if it must not be deleted. With dryRun nothing is written here or
  // above.
  std::optional<api::DeleteOptions> deletion{};
  api::Status answer{};
  std::string why{};  // which rule of which budget, for people
};

[[nodiscard]] EvictionPlan plan_eviction(const EvictionRequest& request, const EvictionView& view);

// Used if another writer changed the budget's status since the plan was made. `current` is its
// present state, `tries` the number of write attempts. Only the allowance is checked again.
[[nodiscard]] EvictionPlan replan_with_budget(const EvictionRequest& request,
                                              const EvictionView& view,
                                              const api::PodDisruptionBudget& current, int tries);

// Used if another writer changed the pod since the plan was made. `std::nullopt` means that the
// caller must plan again, with the pod's present state.
[[nodiscard]] std::optional<api::Status> answer_to_pod_conflict(const EvictionRequest& request,
                                                                const EvictionPlan& plan,
                                                                const api::Status& conflict,
                                                                int tries);

}  // namespace berth::scheduling
