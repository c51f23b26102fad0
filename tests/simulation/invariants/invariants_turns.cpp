// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/invariants/invariants_turns.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/core.h>

#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"

namespace berth::simulation {
namespace {

// The time within which a berthd begins the pods of its first look at the manifests.
constexpr std::chrono::seconds kTogether{2};

}  // namespace

void TurnInvariants::desired_first(const std::vector<lifecycle::PodPtr>& pods) {
  begun_together_.clear();
  asked_together_.clear();
  for (const auto& pod : pods)
    if (!invariants_.is_known(pod->metadata.uid)) begun_together_.insert(pod->metadata.uid);
}

// The scheduling core found no room for it yet: it is not begun with the others.
void TurnInvariants::record(const api::Pod& pod, const lifecycle::PodEvent& event) {
  if (event.reason == "FailedScheduling") begun_together_.erase(pod.metadata.uid);
}

void TurnInvariants::sandbox_called(const cri::PodSandboxConfig& config) {
  const auto* history = invariants_.pod(config.metadata.uid);
  if (history == nullptr) return;
  const lifecycle::PodPtr& pod = history->pod;
  const bool together = begun_together_.erase(config.metadata.uid) > 0 &&
                        clock_.steady_now() - invariants_.agent_began() < kTogether;
  if (!together || !invariants_.disturbances().never() || may_wait(*pod)) return;
  // The scheduler does not decide on it: its turn is a different one.
  if (!pod->spec.nodeName.empty()) return;
  const auto rank = [](const api::Pod& one) {
    return std::pair(-one.spec.priority.value_or(0), one.metadata.name);
  };
  for (const auto& before : asked_together_)
    if (rank(*pod) < rank(*before))
      invariants_.violated(fmt::format("{} gets its sandbox after {}, and has priority {}",
                                       pod->metadata.uid, before->metadata.uid,
                                       pod->spec.priority.value_or(0)));
  asked_together_.push_back(pod);
}

bool TurnInvariants::may_wait(const api::Pod& pod) const {
  const auto of_name = [&pod](const auto& entry) {
    return entry.second.pod->metadata.name == pod.metadata.name;
  };
  // It waits for a kubelet's pod of its name.
  const auto of_another = [&pod](const SandboxRecord& sandbox) {
    return sandbox.config.metadata.uid != pod.metadata.uid &&
           sandbox.config.metadata.name == pod.metadata.name;
  };
  if (std::ranges::any_of(runtime_->sandboxes(), of_another)) return true;
  // A pod with a pinned uid may be another one by now.
  return !pod.spec.volumes.empty() || is_pinned(pod) ||
         std::ranges::count_if(invariants_.pods(), of_name) > 1;
}

}  // namespace berth::simulation
