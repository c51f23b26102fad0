// SPDX-License-Identifier: Apache-2.0

// Names of a pod's directories and files on the host, in the kubelet's layout.
//
// Untrusted text becomes a PathSegment, so no name leads out of its folder. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "cri/types.hpp"
#include "node/node_config.hpp"

namespace berth::node {

[[nodiscard]] std::string pods_directory(const NodePaths& paths);
// <root>/pods/<uid>
[[nodiscard]] std::string pod_directory(const NodePaths& paths, const std::string& uid);
[[nodiscard]] std::string pod_volumes_directory(const NodePaths& paths, const std::string& uid);
// <pod>/volumes/kubernetes.io~empty-dir/<volume>
[[nodiscard]] std::string empty_dir_path(const NodePaths& paths, const std::string& uid,
                                         const std::string& volume);
// <pod>/volumes/kubernetes.io~<kind>/<volume>, for emptyDir, configMap, secret, downwardAPI and
// projected volumes; empty if the volume has no directory of its own
[[nodiscard]] std::string volume_directory(const NodePaths& paths, const std::string& uid,
                                           const api::Volume& volume);
// <pod>/volume-subpaths/<volume>/<container>/<index of the mount>: the target of a subPath mount
[[nodiscard]] std::string sub_paths_directory(const NodePaths& paths, const std::string& uid);
[[nodiscard]] std::string sub_path_target(const NodePaths& paths, const std::string& uid,
                                          const std::string& volume, const std::string& container,
                                          std::size_t index);
// <pod>/containers/<container>, holds the termination message files
[[nodiscard]] std::string container_directory(const NodePaths& paths, const std::string& uid,
                                              const std::string& container);
[[nodiscard]] std::string etc_hosts_path(const NodePaths& paths, const std::string& uid);

// <pod logs>/<namespace>_<name>_<uid>
[[nodiscard]] std::string pod_log_directory(const NodePaths& paths, const api::Pod& pod);
// The uid at the end of such a directory's name; empty if the name has another form. A uid may
// contain an underscore; a namespace or name cannot.
[[nodiscard]] std::string pod_uid_of_logs(std::string_view directory);
// <container>/<restart count>.log, below the pod's log directory
[[nodiscard]] std::string container_log_path(const std::string& container,
                                             std::uint32_t restart_count);
// <container logs>/<pod>_<namespace>_<container>-<id>.log, truncated to 255 bytes
[[nodiscard]] std::string container_log_link(const NodePaths& paths, const api::Pod& pod,
                                             const std::string& container,
                                             const cri::ContainerId& id);

// The restart count in a log file's name: "3.log", "3.log.20260102-030405"; -1 if there is none.
[[nodiscard]] std::int32_t log_file_attempt(const std::string& name);

}  // namespace berth::node
