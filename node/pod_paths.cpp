// SPDX-License-Identifier: Apache-2.0

#include "node/pod_paths.hpp"

#include <charconv>

#include "node/path_segment.hpp"

namespace berth::node {
std::string pods_directory(const NodePaths& paths) {
  return paths.root + "/pods";
}

std::string pod_directory(const NodePaths& paths, const std::string& uid) {
  return pods_directory(paths) / PathSegment(uid);
}

std::string pod_volumes_directory(const NodePaths& paths, const std::string& uid) {
  return pod_directory(paths, uid) + "/volumes";
}

std::string empty_dir_path(const NodePaths& paths, const std::string& uid,
                           const std::string& volume) {
  return (pod_volumes_directory(paths, uid) + "/kubernetes.io~empty-dir") / PathSegment(volume);
}

std::string volume_directory(const NodePaths& paths, const std::string& uid,
                             const api::Volume& volume) {
  if (volume.emptyDir) return empty_dir_path(paths, uid, volume.name);
  std::string kind;
  if (volume.configMap) kind = "configmap";
  if (volume.secret) kind = "secret";
  if (volume.downwardAPI) kind = "downward-api";
  if (volume.projected) kind = "projected";
  if (kind.empty()) return {};
  return (pod_volumes_directory(paths, uid) + "/kubernetes.io~" + kind) / PathSegment(volume.name);
}

std::string sub_paths_directory(const NodePaths& paths, const std::string& uid) {
  return pod_directory(paths, uid) + "/volume-subpaths";
}

std::string sub_path_target(const NodePaths& paths, const std::string& uid,
                            const std::string& volume, const std::string& container,
                            std::size_t index) {
  return sub_paths_directory(paths, uid) / PathSegment(volume) / PathSegment(container) + "/" +
         std::to_string(index);
}

std::string container_directory(const NodePaths& paths, const std::string& uid,
                                const std::string& container) {
  return (pod_directory(paths, uid) + "/containers") / PathSegment(container);
}

std::string etc_hosts_path(const NodePaths& paths, const std::string& uid) {
  return pod_directory(paths, uid) + "/etc-hosts";
}

std::string pod_log_directory(const NodePaths& paths, const api::Pod& pod) {
  const auto& meta = pod.metadata;
  return paths.pod_logs / PathSegment(meta.namespace_ + "_" + meta.name, "_" + meta.uid);
}

std::string pod_uid_of_logs(std::string_view directory) {
  const auto name = directory.find('_');
  const auto uid = directory.find('_', name == std::string_view::npos ? name : name + 1);
  return uid == std::string_view::npos ? std::string() : std::string(directory.substr(uid + 1));
}

std::string container_log_path(const std::string& container, std::uint32_t restart_count) {
  return PathSegment(container).str() + "/" + std::to_string(restart_count) + ".log";
}

std::string container_log_link(const NodePaths& paths, const api::Pod& pod,
                               const std::string& container, const cri::ContainerId& id) {
  const std::string suffix = ".log";
  std::string name = PathSegment(pod.metadata.name + "_" + pod.metadata.namespace_ + "_" +
                                 container + "-" + id.str())
                         .str();
  if (name.size() > kLongestFileName - suffix.size()) name.resize(kLongestFileName - suffix.size());
  return paths.container_logs + "/" + name + suffix;
}

std::int32_t log_file_attempt(const std::string& name) {
  const auto dot = name.find('.');
  if (dot == 0 || dot == std::string::npos) return -1;
  const std::string rest = name.substr(dot);
  if (rest != ".log" && !rest.starts_with(".log.")) return -1;
  std::int32_t attempt = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + dot, attempt);
  if (parsed.ec != std::errc{} || parsed.ptr != name.data() + dot || attempt < 0) return -1;
  return attempt;
}

}  // namespace berth::node
