// Ports of the host that pods ask for.
//
// Pure. 0.0.0.0 stands for every address; "::" is, as in Kubernetes, just another one.
#pragma once

#include <vector>

#include "api/pod.hpp"

namespace berth::node {

// Whether a port of `pod` is one that an active pod has: regular containers and sidecars count.
[[nodiscard]] bool host_ports_conflict(const api::Pod& pod,
                                       const std::vector<const api::Pod*>& active);

}  // namespace berth::node
