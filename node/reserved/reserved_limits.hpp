// SPDX-License-Identifier: Apache-2.0

// Writes the limits of a cgroup that somebody else made.
//
// Blocking.
#pragma once

#include "base/result.hpp"
#include "node/cgroup_tree.hpp"
#include "node/reserved/reserved_cgroups.hpp"
#include "node/slices/slices.hpp"

namespace berth::node {

// Fails, naming what is missing, if the cgroup is not there in every tree that is written to.
// Huge pages are not reserved for anybody: each size is set to 0. `slices`: with the driver
// "systemd", whose service manager has to know of the limits as well; null: there is none.
[[nodiscard]] Result<Nothing> write_limits(const CgroupTree& tree, const ReservedCgroup& cgroup,
                                           Slices* slices, int cgroup_version);

}  // namespace berth::node
