// SPDX-License-Identifier: Apache-2.0

#include "node/container_gc.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace berth::node {
namespace {

// The dead instances of one container name, newest first.
using Unit = std::vector<const GcContainer*>;
using Units = std::map<std::pair<std::string, std::string>, Unit>;  // by uid and name

template <class Item>
void newest_first(std::vector<const Item*>& items) {
  std::stable_sort(items.begin(), items.end(),
                   [](const Item* a, const Item* b) { return a->created > b->created; });
}

bool all_goes(const GcInput& input, const std::string& uid) {
  const auto found = input.pods.find(uid);
  const auto content = found == input.pods.end() ? PodContent::kGone : found->second;
  return content == PodContent::kGone ||
         (input.remove_finished_pods && content == PodContent::kRuntimeRemovable);
}

class Collector {
 public:
  explicit Collector(const GcInput& input) : input_(input) {
    for (const auto& container : input.containers) {
      if (container.state == cri::ContainerState::kRunning) continue;
      if (container.created > input.now - input.policy.min_age) continue;
      units_[{container.pod_uid, container.name}].push_back(&container);
    }
    for (auto& [key, unit] : units_) newest_first(unit);
  }

  ContainersToRemove collect() {
    if (input_.all_sources_ready) drop_unwanted_pods();
    if (input_.policy.max_per_pod_container >= 0) {
      keep_in_each(static_cast<std::size_t>(input_.policy.max_per_pod_container));
    }
    if (input_.policy.max_containers >= 0) {
      keep_in_all(static_cast<std::size_t>(input_.policy.max_containers));
    }
    return std::move(result_);
  }

 private:
  // Removes the oldest instances until `keep` are left.
  void keep_newest(Unit& unit, std::size_t keep) {
    for (; unit.size() > keep; unit.pop_back()) {
      const GcContainer& oldest = *unit.back();
      if (oldest.state == cri::ContainerState::kUnknown) result_.stop.push_back(oldest.id);
      result_.remove.push_back(oldest.id);
    }
  }

  void drop_unwanted_pods() {
    for (auto unit = units_.begin(); unit != units_.end();) {
      if (all_goes(input_, unit->first.first)) {
        keep_newest(unit->second, 0);
        unit = units_.erase(unit);
      } else {
        ++unit;
      }
    }
  }

  void keep_in_each(std::size_t keep) {
    for (auto& [key, unit] : units_) keep_newest(unit, keep);
  }

  std::size_t count() const {
    std::size_t sum = 0;
    for (const auto& [key, unit] : units_) sum += unit.size();
    return sum;
  }

  // Keeps an equal share for each name (at least one), then removes the oldest of all.
  void keep_in_all(std::size_t limit) {
    if (count() <= limit) return;
    keep_in_each(std::max<std::size_t>(limit / units_.size(), 1));
    if (count() <= limit) return;
    Unit all;
    for (const auto& [key, unit] : units_) all.insert(all.end(), unit.begin(), unit.end());
    newest_first(all);
    keep_newest(all, limit);
  }

  const GcInput& input_;
  Units units_{};
  ContainersToRemove result_{};
};

std::vector<cri::SandboxId> sandboxes_to_remove(const GcInput& input) {
  std::set<cri::SandboxId> inhabited;
  for (const auto& container : input.containers) inhabited.insert(container.sandbox);
  std::map<std::string, std::vector<const GcSandbox*>> by_pod;
  for (const auto& sandbox : input.sandboxes) by_pod[sandbox.pod_uid].push_back(&sandbox);

  std::vector<cri::SandboxId> removed;
  for (auto& [uid, sandboxes] : by_pod) {
    newest_first(sandboxes);
    const std::size_t keep = all_goes(input, uid) ? 0 : 1;
    for (std::size_t i = sandboxes.size(); i > keep; --i) {
      const GcSandbox& sandbox = *sandboxes[i - 1];
      if (sandbox.state == cri::SandboxState::kReady || inhabited.contains(sandbox.id)) continue;
      removed.push_back(sandbox.id);
    }
  }
  return removed;
}

}  // namespace

Garbage find_garbage(GcInput input) {
  Garbage garbage{.containers = Collector(input).collect()};
  const std::set<cri::ContainerId> gone(garbage.containers.remove.begin(),
                                        garbage.containers.remove.end());
  std::erase_if(input.containers,
                [&](const GcContainer& container) { return gone.contains(container.id); });
  garbage.sandboxes = sandboxes_to_remove(input);
  return garbage;
}

std::vector<cri::ContainerId> dead_instances_to_trim(const std::vector<GcContainer>& instances,
                                                     std::size_t keep) {
  Unit dead;
  for (const auto& instance : instances) {
    if (instance.state == cri::ContainerState::kExited) dead.push_back(&instance);
  }
  newest_first(dead);
  std::vector<cri::ContainerId> removed;
  for (; dead.size() > keep; dead.pop_back()) removed.push_back(dead.back()->id);
  return removed;
}

}  // namespace berth::node
