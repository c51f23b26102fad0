// SPDX-License-Identifier: Apache-2.0

// A threshold: a signal, the amount that its value is compared with, how long the value must stay
// beyond that amount, and how much more must be gained before the threshold counts as resolved.
//
// Pure values. A share is a 32-bit float, as in Kubernetes; its amount of a capacity is computed in
// 64 bits and truncated, so that messages show the same digits as the kubelet's.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "api/quantity.hpp"
#include "base/clock_types.hpp"
#include "eviction/signal.hpp"

namespace berth::eviction {

// A share of the capacity: 0.1 is 10 %.
struct Share {
  float of_capacity = 0;

  // Compares bitwise: NaN, which the configuration accepts, equals itself.
  bool operator==(const Share& other) const {
    return std::bit_cast<std::uint32_t>(of_capacity) ==
           std::bit_cast<std::uint32_t>(other.of_capacity);
  }
};

using ThresholdValue = std::variant<api::Quantity, Share>;

// The threshold's amount for a given capacity.
[[nodiscard]] api::Quantity amount_of(const ThresholdValue& value, const api::Quantity& capacity);

// As written in the configuration: "100Mi", "10%".
[[nodiscard]] std::string to_string(const ThresholdValue& value);

// The configuration entry from which a threshold derives.
enum class ThresholdOrigin : std::uint8_t {
  kEvictionHard,
  kEvictionSoft,
  kNodeAllocatable,  // implied by a hard one, because the pods' cgroup is limited
};

struct Threshold {
  Signal signal{};
  ThresholdValue value{};
  Nanoseconds grace_period{0};  // zero for a hard threshold
  std::optional<ThresholdValue> min_reclaim{};
  ThresholdOrigin origin = ThresholdOrigin::kEvictionHard;

  bool operator==(const Threshold&) const = default;
};

// Whether the threshold acts at once. A soft threshold with a grace period of zero is hard too.
[[nodiscard]] inline bool is_hard(const Threshold& threshold) {
  return threshold.grace_period == Nanoseconds::zero();
}

// Whether they are equal except for the minimum reclaim and the origin: a threshold's identity.
[[nodiscard]] bool same_threshold(const Threshold& a, const Threshold& b);

// "memory.available<100Mi", "memory.pressure.full.avg10>10%".
[[nodiscard]] std::string to_string(const Threshold& threshold);

}  // namespace berth::eviction
