// Readings as signals: for each signal its value, the capacity that shares are taken of, and when
// it was measured.
//
// Pure. A signal that lacks any part of its reading has no observation.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "api/quantity.hpp"
#include "base/clock_types.hpp"
#include "eviction/readings.hpp"
#include "eviction/signal.hpp"

namespace berth::eviction {

struct Observation {
  api::Quantity value{};  // what is available; of stalls: how much of the time
  api::Quantity capacity{};
  std::optional<WallTime> time{};

  bool operator==(const Observation&) const = default;
};

using Observations = std::map<Signal, Observation>;

[[nodiscard]] Observations observe(const NodeReadings& readings);

// An amount of a signal, for people: "97Mi", "12 %" of a stall.
[[nodiscard]] std::string to_text(Signal signal, const api::Quantity& amount);

}  // namespace berth::eviction
