// SPDX-License-Identifier: Apache-2.0

// What berthd is about with one pod at this moment, for whoever asks why nothing moves. A plain
// value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock_types.hpp"
#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

struct PodActivity {
  PodPtr pod{};         // as shown; as wished where nothing is shown yet
  std::string state{};  // waiting, held, rejected, collected; with a worker: syncing, ending ...
  bool shown = true;    // false: deleted by force, or known to the runtime alone
  std::vector<std::string> under_way{};  // what goes on beside the worker: "stop web"
  std::vector<std::string> stopping{};   // containers whose stop the runtime has not answered
  std::optional<SteadyTime> wakes_at{};  // none: it waits to be told something
  std::optional<DatedReason> last{};     // what was decided, or happened
};

}  // namespace berth::lifecycle
