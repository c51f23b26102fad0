// The connections that the HTTP port has room for.
//
// When all slots are taken and another connection comes, the one whose caller has kept the server
// waiting for the longest goes, be it for the rest of a request or with reading the answer: of 500
// slow callers none keeps a scraper out. Loop thread only.
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

  // One connection's place, for as long as it lives.
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

    // The caller has done something, and something else is waited for.
    void waits() { place_->waits_since = slots_.clock_.steady_now(); }

   private:
    HttpSlots& slots_;
    std::list<Place>::iterator place_;
  };

  // For one more; if `short_of_descriptors`, one has to go in any case.
  void make_room(bool short_of_descriptors = false);

 private:
  const Clock& clock_;
  std::size_t most_;
  std::list<Place> taken_{};
};

}  // namespace berth::agent
