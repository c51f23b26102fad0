// SPDX-License-Identifier: Apache-2.0

// Resolves KubeletConfiguration's graceful node shutdown into groups. Pure.
//
// Its defaults are the kubelet's: no period, so no pod is stopped before the machine shuts down.
#pragma once

#include <string>
#include <vector>

#include "agent/settings/kubelet_configuration.hpp"
#include "agent/shutdown/configured_shutdown.hpp"

namespace berth::agent {

struct ResolvedShutdown {
  ConfiguredShutdown configured{};  // without groups if there is any problem
  struct Problem {
    std::string field{};  // "shutdownGracePeriodByPodPriority[1].shutdownGracePeriodSeconds"
    std::string message{};
  };
  std::vector<Problem> problems{};
};

[[nodiscard]] ResolvedShutdown resolve_shutdown(const KubeletConfiguration& kubelet);

}  // namespace berth::agent
