// SPDX-License-Identifier: Apache-2.0

// When each part of berthd last made progress, and what follows: the watchdog is fed only as long
// as every part beats within its limit. Pure: the time is passed in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock_types.hpp"

namespace berth::systemd {

// A part, and how long it may be silent.
struct WatchedPart {
  std::string name{};
  Nanoseconds limit{0};
};

class Heartbeats {
 public:
  // All parts count as beating at `start`. `timeout`: the service manager aborts berthd after that
  // long without a keep-alive; only used in messages.
  Heartbeats(std::vector<WatchedPart> parts, Nanoseconds timeout, SteadyTime start);

  // A part that is not watched is ignored, and so is a beat older than the last one.
  void beat(std::string_view part, SteadyTime at);

  // One part has become late, or is back.
  struct News {
    std::string part{};
    bool late = false;
    std::string text{};

    bool operator==(const News&) const = default;
  };

  struct Round {
    bool feed = false;
    std::vector<News> news{};  // since the round before
    // All late parts: "the main loop has made no progress for 31 s". Empty if none is late.
    std::string late{};
  };
  [[nodiscard]] Round round(SteadyTime now);

 private:
  struct Part {
    WatchedPart watched{};
    SteadyTime last{};
    bool late = false;  // at the last round
  };

  std::vector<Part> parts_;
  Nanoseconds timeout_;
};

}  // namespace berth::systemd
