// SPDX-License-Identifier: Apache-2.0

// What the configuration asks of the machine's end.
#pragma once

#include <string>

#include "lifecycle/shutdown/shutdown_plan.hpp"

namespace berth::agent {

struct ConfiguredShutdown {
  lifecycle::ShutdownGroups groups{};  // empty: no pod is stopped before the machine goes off
  std::string field{};                 // the one that states them; empty without groups
  bool operator==(const ConfiguredShutdown&) const = default;
};

}  // namespace berth::agent
