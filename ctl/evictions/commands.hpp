// SPDX-License-Identifier: Apache-2.0

// berthctl evictions explain | log | simulate, and berthctl top pods | node.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ctl/command.hpp"

namespace berth::ctl {

struct EvictionsOptions {
  std::string config_file{};  // of simulate: the configuration that is tried
  std::string since{};        // of simulate: "24h"; empty: all that is known
  std::string plot_file{};    // of simulate: where the picture goes; empty: none
  std::uint32_t limit = 0;    // of log: the newest so many
};

Outcome explain_evictions(Connection& agent, const Options& options);
Outcome log_evictions(Connection& agent, const Options& options, const EvictionsOptions& asked);
// kInvalid: the configuration cannot be read, or makes no sense.
Outcome simulate_evictions(Connection& agent, const Options& options,
                           const EvictionsOptions& asked);
Outcome top_pods(Connection& agent, const Options& options, const std::vector<std::string>& names);
Outcome top_node(Connection& agent, const Options& options);

}  // namespace berth::ctl
