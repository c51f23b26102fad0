// SPDX-License-Identifier: Apache-2.0

// Internals of Quantity, only for the files that implement it: this header includes the big number
// library.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <boost/multiprecision/cpp_int.hpp>

#include "api/quantity.hpp"

namespace berth::api {

using BigInt = boost::multiprecision::cpp_int;

// unscaled · 10^exponent.
struct Quantity::Big {
  BigInt unscaled{};
  std::int64_t exponent = 0;
};

// Amounts further apart than this many digits are never aligned to one exponent: "1e1000000000" is
// a valid quantity in Kubernetes, and must not cost a gigabyte.
inline constexpr std::int64_t kMostDigitsApart = 1000;

// The finest digit a quantity keeps: 10^-9.
inline constexpr std::int32_t kNano = -9;

struct QuantityParts {
  static Quantity small(std::int64_t value, std::int32_t exponent, Quantity::Format format,
                        std::string text) {
    Quantity out;
    out.small_ = value;
    out.exponent_ = exponent;
    out.format_ = format;
    out.text_ = std::move(text);
    return out;
  }
  static Quantity big(BigInt unscaled, std::int64_t exponent, Quantity::Format format) {
    Quantity out;
    out.big_ = std::make_shared<const Quantity::Big>(Quantity::Big{std::move(unscaled), exponent});
    out.format_ = format;
    return out;
  }
  static void set_big(Quantity& out, BigInt unscaled, std::int64_t exponent) {
    out.small_ = 0;
    out.exponent_ = 0;
    out.big_ = std::make_shared<const Quantity::Big>(Quantity::Big{std::move(unscaled), exponent});
  }
  static const std::string& text(const Quantity& quantity) { return quantity.text_; }
  // The amount as a big number, regardless of how it is stored.
  static Quantity::Big widened(const Quantity& quantity) {
    if (quantity.big_) return *quantity.big_;
    return Quantity::Big{BigInt(quantity.small_), quantity.exponent_};
  }
};

inline BigInt power_of_ten(std::int64_t exponent) {
  return boost::multiprecision::pow(BigInt(10), static_cast<unsigned>(exponent));
}

// value · 10^places without overflow; places >= 0.
[[nodiscard]] bool scale_up(std::int64_t& value, std::int64_t places);

// number / 10^places, the remainder rounded away from zero; places >= 0.
[[nodiscard]] BigInt scale_down(const BigInt& number, std::int64_t places);

}  // namespace berth::api
