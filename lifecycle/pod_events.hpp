// SPDX-License-Identifier: Apache-2.0

// What pods report to the outside: events and published states.
//
// Interfaces. The agent implements PodEvents; only tests implement StatusSink, to check every
// published status. Called on the loop thread, never across a suspension; implementations must not
// call back into the pod set.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "base/clock_types.hpp"

namespace berth::lifecycle {

// Pods are shared, immutable values; a change creates a new one.
using PodPtr = std::shared_ptr<const api::Pod>;

enum class EventLevel : std::uint8_t { kNormal, kWarning };

// One event, in Kubernetes' words (reason and message as `kubectl get events` shows them).
struct PodEvent {
  EventLevel level = EventLevel::kNormal;
  std::string reason{};
  std::string message{};
  std::string field_path{};  // "spec.containers{web}"; empty for the pod itself
};

class PodEvents {
 public:
  PodEvents() = default;
  PodEvents(const PodEvents&) = delete;
  PodEvents& operator=(const PodEvents&) = delete;
  virtual ~PodEvents() = default;

  virtual void record(const api::Pod& pod, const PodEvent& event) = 0;
};

// Every state of a pod passes here, in order, before it is shown to anybody.
class StatusSink {
 public:
  StatusSink() = default;
  StatusSink(const StatusSink&) = delete;
  StatusSink& operator=(const StatusSink&) = delete;
  virtual ~StatusSink() = default;

  virtual void published(const PodPtr& pod) = 0;  // with its status
  virtual void removed(const PodPtr& pod) = 0;    // its last state; nothing of the pod is left
};

}  // namespace berth::lifecycle
