// SPDX-License-Identifier: Apache-2.0

// Writes the limits of a cgroup that another program created.
//
// Blocking.
#pragma once

#include "base/result.hpp"
#include "node/cgroups/cgroup_tree.hpp"
#include "node/reserved/reserved_cgroups.hpp"
#include "node/slices/slices.hpp"

namespace berth::node {

// Fails, naming what is missing, unless `write_limits` would find all that it writes to.
[[nodiscard]] Result<Nothing> find_cgroup(const CgroupTree& tree, const ReservedCgroup& cgroup);

// Fails, naming what is missing, if the cgroup does not exist in every tree that is written to.
// Huge pages are never reserved: each size is set to 0. `slices`: for the driver "systemd", whose
// service manager must know the limits as well; null if there is no service manager.
[[nodiscard]] Result<Nothing> write_limits(const CgroupTree& tree, const ReservedCgroup& cgroup,
                                           Slices* slices, int cgroup_version);

}  // namespace berth::node
