// A cycle of our scheduler in the form in which the cycles of Kubernetes were recorded.
#pragma once

#include <boost/json.hpp>

#include "scheduling/cycle/scheduler.hpp"

namespace berth::conformance {

enum class CycleDetail : std::uint8_t {
  kAll,
  kWithoutPlugins,  // what each plugin says on its own is left out
  kSampled,         // only which nodes were found, and how they score
};

[[nodiscard]] boost::json::object shown_status(const scheduling::Status& status);

// Of the scheduler's last decision; scores all feasible nodes by all plugins.
[[nodiscard]] boost::json::object shown_cycle(scheduling::Scheduler& scheduler,
                                              const scheduling::Decision& decision,
                                              CycleDetail detail);

}  // namespace berth::conformance
