// SPDX-License-Identifier: Apache-2.0

// Parts of volumes, as mounted by a container's subPath mounts.
//
// Blocking. The kernel resolves the path inside the volume (openat2, RESOLVE_BENEATH): links may
// lead anywhere in the volume and nowhere else, however containers change them meanwhile. The
// result is bind-mounted below the pod's directory, and the runtime gets that path, so nobody can
// exchange the part any more. It stays what it was when the container was created: updates of the
// volume do not reach it. The kubelet does the same, except that it walks the path itself.
#pragma once

#include <string>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "node/container/container_files.hpp"
#include "node/file_io.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// Creates missing directories (with the volume's mode) and mounts each part; returns the host paths
// by index of the mount. An error is as vague as the kubelet's, because the pod's author reads it
// and must not learn which files the host has. For the volume's own path, which the pod itself
// names, the error includes that of stat.
[[nodiscard]] Result<SubPaths> mount_sub_paths(const NodePaths& paths, const api::Pod& pod,
                                               const api::Container& container,
                                               const SubPaths& wanted);

// Removes all parts of a pod. Never deletes through a part that is still mounted.
[[nodiscard]] Result<Nothing> remove_sub_paths(const NodePaths& paths, const std::string& uid);

}  // namespace berth::node
