// What is answered to a request to evict a pod (POST .../pods/NAME/eviction), and what is to be
// done for it.
//
// Pure over the request, the pod and the budgets of its namespace. Answers, words and numbers are
// the API server's, v1.34. A plan is carried out in this order: the budget's status is written,
// then the pod's condition, then the pod is deleted, then the answer given. Each write is
// conditional on the resourceVersion that the plan was made from; where one meets a conflict, the
// functions below decide how it goes on.
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

// How often a write is tried before its conflicts are answered with a timeout, and what lies
// between two tries: 500 ms, and at random up to 10 % more.
inline constexpr int kEvictionTries = 20;

// More entries than this in disruptedPods: the disruption controller does not keep up.
inline constexpr std::size_t kMostDisruptedPods = 2000;

// An answer that comes too early for the disruption controller asks to wait this long.
inline constexpr std::int32_t kRetryAfterSeconds = 10;

struct EvictionRequest {
  std::string name{};                  // of the pod, in the URL
  std::vector<std::string> dry_run{};  // of the query
  api::Eviction eviction{};            // the body
};

// What there is when the request is decided. Owns nothing.
struct EvictionView {
  const api::Pod* pod = nullptr;  // null: there is no pod of that name
  // Those of its namespace; others do no harm.
  std::vector<const api::PodDisruptionBudget*> budgets{};
  api::WallTime now{};
};

// Which rule let the pod go.
enum class EvictionRule : std::uint8_t {
  kRefused,
  kPodIsPastProtection,  // phase Pending, Succeeded or Failed, or terminating: no budget is asked
  kNoBudget,
  kUnhealthyPod,  // not ready, which the budget lets go without counting it
  kBudgetSpent,
};

struct EvictionPlan {
  EvictionRule rule = EvictionRule::kRefused;
  std::string budget_name{};  // of the one budget that decided, if there was one
  // With its status as it is to be written. It is written even where a precondition then refuses
  // the deletion, and the allowance is not given back.
  std::optional<api::PodDisruptionBudget> budget{};
  std::optional<api::PodCondition> condition{};  // DisruptionTarget
  // How it is deleted; none: it is not. With dryRun nothing is written here or above.
  std::optional<api::DeleteOptions> deletion{};
  api::Status answer{};
  std::string why{};  // which rule of which budget, for a person
};

[[nodiscard]] EvictionPlan plan_eviction(const EvictionRequest& request, const EvictionView& view);

// The budget's status was changed by another since the plan was made. `current` is what it is now,
// `tries` how often it has been tried to write it. Only the allowance is looked at again.
[[nodiscard]] EvictionPlan replan_with_budget(const EvictionRequest& request,
                                              const EvictionView& view,
                                              const api::PodDisruptionBudget& current, int tries);

// The pod was changed by another since the plan was made. None: plan again, with the pod as it is
// now.
[[nodiscard]] std::optional<api::Status> answer_to_pod_conflict(const EvictionRequest& request,
                                                                const EvictionPlan& plan,
                                                                const api::Status& conflict,
                                                                int tries);

}  // namespace berth::scheduling
