// SPDX-License-Identifier: Apache-2.0

// Host ports that pods request.
//
// Pure. 0.0.0.0 means every address; "::" is, as in Kubernetes, an ordinary one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/pod.hpp"

namespace berth::scheduling {

struct HostPort {
  std::string ip{};
  std::string protocol{};
  std::int32_t port = 0;

  auto operator<=>(const HostPort&) const = default;
};

// The ports of regular containers and sidecars; an unset address is 0.0.0.0, an unset protocol TCP.
[[nodiscard]] std::vector<HostPort> host_ports(const api::Pod& pod);

[[nodiscard]] bool conflict(const HostPort& a, const HostPort& b);

// The first wanted port that conflicts with a used one; null if there is none. Points into
// `wanted`.
[[nodiscard]] const HostPort* first_conflict(const std::vector<HostPort>& wanted,
                                             const std::vector<HostPort>& used);

}  // namespace berth::scheduling
