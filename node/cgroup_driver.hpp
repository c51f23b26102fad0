// Who keeps the control groups: berthd makes a pod's, the runtime its containers' below it, and
// both must do it in one way. Pure.
#pragma once

#include <string>

#include "cri/runtime_setup.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// Empty: the runtime's driver is ours, or it does not tell, and then the configured one is trusted,
// as by the kubelet. Else why no pod can be started, and the two ways out: which line of which
// file. `config_file` is berthd's own.
[[nodiscard]] std::string cgroup_driver_refusal(CgroupDriver ours, const cri::RuntimeSetup& runtime,
                                                const std::string& config_file);

}  // namespace berth::node
