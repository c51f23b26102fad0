// SPDX-License-Identifier: Apache-2.0

// What berthd is doing with one pod right now, for whoever asks why it makes no progress. A plain
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
  PodPtr pod{};         // as shown; as desired if nothing is shown yet
  std::string state{};  // waiting, held, rejected, collected; with a worker: syncing, ending ...
  bool shown = true;    // false if deleted by force, or known only to the runtime
  std::vector<std::string> under_way{};  // tasks that run beside the worker: "stop web"
  std::vector<std::string> stopping{};   // containers whose stop the runtime has not answered
  std::optional<SteadyTime> wakes_at{};  // unset if it only waits for events
  std::optional<DatedReason> last{};     // the last decision or fact
};

}  // namespace berth::lifecycle
