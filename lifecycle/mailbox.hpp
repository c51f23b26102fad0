// What others want of a pod's worker, and what they know that it does not: the mailbox of one.
//
// A worker has at most one pending `PodOrders`; a new one is merged into it by a pure rule:
//   a request to end sticks; a grace period only shrinks; news add up.
// Nothing is queued, so nothing can overflow, and a busy worker finds the newest wish.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/clock_types.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

// Why an incarnation ends from outside. Ordered: the later ones say more about what follows.
enum class EndCause : std::uint8_t {
  kCollected,        // it has finished, and more have than are kept: nothing follows it
  kManifestRemoved,  // the wish is gone, or another pod takes its place
  kDeleted,          // through the control API: a new incarnation follows while the wish stands
  kUnknownPod,       // found in the runtime, and nobody wishes it
};

struct EndRequest {
  EndCause cause = EndCause::kManifestRemoved;
  std::optional<std::chrono::seconds> grace{};  // overrides the pod's own; never below 1 s
  WallTime requested_at{};
  bool forced = false;  // nobody is shown the pod any more
  bool operator==(const EndRequest&) const = default;
};

// A container or sandbox stopped, says the runtime's event stream (ahead of CRI's own view).
struct StopNews {
  std::int64_t at = 0;  // unix nanoseconds; 0: not told
  std::optional<std::int32_t> exit_code{};
  bool operator==(const StopNews&) const = default;
};

struct PodOrders {
  std::optional<EndRequest> end{};
  std::map<std::string, StopNews> stopped{};  // by container or sandbox id
  // Conditions that are not the node's, by type.
  std::map<std::string, api::PodCondition> conditions{};
  bool inspect = false;          // what is known may be stale: read everything again
  bool runtime_back = false;     // the runtime answers again: forget retry delays
  bool objects_changed = false;  // a ConfigMap or Secret that the pod refers to
  bool collect_garbage = false;  // its turn in the node's container garbage collection

  [[nodiscard]] bool empty() const {
    return !end && stopped.empty() && conditions.empty() && !inspect && !runtime_back &&
           !objects_changed && !collect_garbage;
  }
};

[[nodiscard]] EndRequest merge(const EndRequest& earlier, const EndRequest& later);
[[nodiscard]] PodOrders merge(PodOrders pending, PodOrders later);

}  // namespace berth::lifecycle
