// Where events are kept beyond berthd's own life.
//
// An interface, so that simulation and tests record events without a store. Loop thread only.
#pragma once

#include "agent/event_store.hpp"

namespace berth::agent {

class EventSink {
 public:
  EventSink() = default;
  EventSink(const EventSink&) = delete;
  EventSink& operator=(const EventSink&) = delete;
  virtual ~EventSink() = default;

  // In place of what is kept under the event's namespace and name. Never waits; what a full disk
  // or a crash loses is lost.
  virtual void keep(EventPtr event) = 0;
};

}  // namespace berth::agent
