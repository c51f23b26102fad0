// SPDX-License-Identifier: Apache-2.0

// Readings as signals: each signal's value, the capacity that percentages refer to, and the time of
// measurement.
//
// Pure. A signal with an incomplete reading has no observation.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "api/quantity.hpp"
#include "api/text/readable_quantity.hpp"
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

// An exact amount of a signal, as Kubernetes' messages print it: "99600Ki", "12%" for a stall.
[[nodiscard]] std::string to_text(Signal signal, const api::Quantity& amount);

// The same in the form of berth's own sentences: "97.3Mi".
[[nodiscard]] std::string readable(Signal signal, const api::Quantity& amount,
                                   api::Rounding rounding = api::Rounding::kNearest);

// The measured value as a clause: "97.3Mi is left"; for a stall "it is 12%".
[[nodiscard]] std::string observed_clause(Signal signal, const api::Quantity& value);

}  // namespace berth::eviction
