// SPDX-License-Identifier: Apache-2.0

// The cgroup driver: berthd creates a pod's cgroup, the runtime its containers' below it, and both
// must use the same driver. Pure.
#pragma once

#include <string>

#include "cri/runtime_setup.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// Empty if the runtime's driver is ours, or if it does not report one (then the configured one is
// trusted, as by the kubelet). Otherwise why no pod can be started, and the two fixes: which line
// of which file. `config_file` is berthd's own.
[[nodiscard]] std::string cgroup_driver_refusal(CgroupDriver ours, const cri::RuntimeSetup& runtime,
                                                const std::string& config_file);

}  // namespace berth::node
