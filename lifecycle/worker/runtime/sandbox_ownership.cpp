// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/runtime/sandbox_ownership.hpp"

#include <algorithm>

#include "lifecycle/worker/runtime/stray_sandboxes.hpp"

namespace berth::lifecycle {
namespace {

bool has_containers(const ListedPod& listed, const cri::SandboxId& sandbox) {
  return std::ranges::any_of(listed.containers, [&sandbox](const cri::Container& container) {
    return container.pod_sandbox_id == sandbox;
  });
}

bool has_name_of(const cri::PodSandbox& sandbox, const api::Pod& pod) {
  return sandbox.metadata.uid == pod.metadata.uid && sandbox.metadata.name == pod.metadata.name &&
         sandbox.metadata.namespace_ == pod.metadata.namespace_;
}

}  // namespace

std::uint32_t SandboxOwnership::free_attempt(std::uint32_t from) const {
  const auto taken = [&](std::uint32_t attempt) {
    return std::ranges::any_of(foreign_,
                               [&](const auto& entry) { return entry.second == attempt; });
  };
  while (taken(from)) ++from;
  return from;
}

void SandboxOwnership::own(const std::string& id, std::uint32_t attempt) {
  ids_.insert(id);
  foreign_.erase(id);
  if (asked_ == attempt) asked_.reset();
}

void SandboxOwnership::own_only(const std::map<std::string, cri::PodSandboxStatus>& sandboxes) {
  ids_.clear();
  for (const auto& [id, sandbox] : sandboxes) own(id, sandbox.metadata.attempt);
}

bool SandboxOwnership::owns(const cri::PodSandbox& sandbox, const api::Pod& pod) const {
  return ids_.contains(sandbox.id.str()) ||
         (asked_ == sandbox.metadata.attempt && has_name_of(sandbox, pod));
}

std::vector<std::string> SandboxOwnership::set_foreign_apart(ListedPod& listed,
                                                             const api::Pod& pod) {
  const bool occupied = std::ranges::any_of(listed.sandboxes, [&](const cri::PodSandbox& sandbox) {
    return sandbox.state == cri::SandboxState::kReady && owns(sandbox, pod);
  });
  std::set<std::string> foreign;
  std::vector<std::string> found;
  for (const cri::PodSandbox& sandbox : listed.sandboxes) {
    const std::string& id = sandbox.id.str();
    const bool before = foreign_.contains(id);
    if (owns(sandbox, pod) || (!occupied && !before)) continue;
    if (made_for_another(sandbox.annotations, pod) && !has_containers(listed, sandbox.id)) continue;
    foreign.insert(id);
    if (!before) found.push_back(id);
  }
  set_apart(listed, foreign);
  foreign_.clear();
  for (const cri::PodSandbox& sandbox : listed.foreign)
    foreign_.emplace(sandbox.id.str(), sandbox.metadata.attempt);
  return found;
}

std::set<std::string> SandboxOwnership::foreign_ids() const {
  std::set<std::string> ids;
  for (const auto& [id, attempt] : foreign_) ids.insert(id);
  return ids;
}

}  // namespace berth::lifecycle
