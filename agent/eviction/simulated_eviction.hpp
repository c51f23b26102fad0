// SPDX-License-Identifier: Apache-2.0

// The answer to `berthctl evictions simulate`: the history under another configuration's
// thresholds.
//
// Pure, but long-running: a day is a thousand looks at every pod.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agent/settings/config_text.hpp"
#include "base/result.hpp"
#include "control/control.pb.h"
#include "eviction/history.hpp"
#include "eviction/layout.hpp"

namespace berth::agent {

// The memory limit of all pods together: the history contains only what was left of it.
struct PodsLimit {
  api::Quantity reserved{};  // of memory, by kubeReserved and systemReserved
  bool is_enforced = true;

  bool operator==(const PodsLimit&) const = default;
};
[[nodiscard]] PodsLimit pods_limit(const Settings& settings);

struct SimulationInput {
  std::vector<ConfigText> configuration{};  // as parse_configuration takes them
  std::string node_name{};
  PodsLimit in_force{};
  eviction::History history{};
  eviction::FileSystemLayout layout{};
  bool with_series = false;
};

// kInvalid, with every problem, if the configuration is refused.
[[nodiscard]] Result<control::v1::SimulateEvictionsReply> simulated(const SimulationInput& input);

// The samples of the last `since_seconds`; all, if unset.
[[nodiscard]] Result<eviction::History> history_since(const eviction::History& history,
                                                      SteadyTime now,
                                                      std::optional<std::int64_t> since_seconds);

}  // namespace berth::agent
