// SPDX-License-Identifier: Apache-2.0

// What the configuration says of node allocatable: enforceNodeAllocatable, the reserved cgroups.
//
// The rules are the kubelet's, and so are the words of what is wrong. Pure.
#pragma once

#include <string>
#include <vector>

#include "agent/settings/kubelet_configuration.hpp"
#include "node/reserved/reserved_cgroups.hpp"

namespace berth::agent {

// Reserved cgroups on which limits are enforced, in the order in which that is done.
using ReservedEnforcements = std::vector<node::ReservedEnforcement>;

struct ResolvedAllocatable {
  ReservedEnforcements reserved{};
  struct Problem {
    std::string field{};  // "systemReserved[gpu]"
    std::string message{};
  };
  std::vector<Problem> problems{};
};

[[nodiscard]] ResolvedAllocatable resolve_allocatable(const KubeletConfiguration& kubelet);

}  // namespace berth::agent
