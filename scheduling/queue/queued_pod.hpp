// SPDX-License-Identifier: Apache-2.0

// A pod in the scheduling queue, and the queue's record of it between tries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scheduling/cluster/pod_info.hpp"
#include "scheduling/cycle/rejection.hpp"
#include "scheduling/queue/backoff.hpp"
#include "scheduling/queue/cluster_event.hpp"
#include "scheduling/queue/pod_needs.hpp"
#include "scheduling/queue/requeue_hint.hpp"

namespace berth::scheduling {

// Why a pod is not tried at all.
struct PodGate {
  std::string plugin{};
  std::string reason{};

  // In the form in which PreEnqueue reports it.
  [[nodiscard]] Status status() const {
    return {
        .code = StatusCode::kUnschedulableAndUnresolvable, .plugin = plugin, .reasons = {reason}};
  }

  bool operator==(const PodGate&) const = default;
};

struct QueuedPod {
  PodPtr pod{};
  WallTime since{};            // when it was added, or returned
  std::uint64_t sequence = 0;  // orders pods of one instant
  int attempts = 0;
  int rejections = 0;         // unschedulable results so far
  int errors = 0;             // failed cycles in a row
  PluginNames rejected_by{};  // in its last cycle; empty after an error
  std::optional<PodGate> gate{};
  std::optional<PodNeeds> needs{};  // compiled at the first event
};

// The last second of the pod's backoff; the epoch if it is not backing off. After an error the
// number of consecutive errors counts, else all rejections.
[[nodiscard]] inline WallTime expiry_of(const QueuedPod& queued, const BackoffPolicy& policy) {
  const int failures = queued.errors > 0 ? queued.errors : queued.rejections;
  const auto duration = backoff_duration(policy, failures);
  if (duration == std::chrono::seconds(0)) return WallTime::min();
  return backoff_expiry(queued.since, duration);
}

}  // namespace berth::scheduling
