// SPDX-License-Identifier: Apache-2.0

// Security contexts in the runtime's form: the container's fields take precedence over the pod's;
// the image's user applies if neither sets one.
//
// Pure. A container that must not run as root but would, or whose seccomp or AppArmor profile the
// runtime cannot be given, is refused with kInvalid, in Kubernetes' words.
#pragma once

#include "api/pod.hpp"
#include "base/result.hpp"
#include "cri/types.hpp"
#include "node/node_config.hpp"

namespace berth::node {

[[nodiscard]] cri::SandboxSecurityContext sandbox_security_context(const NodeView& node,
                                                                   const api::Pod& pod);

[[nodiscard]] Result<cri::ContainerSecurityContext> container_security_context(
    const NodeView& node, const api::Pod& pod, const api::Container& container,
    const cri::Image& image);

}  // namespace berth::node
