// SPDX-License-Identifier: Apache-2.0

#include "api/quantity.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "api/quantity_parts.hpp"

namespace berth::api {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::int64_t saturated(const BigInt& number) {
  if (number > kMost) return kMost;
  if (number < kLeast) return kLeast;
  return static_cast<std::int64_t>(number);
}

std::int64_t limit_towards(int sign) {
  return sign < 0 ? kLeast : kMost;
}

// Number of digits of a non-zero number.
std::int64_t digit_count(const BigInt& number) {
  return static_cast<std::int64_t>(BigInt(abs(number)).str().size());
}

std::int64_t scaled_small(std::int64_t value, std::int64_t places) {
  std::int64_t scaled = value;
  if (places >= 0) return scale_up(scaled, places) ? scaled : limit_towards(value < 0 ? -1 : 1);
  return saturated(scale_down(BigInt(value), -places));
}

// Reproduces, to the bit, what Kubernetes computes for a negative amount stored as a big number: it
// reads 64 bits only and rounds the wrong way. Such amounts are refused wherever they could matter,
// but the recorded vectors contain the result.
std::int64_t scaled_negative(const BigInt& unscaled, std::int64_t down) {
  const BigInt low = BigInt(-unscaled) & std::numeric_limits<std::uint64_t>::max();
  const auto bits = std::uint64_t{0} - static_cast<std::uint64_t>(low);
  const auto number = static_cast<std::int64_t>(bits);
  std::int64_t divisor = 1;
  if (!scale_up(divisor, down)) return 0;
  return number / divisor + (number % divisor != 0 ? 1 : 0);
}

std::int64_t scaled_big(const Quantity::Big& big, std::int64_t places) {
  constexpr std::int64_t kMostPlaces = 18;  // 10^18 is the largest power in 64 bits
  const std::int64_t shift = big.exponent + places;
  if (shift > kMostDigitsApart) return limit_towards(big.unscaled.sign());
  if (shift >= 0) return saturated(BigInt(big.unscaled * power_of_ten(shift)));
  const BigInt rounded = scale_down(big.unscaled, -shift);
  if (rounded < 0 && rounded >= kLeast && -shift <= kMostPlaces) {
    return scaled_negative(big.unscaled, -shift);
  }
  return saturated(rounded);
}

// number · 10^exponent if a double holds both factors exactly, so that rounding happens once; else
// unset.
std::optional<double> nearest_double(std::int64_t number, std::int32_t exponent) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  constexpr std::int32_t kExactPower = 22;
  if (exponent == 0) return static_cast<double>(number);
  if (number > kExact || number < -kExact || std::abs(exponent) > kExactPower) return std::nullopt;
  double power = 1;
  for (std::int32_t i = std::abs(exponent); i > 0; --i) power *= 10;
  const auto exact = static_cast<double>(number);
  return exponent > 0 ? exact * power : exact / power;
}

// Brings both to the smaller exponent. If they are too far apart, the smaller one becomes zero.
void align(Quantity::Big& left, Quantity::Big& right) {
  if (left.exponent < right.exponent) return align(right, left);
  if (left.unscaled == 0) {
    left.exponent = right.exponent;
    return;
  }
  const std::int64_t gap = left.exponent - right.exponent;
  if (gap > kMostDigitsApart) {
    right = Quantity::Big{BigInt(0), left.exponent};
    return;
  }
  left.unscaled *= power_of_ten(gap);
  left.exponent = right.exponent;
}

}  // namespace

bool scale_up(std::int64_t& value, std::int64_t places) {
  if (value == 0) return true;
  for (; places > 0; --places) {
    if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) return false;
  }
  return true;
}

BigInt scale_down(const BigInt& number, std::int64_t places) {
  if (number == 0) return number;
  const int sign = number.sign();
  if (places > digit_count(number)) return BigInt(sign);
  const BigInt divisor = power_of_ten(places);
  BigInt quotient = number / divisor;
  if (quotient * divisor != number) quotient += sign;
  return quotient;
}

Quantity Quantity::from_int(std::int64_t value, Format format) {
  return QuantityParts::small(value, 0, format, {});
}

Quantity Quantity::from_milli(std::int64_t thousandths, Format format) {
  return QuantityParts::small(thousandths, -3, format, {});
}

std::int64_t Quantity::value() const {
  return big_ ? scaled_big(*big_, 0) : scaled_small(small_, exponent_);
}

std::int64_t Quantity::milli_value() const {
  return big_ ? scaled_big(*big_, 3) : scaled_small(small_, std::int64_t{exponent_} + 3);
}

std::optional<std::int64_t> Quantity::as_int64() const {
  if (big_ || exponent_ < 0) return std::nullopt;
  std::int64_t number = small_;
  if (!scale_up(number, exponent_)) return std::nullopt;
  return number;
}

double Quantity::as_double() const {
  if (const auto nearest = big_ ? std::nullopt : nearest_double(small_, exponent_)) return *nearest;
  const Big amount = QuantityParts::widened(*this);
  const std::string text = amount.unscaled.str() + "e" + std::to_string(amount.exponent);
  return std::strtod(text.c_str(), nullptr);
}

int Quantity::sign() const {
  if (big_) return big_->unscaled.sign();
  return small_ == 0 ? 0 : small_ < 0 ? -1 : 1;
}

Quantity Quantity::round_up_to_milli() const {
  Quantity out = *this;
  if (!big_ && exponent_ >= -3) return out;
  out.text_.clear();
  if (big_) {
    if (big_->exponent < -3) {
      QuantityParts::set_big(out, scale_down(big_->unscaled, -3 - big_->exponent), -3);
    }
    return out;
  }
  out.small_ = saturated(scale_down(BigInt(small_), std::int64_t{-3} - exponent_));
  out.exponent_ = -3;
  return out;
}

Quantity Quantity::operator-() const {
  Quantity out = *this;
  out.text_.clear();
  if (big_ || small_ == kLeast) {
    Big amount = QuantityParts::widened(*this);
    QuantityParts::set_big(out, -amount.unscaled, amount.exponent);
  } else {
    out.small_ = -small_;
  }
  return out;
}

Quantity& Quantity::operator+=(const Quantity& other) {
  text_.clear();
  if (is_zero()) format_ = other.format_;
  if (!big_ && !other.big_) {
    if (other.small_ == 0) return *this;
    const std::int32_t exponent =
        small_ == 0 ? other.exponent_ : std::min(exponent_, other.exponent_);
    std::int64_t left = small_;
    std::int64_t right = other.small_;
    std::int64_t sum = 0;
    if (scale_up(left, std::int64_t{exponent_} - exponent) &&
        scale_up(right, std::int64_t{other.exponent_} - exponent) &&
        !__builtin_add_overflow(left, right, &sum)) {
      small_ = sum;
      exponent_ = exponent;
      return *this;
    }
  }
  Big left = QuantityParts::widened(*this);
  Big right = QuantityParts::widened(other);
  align(left, right);
  QuantityParts::set_big(*this, left.unscaled + right.unscaled, left.exponent);
  return *this;
}

Quantity& Quantity::operator-=(const Quantity& other) {
  return *this += -other;
}

std::weak_ordering Quantity::operator<=>(const Quantity& other) const {
  if (!big_ && !other.big_ && exponent_ == other.exponent_) return small_ <=> other.small_;
  if (sign() != other.sign()) return sign() <=> other.sign();
  if (is_zero()) return std::weak_ordering::equivalent;
  Big left = QuantityParts::widened(*this);
  Big right = QuantityParts::widened(other);
  const std::int64_t left_size = digit_count(left.unscaled) + left.exponent;
  const std::int64_t right_size = digit_count(right.unscaled) + right.exponent;
  if (left_size != right_size) {
    return sign() > 0 ? left_size <=> right_size : right_size <=> left_size;
  }
  // Equal magnitudes, so the exponents are no further apart than the texts were long.
  if (left.exponent > right.exponent) {
    left.unscaled *= power_of_ten(left.exponent - right.exponent);
  } else {
    right.unscaled *= power_of_ten(right.exponent - left.exponent);
  }
  const int order = left.unscaled.compare(right.unscaled);
  return order <=> 0;
}

}  // namespace berth::api
