// SPDX-License-Identifier: Apache-2.0

// Pods' cgroups with either driver: plain directories ("cgroupfs"), or slices of the service
// manager to which their values are written as well ("systemd").
//
// Blocking. The driver maps the names: callers pass {"kubepods", "burstable", "pod<uid>"}.
#pragma once

#include <string>
#include <vector>

#include "node/cgroups/cgroup_tree.hpp"
#include "node/slices/slices.hpp"

namespace berth::node {

class CgroupHierarchy {
 public:
  // `slices`: null with the driver "cgroupfs"; must outlive this.
  CgroupHierarchy(CgroupTree tree, int cgroup_version, Slices* slices)
      : tree_(std::move(tree)), cgroup_version_(cgroup_version), slices_(slices) {}

  // The directories of a cgroup, one for each tree.
  [[nodiscard]] std::vector<std::string> directories(const CgroupName& name) const {
    return tree_.directories(place(name));
  }
  // Whether it exists in every tree (version 2: also with the controllers that it should have).
  [[nodiscard]] bool exists(const CgroupName& name) const { return tree_.exists(place(name)); }

  // Creates the cgroup if it is missing, and sets the values. With `close_huge_pages`, page sizes
  // that are not given are set to 0.
  [[nodiscard]] Result<Nothing> put(const CgroupName& name, const CgroupValues& values,
                                    bool close_huge_pages) const;
  // Sets the values of an existing cgroup.
  [[nodiscard]] Result<Nothing> set(const CgroupName& name, const CgroupValues& values) const;

  // SIGKILLs all processes in the cgroup and below it; returns their number.
  std::size_t kill_all(const CgroupName& name) const { return tree_.kill_all(place(name)); }
  // Removes the cgroup and its descendants. Succeeds if it is already gone; fails, naming it, if a
  // cgroup still has processes.
  [[nodiscard]] Result<Nothing> remove(const CgroupName& name) const;

  // Whether a cgroup is below it, whoever made that one.
  [[nodiscard]] bool has_children(const CgroupName& name) const {
    return !tree_.children(place(name)).empty();
  }
  // The last components of the names of the cgroups directly below.
  [[nodiscard]] std::vector<std::string> children(const CgroupName& name) const;

 private:
  // The name as directories.
  [[nodiscard]] CgroupName place(const CgroupName& name) const {
    return slices_ == nullptr ? name : slice_names(name);
  }

  CgroupTree tree_;
  int cgroup_version_;
  Slices* slices_;
};

}  // namespace berth::node
