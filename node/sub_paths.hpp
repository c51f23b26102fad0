// A part of a volume, as a container's subPath mount shows it.
//
// Blocking. The path is resolved inside the volume by the kernel (openat2, RESOLVE_BENEATH): links
// may lead anywhere in the volume and nowhere else, however containers change them meanwhile. What
// was found is bind-mounted below the pod's directory, and the runtime is given that: nobody can
// exchange it any more. It stays what it was when the container was created; updates of the
// volume do not reach it. The kubelet does the same, save that it walks the path itself.
#pragma once

#include <string>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "node/container_files.hpp"
#include "node/file_io.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// Makes what is missing (directories, with the volume's mode) and mounts each: the host's paths of
// the parts, by index of the mount. An error is as vague as the kubelet's: whoever wrote the pod
// reads it, and must not learn from it what files the host has. Of the volume's own path, which the
// pod names itself, it tells what stat said.
[[nodiscard]] Result<SubPaths> mount_sub_paths(const NodePaths& paths, const api::Pod& pod,
                                               const api::Container& container,
                                               const SubPaths& wanted);

// Takes all of a pod's away. Never deletes through one that is still mounted.
[[nodiscard]] Result<Nothing> remove_sub_paths(const NodePaths& paths, const std::string& uid);

}  // namespace berth::node
