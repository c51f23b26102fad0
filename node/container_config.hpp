// One container as the runtime is asked for it: what the kubelet sends, field by field, plus
// berth's own annotation.
//
// Pure. What it fails with (kInvalid, kNotFound) is shown as the waiting message of reason
// CreateContainerConfigError.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "cri/types.hpp"
#include "node/container_files.hpp"
#include "node/environment.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// The image as the spec states it: a container's identity is compared with it, not with a hash.
inline constexpr const char* kAnnotationSpecImage = "berth.dev/spec-image";

struct ContainerRequest {
  std::uint32_t restart_count = 0;
  std::string hash{};       // the kubelet's container hash, in hex
  std::string image_ref{};  // what the image was pulled as
  cri::Image image{};       // its status: who it runs as
  ContainerFiles files{};
  SubPaths sub_paths{};              // on the host, of the mounts that have one
  bool recursive_read_only = false;  // the runtime handler can make mounts read-only below, too
  EnvironmentSources sources{};      // allocatable and host_ips left empty: the node's
};

[[nodiscard]] Result<cri::ContainerConfig> container_config(const NodeView& node,
                                                            const api::Pod& pod,
                                                            const api::Container& container,
                                                            const ContainerRequest& request);

// The parts of volumes that the container's subPath and subPathExpr mounts ask for, relative to
// their volumes. `request.sources` is what the environment is made of.
[[nodiscard]] Result<SubPaths> wanted_sub_paths(const NodeView& node, const api::Pod& pod,
                                                const api::Container& container,
                                                const EnvironmentSources& sources);

// Mounts in spec order, then /etc/hosts, then the termination message file.
[[nodiscard]] Result<std::vector<cri::Mount>> container_mounts(const NodeView& node,
                                                               const api::Pod& pod,
                                                               const api::Container& container,
                                                               const ContainerRequest& request);

}  // namespace berth::node
