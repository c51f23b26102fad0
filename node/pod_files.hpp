// SPDX-License-Identifier: Apache-2.0

// A pod's own directories and files on the host: data, logs, /etc/hosts, termination messages,
// links for log collectors.
//
// Blocking. Every call may be repeated. A uid or name that is not a plain file name is refused, so
// that no path leads outside the configured directories.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "cri/types.hpp"
#include "node/container/container_files.hpp"
#include "node/file_io.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// Fails with kInvalid unless the pod's uid, names and namespace are usable in paths.
[[nodiscard]] Result<Nothing> check_pod_names(const api::Pod& pod);

[[nodiscard]] Result<Nothing> make_node_directories(const NodePaths& paths);
[[nodiscard]] Result<Nothing> make_pod_directories(const NodePaths& paths, const api::Pod& pod);

[[nodiscard]] Result<ContainerFiles> make_container_files(const NodeConfig& config,
                                                          const api::Pod& pod,
                                                          const std::string& container,
                                                          std::uint32_t restart_count,
                                                          const std::vector<std::string>& pod_ips);

[[nodiscard]] Result<std::string> read_termination_message(const NodePaths& paths,
                                                           const cri::ContainerStatus& status,
                                                           const std::string& log_path);

[[nodiscard]] Result<std::int32_t> read_last_logged_attempt(const NodePaths& paths,
                                                            const api::Pod& pod,
                                                            const std::string& container);

// Does nothing as long as the log file does not exist.
[[nodiscard]] Result<Nothing> make_log_link(const NodePaths& paths, const api::Pod& pod,
                                            const std::string& container,
                                            const cri::ContainerId& id,
                                            const std::string& log_path);
// Removes the log file, its rotated files, and the link.
[[nodiscard]] Result<Nothing> remove_container_logs(const NodePaths& paths, const api::Pod& pod,
                                                    const std::string& container,
                                                    const cri::ContainerId& id,
                                                    const std::string& log_path);

// Removes every log directory of this uid and every link into them.
[[nodiscard]] Result<Nothing> remove_pod_logs(const NodePaths& paths, const std::string& uid);
// Unmounts what is still mounted below the pod's data directory, then removes the directory.
[[nodiscard]] Result<Nothing> remove_pod_directory(const NodePaths& paths, const std::string& uid);

}  // namespace berth::node
