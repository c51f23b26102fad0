// SPDX-License-Identifier: Apache-2.0

#include "scheduling/disruption/eviction_request.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/field_path.hpp"
#include "scheduling/disruption/api_status.hpp"
#include "scheduling/disruption/disruption_budget.hpp"

namespace berth::scheduling {
namespace {

constexpr const char* kWouldViolate =
    "Cannot evict pod as it would violate the pod's disruption budget.";

using api::PodDisruptionBudget;

EvictionPlan refuse(api::Status answer, std::string why) {
  return {.answer = std::move(answer), .why = std::move(why)};
}

api::Status throttled(std::string cause, std::int32_t retry_after) {
  api::Status status = too_many_requests_status(kWouldViolate, retry_after);
  status.details->causes.push_back({.reason = "DisruptionBudget", .message = std::move(cause)});
  return status;
}

api::Status still_processed(const std::string& budget) {
  return throttled("The disruption budget " + budget + " is still being processed by the server.",
                   kRetryAfterSeconds);
}

std::string go_list(const std::vector<std::string>& words) {
  return fmt::format("[{}]", fmt::join(words, " "));
}

const std::vector<std::string>& body_dry_run(const EvictionRequest& request) {
  static const std::vector<std::string> kNone;
  return request.eviction.deleteOptions ? request.eviction.deleteOptions->dryRun : kNone;
}

bool is_dry_run(const EvictionRequest& request) {
  return !request.dry_run.empty() || !body_dry_run(request).empty();
}

// The client's own options.
api::DeleteOptions delete_options(const EvictionRequest& request) {
  return request.eviction.deleteOptions.value_or(api::DeleteOptions{});
}

// An empty version counts as well, although it requires nothing.
bool names_resource_version(const EvictionRequest& request) {
  const api::DeleteOptions options = delete_options(request);
  return options.preconditions && options.preconditions->resourceVersion;
}

// An error in the request itself.
std::optional<api::Status> bad_request(const EvictionRequest& request) {
  const api::Eviction& eviction = request.eviction;
  const std::string& version = eviction.apiVersion;
  if (!version.empty() && version != "policy/v1" && version != "policy/v1beta1") {
    return bad_request_status("the API version in the data (" + version +
                              ") does not match the expected API version (policy/v1)");
  }
  if (request.name != eviction.metadata.name) {
    return bad_request_status("name in URL does not match name in Eviction object");
  }
  const std::vector<std::string>& in_body = body_dry_run(request);
  if (delete_options(request).ignoreStoreReadErrorWithClusterBreakingPotential.value_or(false)) {
    const auto path =
        api::FieldPath("deleteOptions") / "ignoreStoreReadErrorWithClusterBreakingPotential";
    return invalid_status(
        {.name = "Eviction", .group = "policy"}, request.name,
        {api::invalid(path, api::boolean(true),
                      "can not be set for pod eviction, try after removing the option")});
  }
  if (!request.dry_run.empty() && !in_body.empty() && request.dry_run != in_body) {
    return plain_error_status("Non-matching dry-run options in request and content: " +
                              go_list(request.dry_run) + " and " + go_list(in_body));
  }
  return std::nullopt;
}

bool is_past_protection(const api::Pod& pod) {
  const std::string& phase = pod.status.phase;
  return phase == "Pending" || phase == "Succeeded" || phase == "Failed" ||
         pod.metadata.deletionTimestamp;
}

// The refusal for a precondition of the request that the pod does not meet.
std::optional<api::Status> broken_precondition(const api::DeleteOptions& options,
                                               const api::Pod& pod) {
  if (!options.preconditions) return std::nullopt;
  const auto conflict = [&](const char* what, const std::string& wanted, const std::string& found,
                            const char* meaning) {
    return conflict_status({.name = "Pod"}, pod.metadata.name,
                           fmt::format("the {0} in the precondition ({1}) does not match the {0} "
                                       "in record ({2}). The object might have been {3}",
                                       what, wanted, found, meaning));
  };
  const std::string uid = options.preconditions->uid.value_or("");
  if (!uid.empty() && uid != pod.metadata.uid) {
    return conflict("UID", uid, pod.metadata.uid, "deleted and then recreated");
  }
  const std::string version = options.preconditions->resourceVersion.value_or("");
  if (!version.empty() && version != pod.metadata.resourceVersion) {
    return conflict("ResourceVersion", version, pod.metadata.resourceVersion, "modified");
  }
  return std::nullopt;
}

api::PodCondition disruption_target(const api::Pod& pod, api::WallTime now) {
  return {.type = "DisruptionTarget",
          .observedGeneration = pod.metadata.generation,
          .status = "True",
          .lastTransitionTime = api::Time{now},
          .reason = kEvictionReason,
          .message = kEvictionMessage};
}

// Whether the server itself pins the version that it decided on, so that a pod that becomes healthy
// meanwhile is not lost. Among pods past protection only a pending one can still become healthy.
bool pins_version(EvictionRule rule, const EvictionRequest& request, const api::Pod& pod) {
  if (rule == EvictionRule::kUnhealthyPod) return true;
  return rule == EvictionRule::kPodIsPastProtection && pod.status.phase == "Pending" &&
         !pod.metadata.deletionTimestamp && !names_resource_version(request);
}

// The rule allows the eviction; what remains are the preconditions of the pod's deletion.
EvictionPlan let_go(EvictionPlan plan, const EvictionRequest& request, const EvictionView& view) {
  const api::Pod& pod = *view.pod;
  api::DeleteOptions options = delete_options(request);
  plan.answer = created_status();
  if (pins_version(plan.rule, request, pod)) {
    if (!options.preconditions) options.preconditions.emplace();
    options.preconditions->resourceVersion = pod.metadata.resourceVersion;
  }
  if (const auto conflict = broken_precondition(options, pod)) {
    // Planning again would end the same way, as the pod has not changed.
    plan.answer = *answer_to_pod_conflict(request, plan, *conflict, kEvictionTries);
    plan.why = "a precondition of the request does not hold";
    return plan;
  }
  if (options.dryRun.empty()) options.dryRun = request.dry_run;
  if (options.dryRun.empty()) plan.condition = disruption_target(pod, view.now);
  plan.deletion = std::move(options);
  return plan;
}

// Why the budget does not allow the eviction of a healthy pod.
std::optional<api::Status> budget_refusal(const PodDisruptionBudget& budget) {
  const auto& status = budget.status;
  const std::string& name = budget.metadata.name;
  const GroupName resource{.name = "poddisruptionbudget", .group = "policy"};
  if (status.observedGeneration < budget.metadata.generation) return still_processed(name);
  if (status.disruptionsAllowed < 0) {
    return forbidden_status(resource, name, "pdb disruptions allowed is negative");
  }
  if (status.disruptedPods.size() > kMostDisruptedPods) {
    return forbidden_status(
        resource, name,
        "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
  }
  if (status.disruptionsAllowed > 0) return std::nullopt;
  return throttled(
      fmt::format("The disruption budget {} needs {} healthy pods and has {} currently", name,
                  status.desiredHealthy, status.currentHealthy),
      0);
}

EvictionPlan spend(const PodDisruptionBudget& budget, const EvictionRequest& request,
                   const EvictionView& view) {
  if (auto refusal = budget_refusal(budget)) {
    EvictionPlan refused =
        refuse(std::move(*refusal), "budget " + budget.metadata.name + " allows no disruption");
    refused.budget_name = budget.metadata.name;
    return refused;
  }
  EvictionPlan plan =
      let_go({.rule = EvictionRule::kBudgetSpent,
              .budget_name = budget.metadata.name,
              .why = fmt::format("budget {} allows {} disruptions, of which this is one",
                                 budget.metadata.name, budget.status.disruptionsAllowed)},
             request, view);
  if (is_dry_run(request)) return plan;
  plan.budget = budget;
  api::PodDisruptionBudgetStatus& status = plan.budget->status;
  if (--status.disruptionsAllowed == 0) set_disruption_allowed_condition(status, view.now);
  status.disruptedPods[view.pod->metadata.name] = api::Time{view.now};
  return plan;
}

// Pods that are not ready do not count for the budget, so it may allow their eviction uncounted.
bool lets_unhealthy_go(const PodDisruptionBudget& budget) {
  if (budget.spec.unhealthyPodEvictionPolicy == "AlwaysAllow") return true;
  const auto& status = budget.status;
  return status.currentHealthy >= status.desiredHealthy && status.desiredHealthy > 0;
}

}  // namespace

EvictionPlan plan_eviction(const EvictionRequest& request, const EvictionView& view) {
  if (auto status = bad_request(request)) {
    return refuse(std::move(*status), "the request contradicts itself");
  }
  if (view.pod == nullptr) {
    return refuse(not_found_status({.name = "pods"}, request.name), "there is no such pod");
  }
  const api::Pod& pod = *view.pod;
  if (is_past_protection(pod)) {
    const std::string state =
        pod.metadata.deletionTimestamp ? "is terminating" : "is in phase " + pod.status.phase;
    return let_go({.rule = EvictionRule::kPodIsPastProtection,
                   .why = "the pod " + state + ": no budget is asked"},
                  request, view);
  }
  std::vector<const PodDisruptionBudget*> matching;
  for (const PodDisruptionBudget* budget : view.budgets) {
    if (protects(*budget, pod)) matching.push_back(budget);
  }
  if (matching.size() > 1) {
    return refuse(
        plain_error_status("This pod has more than one PodDisruptionBudget, which the eviction "
                           "subresource does not support."),
        fmt::format("{} budgets select the pod", matching.size()));
  }
  if (matching.empty()) {
    return let_go({.rule = EvictionRule::kNoBudget, .why = "no budget selects the pod"}, request,
                  view);
  }
  const PodDisruptionBudget& budget = *matching.front();
  if (!is_ready(pod) && lets_unhealthy_go(budget)) {
    const std::string& name = budget.metadata.name;
    return let_go({.rule = EvictionRule::kUnhealthyPod,
                   .budget_name = name,
                   .why = "the pod is not ready, and budget " + name + " does not count it"},
                  request, view);
  }
  return spend(budget, request, view);
}

EvictionPlan replan_with_budget(const EvictionRequest& request, const EvictionView& view,
                                const PodDisruptionBudget& current, int tries) {
  if (tries < kEvictionTries) return spend(current, request, view);
  return refuse(timeout_status("couldn't update PodDisruptionBudget \"" + current.metadata.name +
                                   "\" due to conflicts",
                               kRetryAfterSeconds),
                fmt::format("{} tries to write the budget met conflicts", tries));
}

std::optional<api::Status> answer_to_pod_conflict(const EvictionRequest& request,
                                                  const EvictionPlan& plan,
                                                  const api::Status& conflict, int tries) {
  if (names_resource_version(request)) return conflict;
  switch (plan.rule) {
    case EvictionRule::kPodIsPastProtection:
      return tries < kEvictionTries ? std::nullopt : std::optional(conflict);
    case EvictionRule::kUnhealthyPod:
      return still_processed(plan.budget_name);
    default:
      return conflict;
  }
}

}  // namespace berth::scheduling
