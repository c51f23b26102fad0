// SPDX-License-Identifier: Apache-2.0

// Host paths of one container instance's files; empty if there is no such mount.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace berth::node {

// For the container's volumeMounts with a subPath, by index: the path of the mounted part, relative
// to its volume or, once the part is mounted for the container, on the host.
using SubPaths = std::map<std::size_t, std::string>;

struct ContainerFiles {
  std::string etc_hosts{};
  std::string termination_log{};
  std::string log_directory{};  // absolute; the runtime writes <restart count>.log into it

  bool operator==(const ContainerFiles&) const = default;
};

}  // namespace berth::node
