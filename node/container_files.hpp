// Where the files of one container instance are on the host; empty: that mount is not made.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace berth::node {

// Of the container's volumeMounts with a subPath, by their index: where the part is, relative to
// its volume; or, once it is mounted for the container, on the host.
using SubPaths = std::map<std::size_t, std::string>;

struct ContainerFiles {
  std::string etc_hosts{};
  std::string termination_log{};
  std::string log_directory{};  // absolute; the runtime writes <restart count>.log into it

  bool operator==(const ContainerFiles&) const = default;
};

}  // namespace berth::node
