// SPDX-License-Identifier: Apache-2.0

// What others want of a pod's worker, and what they know that it does not: the mailbox of one.
//
// A worker has at most one pending `PodOrders`; a new one is merged into it by a pure rule:
//   orders to end merge as endings do (ending.hpp); news add up.
// Nothing is queued, so nothing can overflow, and a busy worker finds the newest wish.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/clock_types.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

// A container or sandbox stopped, says the runtime's event stream (ahead of CRI's own view).
struct StopNews {
  std::int64_t at = 0;  // unix nanoseconds; 0: not told
  std::optional<std::int32_t> exit_code{};
  bool operator==(const StopNews&) const = default;
};

// What a garbage collection takes along of a pod.
enum class Collection : std::uint8_t {
  kNone,
  kRemains,       // dead instances and sandboxes that nobody is shown: once a minute
  kFinishedPods,  // also the containers of a pod that has finished: a disk of the node is short
};

struct PodOrders {
  std::optional<Ending> end{};
  std::map<std::string, StopNews> stopped{};  // by container or sandbox id
  // Conditions that are not the node's, by type.
  std::map<std::string, api::PodCondition> conditions{};
  bool inspect = false;          // what is known may be stale: read everything again
  bool runtime_back = false;     // the runtime answers again: forget retry delays
  bool objects_changed = false;  // a ConfigMap or Secret that the pod refers to
  Collection collect = Collection::kNone;
  std::shared_ptr<const void> collecting{};  // dropped once that is done

  [[nodiscard]] bool empty() const {
    return !end && stopped.empty() && conditions.empty() && !inspect && !runtime_back &&
           !objects_changed && collect == Collection::kNone;
  }
};

[[nodiscard]] PodOrders merge(PodOrders pending, PodOrders later);

}  // namespace berth::lifecycle
