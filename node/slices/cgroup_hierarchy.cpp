// SPDX-License-Identifier: Apache-2.0

#include "node/slices/cgroup_hierarchy.hpp"

#include <utility>

namespace berth::node {

Result<Nothing> CgroupHierarchy::put(const CgroupName& name, const CgroupValues& values,
                                     bool close_huge_pages) const {
  const CgroupName at = place(name);
  if (slices_ != nullptr) {
    auto started = slices_->start(at.back(), slice_properties(values, cgroup_version_));
    if (!started) return started;
  }
  // Needed for slices, too: for controllers and values without a property in the service manager.
  if (auto made = tree_.create(at); !made) return made;
  return tree_.apply(at, values, close_huge_pages);
}

Result<Nothing> CgroupHierarchy::set(const CgroupName& name, const CgroupValues& values) const {
  const CgroupName at = place(name);
  if (slices_ != nullptr) {
    auto changed = slices_->set(at.back(), slice_properties(values, cgroup_version_));
    if (!changed) return changed;
  }
  return tree_.apply(at, values, false);
}

Result<Nothing> CgroupHierarchy::remove(const CgroupName& name) const {
  const CgroupName at = place(name);
  if (slices_ != nullptr && !at.empty()) {
    if (auto stopped = slices_->stop(at.back()); !stopped) return stopped;
  }
  return tree_.remove(at);
}

std::vector<std::string> CgroupHierarchy::children(const CgroupName& name) const {
  auto names = tree_.children(place(name));
  if (slices_ == nullptr) return names;
  std::vector<std::string> components;
  for (const std::string& slice : names) {
    if (auto component = slice_component_below(name, slice)) components.push_back(*component);
  }
  return components;
}

}  // namespace berth::node
