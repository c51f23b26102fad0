// SPDX-License-Identifier: Apache-2.0

// Where events are persisted across restarts of berthd.
//
// An interface, so that simulation and tests record events without a store. Loop thread only.
#pragma once

#include "agent/events/event_store.hpp"

namespace berth::agent {

class EventSink {
 public:
  EventSink() = default;
  EventSink(const EventSink&) = delete;
  EventSink& operator=(const EventSink&) = delete;
  virtual ~EventSink() = default;

  // Replaces the stored event of the same namespace and name. Never waits; events lost to a full
  // disk or a crash stay lost.
  virtual void keep(EventPtr event) = 0;
};

}  // namespace berth::agent
