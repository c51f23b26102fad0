// SPDX-License-Identifier: Apache-2.0

// The configuration of node allocatable: enforceNodeAllocatable, the reserved cgroups.
//
// The rules and the texts of problems are the kubelet's. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "agent/settings/kubelet_configuration.hpp"
#include "node/reserved/reserved_cgroups.hpp"

namespace berth::agent {

// Reserved cgroups on which limits are enforced, in the order of enforcement.
using ReservedEnforcements = std::vector<node::ReservedEnforcement>;

struct ResolvedAllocatable {
  ReservedEnforcements reserved{};
  // The number of processors in reservedSystemCPUs, which replaces the cpu reservations of
  // systemReserved and kubeReserved; unset if that field is empty.
  std::optional<std::size_t> cpus{};
  struct Problem {
    std::string field{};  // "systemReserved[gpu]"
    std::string message{};
  };
  std::vector<Problem> problems{};
};

[[nodiscard]] ResolvedAllocatable resolve_allocatable(const KubeletConfiguration& kubelet);

}  // namespace berth::agent
