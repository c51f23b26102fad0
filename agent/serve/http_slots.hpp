// SPDX-License-Identifier: Apache-2.0

// The HTTP port's connection slots.
//
// When all slots are taken and another connection arrives, the one whose caller has kept the server
// waiting for the longest is closed, whether it delays sending the request or reading the answer:
// 500 slow callers cannot keep a scraper out. Loop thread only.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <utility>

#include "base/clock.hpp"

namespace berth::agent {

class HttpSlots {
  struct Place {
    std::function<void()> close{};
    SteadyTime waits_since{};
    bool closing = false;
  };

 public:
  HttpSlots(const Clock& clock, std::size_t most) : clock_(clock), most_(most) {}

  // One connection's slot, for its lifetime.
  class Slot {
   public:
    // `close` ends the connection soon, not at once.
    Slot(HttpSlots& slots, std::function<void()> close)
        : slots_(slots),
          place_(slots.taken_.insert(
              slots.taken_.end(),
              {.close = std::move(close), .waits_since = slots.clock_.steady_now()})) {}
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot() { slots_.taken_.erase(place_); }

    // The caller has made progress; the wait starts again.
    void waits() { place_->waits_since = slots_.clock_.steady_now(); }

   private:
    HttpSlots& slots_;
    std::list<Place>::iterator place_;
  };

  // Makes room for one more; with `short_of_descriptors`, one must be closed in any case.
  void make_room(bool short_of_descriptors = false);

 private:
  const Clock& clock_;
  std::size_t most_;
  std::list<Place> taken_{};
};

}  // namespace berth::agent
