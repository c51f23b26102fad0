// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/other_driver.hpp"

#include "node/cgroups/cgroup_name.hpp"
#include "node/cgroups/cgroup_tree.hpp"

namespace berth::agent {

std::set<std::string> pods_of_other_driver(const node::NodeView& view,
                                           const std::vector<lifecycle::PodPtr>& pods) {
  const node::CgroupTree tree(view.config.paths.cgroup_mount, view.facts.cgroup_version, {});
  std::set<std::string> uids;
  for (const auto& pod : pods) {
    node::CgroupName name = node::pod_cgroup(view.config.cgroup_root, *pod);
    if (view.config.cgroup_driver == node::CgroupDriver::kCgroupfs) name = node::slice_names(name);
    if (!tree.processes(name).empty()) uids.insert(pod->metadata.uid);
  }
  return uids;
}

}  // namespace berth::agent
