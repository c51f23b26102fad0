// SPDX-License-Identifier: Apache-2.0

#include "scheduling/disruption/budget_status.hpp"

#include <algorithm>
#include <charconv>
#include <expected>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scheduling/disruption/disruption_budget.hpp"
#include "scheduling/predicates/label_selector.hpp"

namespace berth::scheduling {
namespace {

using api::Pod;
using api::PodDisruptionBudget;
using Owned = std::vector<OwnedPod>;

// How many pods are expected, and how many of them must at least be healthy.
struct Expectation {
  std::int32_t pods = 0;
  std::int32_t healthy = 0;
  std::vector<std::string> unmanaged{};  // names
};

Owned selected(const PodDisruptionBudget& budget, const LabelSelector& selector,
               const Owned& pods) {
  Owned found;
  std::ranges::copy_if(pods, std::back_inserter(found), [&](const OwnedPod& owned) {
    return owned.pod->metadata.namespace_ == budget.metadata.namespace_ &&
           selector.matches(owned.pod->metadata.labels);
  });
  return found;
}

// Sums the replicas of all owners, counting each owner once.
std::expected<Expectation, std::string> expected_scale(const Owned& pods, const Owned& standing) {
  Expectation expectation;
  std::map<std::string, std::int32_t> replicas;
  for (const Owned* list : {&standing, &pods}) {
    for (const OwnedPod& owned : *list) {
      const std::string& name = owned.pod->metadata.name;
      if (!owned.owner) {
        expectation.unmanaged.push_back(name);
      } else if (!owned.owner->replicas) {
        return std::unexpected("found no controllers for pod \"" + name + "\"");
      } else {
        replicas.emplace(owned.owner->id, *owned.owner->replicas);
      }
    }
  }
  for (const auto& [owner, count] : replicas) expectation.pods += count;
  return expectation;
}

// A number as it is, or a percentage of `total`, rounded up.
std::expected<std::int32_t, std::string> scaled(const api::IntOrString& value, std::int32_t total) {
  if (value.is_int()) return value.int_value();
  const std::string text = value.string_value();
  std::string_view digits = text;
  std::int64_t percent = 0;
  const bool is_percentage = digits.ends_with('%');
  if (is_percentage) digits.remove_suffix(1);
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), percent);
  if (!is_percentage || error != std::errc() || end != digits.end()) {
    return std::unexpected(
        "invalid value for IntOrString: invalid type: string is not a "
        "percentage: " +
        text);
  }
  return static_cast<std::int32_t>((percent * total + 99) / 100);
}

std::expected<Expectation, std::string> expect(const PodDisruptionBudget& budget, const Owned& pods,
                                               const Owned& standing) {
  const auto& spec = budget.spec;
  if (!spec.maxUnavailable && !spec.minAvailable) return Expectation{};
  if (!spec.maxUnavailable && spec.minAvailable->is_int()) {
    return Expectation{.pods = static_cast<std::int32_t>(pods.size()),
                       .healthy = spec.minAvailable->int_value()};
  }
  auto expectation = expected_scale(pods, standing);
  if (!expectation) return expectation;
  const bool by_maximum = spec.maxUnavailable.has_value();
  const auto part =
      scaled(by_maximum ? *spec.maxUnavailable : *spec.minAvailable, expectation->pods);
  if (!part) return std::unexpected(part.error());
  expectation->healthy = by_maximum ? std::max(0, expectation->pods - *part) : *part;
  return expectation;
}

// Keeps the entries for evictions that are still pending.
void keep_disrupted(const PodDisruptionBudget& budget, const Owned& pods, api::WallTime now,
                    BudgetSync& sync) {
  for (const OwnedPod& owned : pods) {
    const api::ObjectMeta& meta = owned.pod->metadata;
    const auto entry = budget.status.disruptedPods.find(meta.name);
    if (meta.deletionTimestamp || entry == budget.status.disruptedPods.end()) continue;
    const api::WallTime due = entry->second.at + kDeletionTimeout;
    if (due < now) {
      sync.events.push_back(
          {.reason = "NotDeleted",
           .message = fmt::format("Pod was expected by PDB {}/{} to be deleted but it wasn't",
                                  budget.metadata.namespace_, budget.metadata.name),
           .pod = meta.name});
      continue;
    }
    sync.status.disruptedPods.insert(*entry);
    if (!sync.look_again || due < *sync.look_again) sync.look_again = due;
  }
}

std::int32_t count_healthy(const Owned& pods, const std::map<std::string, api::Time>& disrupted,
                           api::WallTime now) {
  return static_cast<std::int32_t>(std::ranges::count_if(pods, [&](const OwnedPod& owned) {
    if (owned.pod->metadata.deletionTimestamp || !is_ready(*owned.pod)) return false;
    const auto entry = disrupted.find(owned.pod->metadata.name);
    return entry == disrupted.end() || entry->second.at + kDeletionTimeout <= now;
  }));
}

BudgetSync failed(const PodDisruptionBudget& budget, const std::string& why, api::WallTime now) {
  BudgetSync sync{.status = budget.status};
  sync.status.disruptionsAllowed = 0;
  set_condition(sync.status,
                {.type = kDisruptionAllowed,
                 .status = "False",
                 .observedGeneration = budget.status.observedGeneration,
                 .reason = kSyncFailed,
                 .message = why},
                now);
  return sync;
}

}  // namespace

BudgetSync sync_budget(const PodDisruptionBudget& budget, const BudgetInput& input) {
  const auto selector = LabelSelector::compile(budget.spec.selector);
  if (!selector) return failed(budget, selector.error(), input.now);
  const Owned pods = selected(budget, *selector, input.pods);
  const auto expectation = expect(budget, pods, selected(budget, *selector, input.standing));
  if (!expectation) return failed(budget, expectation.error(), input.now);

  BudgetSync sync;
  keep_disrupted(budget, pods, input.now, sync);
  api::PodDisruptionBudgetStatus& status = sync.status;
  status.observedGeneration = budget.metadata.generation;
  status.expectedPods = expectation->pods;
  status.desiredHealthy = expectation->healthy;
  status.currentHealthy = count_healthy(pods, status.disruptedPods, input.now);
  // A budget that expects no pods allows nothing, so that its first pods are protected from the
  // start.
  status.disruptionsAllowed =
      expectation->pods > 0 ? std::max(0, status.currentHealthy - status.desiredHealthy) : 0;
  status.conditions = budget.status.conditions;
  set_disruption_allowed_condition(status, input.now);
  if (!expectation->unmanaged.empty()) {
    sync.events.push_back(
        {.reason = "UnmanagedPods",
         .message = fmt::format("nothing makes these pods again, so that they are not among the "
                                "expected ones: {}; minAvailable as a number counts them",
                                fmt::join(expectation->unmanaged, ", "))});
  }
  return sync;
}

bool has_stale_disruption_target(const Pod& pod, api::WallTime now) {
  const bool is_terminal = pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
  if (is_terminal || pod.metadata.deletionTimestamp) return false;
  return std::ranges::any_of(pod.status.conditions, [&](const api::PodCondition& condition) {
    return condition.type == "DisruptionTarget" && condition.status == "True" &&
           condition.reason != "TerminationByKubelet" && condition.lastTransitionTime &&
           condition.lastTransitionTime->at + kDeletionTimeout < now;
  });
}

}  // namespace berth::scheduling
