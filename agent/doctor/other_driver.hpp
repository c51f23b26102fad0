// SPDX-License-Identifier: Apache-2.0

// Pods from before a change of the cgroup driver: they keep running in the cgroups of the other
// driver.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lifecycle/pod_events.hpp"
#include "node/node_config.hpp"

namespace berth::agent {

// The uids of pods with a process in a cgroup of the driver that is not the node's. Blocking,
// small.
[[nodiscard]] std::set<std::string> pods_of_other_driver(
    const node::NodeView& view, const std::vector<lifecycle::PodPtr>& pods);

}  // namespace berth::agent
