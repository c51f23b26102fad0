// Volumes of a pod on the host: emptyDir directories are made, hostPath ones checked.
//
// Blocking. What cannot be set up fails in the kubelet's words, as its FailedMount event has them.
#pragma once

#include <string>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "node/file_io.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// Every volume; again and again is fine.
[[nodiscard]] Result<Nothing> set_up_volumes(const NodePaths& paths, const api::Pod& pod);

// Whether the path is of the type that the volume states; the ...OrCreate types make it.
[[nodiscard]] Result<Nothing> check_host_path(const api::HostPathVolumeSource& source);

// Unmounts whatever is mounted below `directory`, the deepest first.
[[nodiscard]] Result<Nothing> unmount_below(const std::string& directory);

}  // namespace berth::node
