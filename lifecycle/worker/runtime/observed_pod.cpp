// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/runtime/observed_pod.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace berth::lifecycle {

void ObservedPod::put_sandbox(cri::PodSandboxStatus status) {
  ++revision_;
  std::string id = status.id.str();
  ownership_.own(id, status.metadata.attempt);
  sandboxes_.insert_or_assign(std::move(id), std::move(status));
}

void ObservedPod::put_container(std::string sandbox, cri::ContainerStatus status,
                                bool provisional) {
  ++revision_;
  std::string id = status.id.str();
  ObservedContainer container{
      .status = std::move(status), .sandbox = std::move(sandbox), .provisional = provisional};
  containers_.insert_or_assign(std::move(id), std::move(container));
}

void ObservedPod::remove_sandbox(const std::string& id) {
  ++revision_;
  ownership_.disown(id);
  sandboxes_.erase(id);
  std::erase_if(containers_, [&id](const auto& entry) { return entry.second.sandbox == id; });
}

void ObservedPod::remove_container(const std::string& id) {
  ++revision_;
  containers_.erase(id);
}

void ObservedPod::sandbox_stopped(const std::string& id) {
  const auto found = sandboxes_.find(id);
  if (found == sandboxes_.end()) return;
  ++revision_;
  found->second.state = cri::SandboxState::kNotReady;
}

bool ObservedPod::replace(ObservedPod seen) {
  ++revision_;
  sandboxes_ = std::move(seen.sandboxes_);
  containers_ = std::move(seen.containers_);
  ownership_.own_only(sandboxes_);
  std::vector<std::string> shown;
  for (const auto& [id, end] : ends_.all())
    if (!may_live(id)) shown.push_back(id);
  for (const std::string& id : shown) ends_.over(id);
  certain_ = true;
  if (look_ != Look::kNone) return false;
  look_ = empty() ? Look::kFoundNothing : Look::kFoundSomething;
  return true;
}

bool ObservedPod::may_live(const std::string& id) const {
  if (const auto* found = container(id)) return found->status.state != cri::ContainerState::kExited;
  const auto* found = sandbox(id);
  return found != nullptr && found->state != cri::SandboxState::kNotReady;
}

bool ObservedPod::doubt_once() {
  if (std::exchange(doubted_once_, true)) return false;
  doubt();
  return true;
}

bool ObservedPod::listed_empty() const {
  return listing_ && listing_->sandboxes.empty() && listing_->containers.empty();
}

void ObservedPod::number_sandboxes() {
  for (const auto& [id, sandbox] : sandboxes_)
    next_sandbox_ = std::max(next_sandbox_, sandbox.metadata.attempt + 1);
}

const ObservedContainer* ObservedPod::container(const std::string& id) const {
  const auto found = containers_.find(id);
  return found == containers_.end() ? nullptr : &found->second;
}

const cri::PodSandboxStatus* ObservedPod::sandbox(const std::string& id) const {
  const auto found = sandboxes_.find(id);
  return found == sandboxes_.end() ? nullptr : &found->second;
}

bool ObservedPod::owns(const std::string& id) const {
  return sandboxes_.contains(id) || containers_.contains(id);
}

const ObservedContainer* ObservedPod::newest(const std::string& name) const {
  const ObservedContainer* newest = nullptr;
  for (const auto& [id, container] : containers_) {
    const cri::ContainerStatus& status = container.status;
    if (status.metadata.name != name) continue;
    if (newest == nullptr || std::tie(newest->status.metadata.attempt, newest->status.created_at) <
                                 std::tie(status.metadata.attempt, status.created_at))
      newest = &container;
  }
  return newest;
}

std::vector<std::string> ObservedPod::created_beside(const std::string& id) const {
  const ObservedContainer& of = containers_.at(id);
  std::vector<std::string> beside;
  for (const auto& [other, container] : containers_)
    if (other != id && container.sandbox == of.sandbox &&
        container.status.metadata.name == of.status.metadata.name &&
        container.status.state == cri::ContainerState::kCreated)
      beside.push_back(other);
  return beside;
}

BelievedPod ObservedPod::believed() const {
  BelievedPod believed;
  believed.revision = revision_;
  believed.foreign = ownership_.foreign_ids();
  for (const auto& [id, sandbox] : sandboxes_) believed.sandboxes.emplace(id, sandbox.state);
  for (const auto& [id, container] : containers_)
    believed.containers.emplace(id, container.status.state);
  return believed;
}

}  // namespace berth::lifecycle
