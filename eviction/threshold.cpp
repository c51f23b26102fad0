// SPDX-License-Identifier: Apache-2.0

#include "eviction/threshold.hpp"

#include <fmt/core.h>

#include "base/cut_to_int64.hpp"
#include "eviction/byte_amount.hpp"

namespace berth::eviction {

api::Quantity amount_of(const ThresholdValue& value, const api::Quantity& capacity) {
  if (const auto* quantity = std::get_if<api::Quantity>(&value)) return *quantity;
  const double amount = static_cast<double>(capacity.value()) *
                        static_cast<double>(std::get<Share>(value).of_capacity);
  return bytes(cut_to_int64(amount));
}

std::string to_string(const ThresholdValue& value) {
  if (const auto* quantity = std::get_if<api::Quantity>(&value)) return quantity->to_string();
  constexpr float kPercent = 100;
  return fmt::format("{:g}%", std::get<Share>(value).of_capacity * kPercent);
}

bool same_threshold(const Threshold& a, const Threshold& b) {
  return a.signal == b.signal && a.value == b.value && a.grace_period == b.grace_period;
}

std::string to_string(const Threshold& threshold) {
  const bool less = traits(threshold.signal).comparison == Comparison::kLessThan;
  return fmt::format("{}{}{}", to_string(threshold.signal), less ? '<' : '>',
                     to_string(threshold.value));
}

}  // namespace berth::eviction
