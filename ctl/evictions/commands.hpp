// SPDX-License-Identifier: Apache-2.0

// berthctl evictions explain | log | simulate, and berthctl top pods | node.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ctl/command.hpp"

namespace berth::ctl {

struct EvictionsOptions {
  std::string config_file{};             // of simulate: the configuration to try
  std::string since{};                   // of simulate: "24h"; empty for all that is known
  std::string plot_file{};               // of simulate: where to write the plot; empty for none
  std::optional<std::uint32_t> limit{};  // of log: how many of the newest
};

// The problem with these options of `evictions COMMAND`, in words for the user; empty if there is
// none.
[[nodiscard]] std::string evictions_problem(std::string_view command,
                                            const EvictionsOptions& asked);

Outcome explain_evictions(Connection& agent, const Options& options);
Outcome log_evictions(Connection& agent, const Options& options, const EvictionsOptions& asked);
// kInvalid if the configuration cannot be read, or makes no sense.
Outcome simulate_evictions(Connection& agent, const Options& options,
                           const EvictionsOptions& asked);
Outcome top_pods(Connection& agent, const Options& options, const std::vector<std::string>& names);
Outcome top_node(Connection& agent, const Options& options);

}  // namespace berth::ctl
