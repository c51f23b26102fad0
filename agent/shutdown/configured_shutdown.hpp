// SPDX-License-Identifier: Apache-2.0

// The configuration of graceful node shutdown.
#pragma once

#include <string>

#include "lifecycle/shutdown/shutdown_plan.hpp"

namespace berth::agent {

struct ConfiguredShutdown {
  lifecycle::ShutdownGroups groups{};  // empty if no pod is stopped before the machine shuts down
  std::string field{};                 // the one that defines them; empty without groups
  bool operator==(const ConfiguredShutdown&) const = default;
};

}  // namespace berth::agent
