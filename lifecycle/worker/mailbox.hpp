// SPDX-License-Identifier: Apache-2.0

// What others ask of a pod's worker or report to it: a mailbox that holds a single message.
//
// A worker has at most one pending `PodOrders`; a new one is merged into it by a pure rule:
//   orders to end merge as endings do (ending.hpp); news accumulate.
// Nothing is queued, so nothing can overflow, and a busy worker finds the newest state.
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

// A container or sandbox stopped, according to the runtime's event stream (ahead of CRI's own
// view).
struct StopNews {
  std::int64_t at = 0;  // unix nanoseconds; 0 if not reported
  std::optional<std::int32_t> exit_code{};
  bool operator==(const StopNews&) const = default;
};

// What a garbage collection removes of a pod.
enum class Collection : std::uint8_t {
  kNone,
  kRemains,       // dead instances and sandboxes that are not shown: once a minute
  kFinishedPods,  // also the containers of a finished pod: a disk of the node is short
};

struct PodOrders {
  std::optional<Ending> end{};
  std::map<std::string, StopNews> stopped{};  // by container or sandbox id
  // Conditions that the node does not own, by type.
  std::map<std::string, api::PodCondition> conditions{};
  bool inspect = false;          // the worker's state may be stale: read everything again
  bool runtime_back = false;     // the runtime answers again: forget retry delays
  bool objects_changed = false;  // a ConfigMap or Secret of the pod has changed
  Collection collect = Collection::kNone;
  std::shared_ptr<const void> collecting{};  // released once that is done

  [[nodiscard]] bool empty() const {
    return !end && stopped.empty() && conditions.empty() && !inspect && !runtime_back &&
           !objects_changed && collect == Collection::kNone;
  }
};

[[nodiscard]] PodOrders merge(PodOrders pending, PodOrders later);

}  // namespace berth::lifecycle
