// Where the files of one container instance are on the host; empty: that mount is not made.
#pragma once

#include <string>

namespace berth::node {

struct ContainerFiles {
  std::string etc_hosts{};
  std::string termination_log{};
  std::string log_directory{};  // absolute; the runtime writes <restart count>.log into it

  bool operator==(const ContainerFiles&) const = default;
};

}  // namespace berth::node
