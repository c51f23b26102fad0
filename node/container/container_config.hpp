// SPDX-License-Identifier: Apache-2.0

// The runtime's configuration of one container: what the kubelet sends, field by field, plus
// berth's own annotation.
//
// Pure. Its errors (kInvalid, kNotFound) are shown as the waiting message of reason
// CreateContainerConfigError.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "cri/types.hpp"
#include "node/container/container_files.hpp"
#include "node/container/environment.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// The image as the spec states it: container identity is compared by it, not by a hash.
inline constexpr const char* kAnnotationSpecImage = "berth.dev/spec-image";

struct ContainerRequest {
  std::uint32_t restart_count = 0;
  std::string hash{};       // the kubelet's container hash, in hex
  std::string image_ref{};  // the reference that the image was pulled as
  cri::Image image{};       // its status, which includes the user to run as
  ContainerFiles files{};
  SubPaths sub_paths{};              // on the host, for mounts with a subPath
  bool recursive_read_only = false;  // the runtime handler supports recursive read-only mounts
  EnvironmentSources sources{};      // empty allocatable and host_ips: use the node's
};

[[nodiscard]] Result<cri::ContainerConfig> container_config(const NodeView& node,
                                                            const api::Pod& pod,
                                                            const api::Container& container,
                                                            const ContainerRequest& request);

// For the container's subPath and subPathExpr mounts, the paths of the mounted parts relative to
// their volumes. `request.sources` provides the environment.
[[nodiscard]] Result<SubPaths> wanted_sub_paths(const NodeView& node, const api::Pod& pod,
                                                const api::Container& container,
                                                const EnvironmentSources& sources);

// Mounts in spec order, then /etc/hosts, then the termination message file.
[[nodiscard]] Result<std::vector<cri::Mount>> container_mounts(const NodeView& node,
                                                               const api::Pod& pod,
                                                               const api::Container& container,
                                                               const ContainerRequest& request);

}  // namespace berth::node
