// SPDX-License-Identifier: Apache-2.0

#include "node/pod_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>

#include <fmt/format.h>

#include "base/text.hpp"
#include "node/container/find_container.hpp"
#include "node/etc_hosts.hpp"
#include "node/hostname.hpp"
#include "node/log_lines.hpp"
#include "node/own_folder.hpp"
#include "node/path_segment.hpp"
#include "node/pod_paths.hpp"
#include "node/termination_message.hpp"
#include "node/volumes/mounts.hpp"
#include "node/volumes/sub_paths.hpp"

namespace berth::node {
namespace {

namespace fs = std::filesystem;

// The kubelet's modes.
constexpr mode_t kPrivate = 0750;
constexpr mode_t kPublic = 0755;
constexpr mode_t kHostsFile = 0644;
constexpr mode_t kMessageFile = 0666;  // written by any user that the container runs as

// How many bytes of a log are read to find its last lines.
constexpr std::size_t kLogTailBytes = 1U << 20;

std::string random_name() {
  std::random_device random;
  return fmt::format("{:08x}", static_cast<std::uint32_t>(random()));
}

Result<std::string> write_etc_hosts(const NodeConfig& config, const api::Pod& pod,
                                    const std::vector<std::string>& pod_ips) {
  auto hostname = pod_hostname(pod, config.cluster_domain);
  if (!hostname) return fail(hostname.error());
  std::string host_file;
  if (pod.spec.hostNetwork) {
    auto text = read_file(config.paths.host_etc_hosts);
    if (!text) return fail(text.error());
    host_file = std::move(*text);
  }
  const std::string path = etc_hosts_path(config.paths, pod.metadata.uid);
  const auto text = etc_hosts_text(pod, *hostname, pod_ips, host_file);
  const auto folder = OwnFolder::open(config.paths.root, folder_of(path));
  if (!folder) return fail(folder.error());
  const auto written = write_file(folder->at(name_of(path)), text, kHostsFile);
  if (!written) return fail(written.error());
  return path;
}

Result<std::string> make_message_file(const NodePaths& paths, const std::string& uid,
                                      const std::string& container) {
  const std::string directory = container_directory(paths, uid, container);
  const auto folder = OwnFolder::make(paths.root, directory, kPrivate);
  if (!folder) return fail(folder.error());
  const std::string name = random_name();
  if (auto made = write_file(folder->at(name), "", kMessageFile); !made) return fail(made.error());
  return directory + "/" + name;
}

// Empty if it does not exist.
Result<std::vector<std::string>> list_own_folder(const std::string& top, const std::string& path) {
  const auto folder = OwnFolder::open(top, path);
  if (folder) return list_directory(folder->path());
  if (folder.error().code == ErrorCode::kNotFound) return std::vector<std::string>();
  return fail(folder.error());
}

bool is_below(const std::string& path, const std::string& top) {
  return path.starts_with(top + "/");
}

}  // namespace

Result<Nothing> check_pod_names(const api::Pod& pod) {
  const auto& meta = pod.metadata;
  for (const auto* name : {&meta.uid, &meta.name, &meta.namespace_}) {
    if (is_path_segment(*name)) continue;
    return fail(ErrorCode::kInvalid,
                fmt::format("pod {}/{}: uid, name and namespace must be plain names, \"{}\" is not",
                            meta.namespace_, meta.name, *name));
  }
  return Nothing{};
}

Result<Nothing> make_node_directories(const NodePaths& paths) {
  const std::pair<std::string, mode_t> directories[] = {{paths.root, kPrivate},
                                                        {pods_directory(paths), kPrivate},
                                                        {paths.pod_logs, kPrivate},
                                                        {paths.container_logs, kPublic}};
  for (const auto& [path, mode] : directories) {
    if (path.empty()) continue;  // links to logs are disabled
    if (auto made = make_directories(path, mode); !made) return made;
  }
  return Nothing{};
}

Result<Nothing> make_pod_directories(const NodePaths& paths, const api::Pod& pod) {
  const std::string& uid = pod.metadata.uid;
  for (const auto& top : {paths.root, paths.pod_logs})
    if (auto made = make_directories(top, kPrivate); !made) return made;
  for (const auto& path :
       {pods_directory(paths), pod_directory(paths, uid), pod_volumes_directory(paths, uid),
        pod_directory(paths, uid) + "/plugins"}) {
    if (auto made = OwnFolder::make(paths.root, path, kPrivate); !made) return fail(made.error());
  }
  const auto logs = OwnFolder::make(paths.pod_logs, pod_log_directory(paths, pod), kPublic);
  return logs ? Result<Nothing>(Nothing{}) : fail(logs.error());
}

Result<ContainerFiles> make_container_files(const NodeConfig& config, const api::Pod& pod,
                                            const std::string& container,
                                            std::uint32_t /*restart_count*/,
                                            const std::vector<std::string>& pod_ips) {
  const api::Container* spec = find_container(pod, container);
  if (spec == nullptr || !is_path_segment(container)) {
    return fail(ErrorCode::kInvalid,
                fmt::format("pod {}/{} has no container \"{}\"", pod.metadata.namespace_,
                            pod.metadata.name, container));
  }
  ContainerFiles files{.log_directory =
                           pod_log_directory(config.paths, pod) / PathSegment(container)};
  const auto logs = OwnFolder::make(config.paths.pod_logs, files.log_directory, kPublic);
  if (!logs) return fail(logs.error());
  if (wants_etc_hosts(pod, *spec, pod_ips)) {
    auto path = write_etc_hosts(config, pod, pod_ips);
    if (!path) return fail(path.error());
    files.etc_hosts = std::move(*path);
  }
  if (!spec->terminationMessagePath.empty()) {
    auto path = make_message_file(config.paths, pod.metadata.uid, container);
    if (!path) return fail(path.error());
    files.termination_log = std::move(*path);
  }
  return files;
}

namespace {

// An earlier kubelet may have placed the file elsewhere.
Result<std::string> read_own_tail(const std::string& top, const std::string& path,
                                  std::size_t bytes) {
  if (!is_below(path, top)) return read_file_tail(path, bytes);
  const auto folder = OwnFolder::open(top, folder_of(path));
  return folder ? read_file_tail(folder->at(name_of(path)), bytes) : fail(folder.error());
}

Result<std::string> read_last_words(const NodePaths& paths, const cri::ContainerStatus& status,
                                    const std::string& log_path) {
  std::string message;
  if (const auto file = termination_file(status); !file.empty()) {
    auto text = read_own_tail(paths.root, file, kTerminationMessageBytes);
    if (text) {
      message = std::move(*text);
    } else if (text.error().code != ErrorCode::kNotFound) {
      return fmt::format("Error on reading termination log {}: {}", file, text.error().message);
    }
  }
  if (!falls_back_to_logs(status, message)) return message;
  auto log = read_own_tail(paths.pod_logs, log_path, kLogTailBytes);
  if (!log) {
    return fmt::format("Error on reading termination message from logs: {}", log.error().message);
  }
  return log_tail(*log, kTerminationLogLines, kTerminationLogBytes);
}

}  // namespace

Result<std::string> read_termination_message(const NodePaths& paths,
                                             const cri::ContainerStatus& status,
                                             const std::string& log_path) {
  auto message = read_last_words(paths, status, log_path);
  if (message) *message = valid_text(std::move(*message));
  return message;
}

Result<std::int32_t> read_last_logged_attempt(const NodePaths& paths, const api::Pod& pod,
                                              const std::string& container) {
  const auto names =
      list_own_folder(paths.pod_logs, pod_log_directory(paths, pod) / PathSegment(container));
  if (!names) return fail(names.error());
  std::int32_t last = -1;
  for (const auto& name : *names) last = std::max(last, log_file_attempt(name));
  return last;
}

Result<Nothing> make_log_link(const NodePaths& paths, const api::Pod& pod,
                              const std::string& container, const cri::ContainerId& id,
                              const std::string& log_path) {
  if (paths.container_logs.empty() || !path_exists(log_path)) return Nothing{};
  if (auto made = make_directories(paths.container_logs, kPublic); !made) return made;
  const std::string link = container_log_link(paths, pod, container, id);
  if (auto removed = remove_file(link); !removed) return removed;
  if (::symlink(log_path.c_str(), link.c_str()) != 0) {
    return system_failure("linking", link, errno);
  }
  return Nothing{};
}

namespace {

// Removes the log file and its rotated files.
Result<Nothing> remove_log_files(const NodePaths& paths, const std::string& log_path) {
  const std::string name = name_of(log_path);
  if (!is_path_segment(name) || !is_below(log_path, paths.pod_logs)) {
    return fail(ErrorCode::kInvalid,
                "log file " + log_path + " does not lie below " + paths.pod_logs);
  }
  const auto folder = OwnFolder::open(paths.pod_logs, folder_of(log_path));
  if (!folder && folder.error().code == ErrorCode::kNotFound) return Nothing{};
  if (!folder) return fail(folder.error());
  const auto files = list_directory(folder->path());
  if (!files) return fail(files.error());
  for (const auto& file : *files) {
    if (!file.starts_with(name)) continue;
    if (auto removed = remove_file(folder->at(file)); !removed) return removed;
  }
  return Nothing{};
}

}  // namespace

Result<Nothing> remove_container_logs(const NodePaths& paths, const api::Pod& pod,
                                      const std::string& container, const cri::ContainerId& id,
                                      const std::string& log_path) {
  if (!log_path.empty()) {
    if (auto removed = remove_log_files(paths, log_path); !removed) return removed;
  }
  if (paths.container_logs.empty()) return Nothing{};
  return remove_file(container_log_link(paths, pod, container, id));
}

Result<Nothing> remove_pod_logs(const NodePaths& paths, const std::string& uid) {
  const auto directories = list_directory(paths.pod_logs);
  if (!directories) return fail(directories.error());
  for (const auto& name : *directories) {
    if (pod_uid_of_logs(name) != uid) continue;
    const std::string directory = paths.pod_logs + "/" + name;
    const auto links = list_directory(paths.container_logs);
    if (!links) return fail(links.error());
    for (const auto& entry : *links) {
      const std::string link = paths.container_logs + "/" + entry;
      std::error_code not_a_link;
      const auto target = fs::read_symlink(link, not_a_link).string();
      if (not_a_link || !target.starts_with(directory + "/")) continue;
      if (auto removed = remove_file(link); !removed) return removed;
    }
    if (auto removed = remove_tree(directory); !removed) return removed;
  }
  return Nothing{};
}

Result<Nothing> remove_pod_directory(const NodePaths& paths, const std::string& uid) {
  const std::string directory = pod_directory(paths, uid);
  const auto pods = OwnFolder::open(paths.root, folder_of(directory));
  if (!pods)
    return pods.error().code == ErrorCode::kNotFound ? Result<Nothing>(Nothing{})
                                                     : fail(pods.error());
  const std::string held = pods->at(name_of(directory));
  const auto folder = OwnFolder::open(paths.root, directory);
  if (!folder) {
    const bool is_none =
        folder.error().code == ErrorCode::kInvalid || folder.error().code == ErrorCode::kNotFound;
    // A link or file in its place is removed. A folder that cannot be opened is kept: removing it
    // would remove what is mounted below it.
    return is_none ? remove_file(held) : fail(folder.error());
  }
  // Never deletes through a mount point: what is mounted there belongs to others.
  if (auto removed = remove_sub_paths(paths, uid); !removed) return removed;
  if (auto unmounted = unmount_below(*folder); !unmounted) return unmounted;
  return remove_tree(held);
}

}  // namespace berth::node
