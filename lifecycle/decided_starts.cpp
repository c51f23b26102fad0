// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/decided_starts.hpp"

#include <ranges>
#include <set>
#include <string>

#include "lifecycle/restart_policy.hpp"

namespace berth::lifecycle {
namespace {

std::set<std::string> started_by(const api::Pod& pod, const Plan& plan) {
  std::set<std::string> names;
  for (const std::size_t i : plan.actions.init_containers_to_start)
    names.insert(pod.spec.initContainers.at(i).name);
  for (const std::size_t i : plan.actions.containers_to_start)
    names.insert(pod.spec.containers.at(i).name);
  return names;
}

// In a new sandbox every container that runs now is started again, after the init containers if
// there are any; of those that have ended, exactly those that the plan itself starts.
std::vector<cri::ContainerId> of_new_sandbox(const api::Pod& pod, const RuntimePod& runtime,
                                             const Plan& plan) {
  const std::set<std::size_t> started(plan.actions.containers_to_start.begin(),
                                      plan.actions.containers_to_start.end());
  std::vector<cri::ContainerId> ids;
  for (std::size_t i = 0; i < pod.spec.containers.size(); ++i) {
    const RuntimeContainer* record = runtime.newest(pod.spec.containers[i].name);
    if (record == nullptr || record->state == cri::ContainerState::kCreated) continue;
    if (record->state != cri::ContainerState::kExited || started.contains(i))
      ids.push_back(record->id);
  }
  return ids;
}

}  // namespace

std::vector<cri::ContainerId> decided_starts(const api::Pod& pod, const RuntimePod& runtime,
                                             const Plan& plan) {
  if (plan.actions.create_sandbox) return of_new_sandbox(pod, runtime, plan);
  const std::set<std::string> names = started_by(pod, plan);
  std::vector<cri::ContainerId> ids;
  for (const ContainerKill& kill : plan.actions.containers_to_kill)
    if (names.contains(kill.name)) ids.push_back(kill.id);
  return ids;
}

void pass_on_decided_starts(const api::Pod& pod, RuntimePod& runtime,
                            const StartErrors& start_errors, const FeatureOptions& options) {
  for (const api::Container& spec : pod.spec.containers) {
    if (start_errors.contains(spec.name) && !restarts_on_failure(pod, restart_rules(spec), options))
      continue;
    const auto of_name =
        std::views::filter([&spec](const RuntimeContainer& one) { return one.name == spec.name; });
    RuntimeContainer* created = nullptr;
    for (RuntimeContainer& one : runtime.containers | of_name) {
      if (created != nullptr) {
        created->start_again = one.start_again;
        break;
      }
      if (one.state != cri::ContainerState::kCreated) break;
      created = &one;
    }
  }
}

}  // namespace berth::lifecycle
