// SPDX-License-Identifier: Apache-2.0

// A cycle of our scheduler in the form of the recorded cycles of Kubernetes.
#pragma once

#include <boost/json.hpp>

#include "scheduling/cycle/scheduler.hpp"

namespace berth::conformance {

enum class CycleDetail : std::uint8_t {
  kAll,
  kWithoutPlugins,  // omits each plugin's own verdict
  kSampled,         // only which nodes were found, and their scores
};

[[nodiscard]] boost::json::object shown_status(const scheduling::Status& status);

// For the scheduler's last decision; scores all feasible nodes by all plugins.
[[nodiscard]] boost::json::object shown_cycle(scheduling::Scheduler& scheduler,
                                              const scheduling::Decision& decision,
                                              CycleDetail detail);

}  // namespace berth::conformance
