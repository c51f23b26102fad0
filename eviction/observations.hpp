// SPDX-License-Identifier: Apache-2.0

// Readings as signals: for each signal its value, the capacity that percentages refer to, and when
// it was measured.
//
// Pure. A signal with an incomplete reading has no observation.
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
  api::Quantity value{};  // the available amount; for stalls the share of time
  api::Quantity capacity{};
  std::optional<WallTime> time{};

  bool operator==(const Observation&) const = default;
};

using Observations = std::map<Signal, Observation>;

[[nodiscard]] Observations observe(const NodeReadings& readings);

// An amount of a signal, for people: "97Mi", "12 %" for a stall.
[[nodiscard]] std::string to_text(Signal signal, const api::Quantity& amount);

}  // namespace berth::eviction
