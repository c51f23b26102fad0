// SPDX-License-Identifier: Apache-2.0

// The canonical text of a quantity: the largest suffix that needs no fraction.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/quantity_parts.hpp"

namespace berth::api {
namespace {

// Where Kubernetes has no suffix (beyond 10^18 or 2^60), it prints none, and we do the same: its
// text is authoritative, and parsing never produces such an amount in binary.
std::string_view decimal_suffix(std::int64_t exponent) {
  static constexpr auto kSuffixes =
      std::to_array<std::string_view>({"n", "u", "m", "", "k", "M", "G", "T", "P", "E"});
  const std::int64_t index = exponent / 3 + 3;
  if (index < 0 || index >= static_cast<std::int64_t>(kSuffixes.size())) return "";
  return kSuffixes[static_cast<std::size_t>(index)];
}

std::string_view binary_suffix(std::size_t thousands) {
  static constexpr auto kSuffixes =
      std::to_array<std::string_view>({"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"});
  return thousands < kSuffixes.size() ? kSuffixes[thousands] : "";
}

std::string decimal_text(const Quantity::Big& amount, Quantity::Format format) {
  std::string digits = amount.unscaled.str();
  std::int64_t exponent = amount.exponent;
  while (digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  while (exponent % 3 != 0) {
    digits.push_back('0');
    --exponent;
  }
  if (format == Quantity::Format::kDecimalSI) return digits + std::string(decimal_suffix(exponent));
  return exponent == 0 ? digits : digits + "e" + std::to_string(exponent);
}

// False if the amount is not a whole number (or absurdly large).
bool whole(const Quantity::Big& amount, BigInt& out) {
  if (amount.exponent > kMostDigitsApart) return false;
  if (amount.exponent >= 0) {
    out = amount.unscaled * power_of_ten(amount.exponent);
    return true;
  }
  const BigInt divisor = power_of_ten(-amount.exponent);
  out = amount.unscaled / divisor;
  return out * divisor == amount.unscaled;
}

std::string binary_text(BigInt number) {
  std::size_t thousands = 0;
  while (number % 1024 == 0) {
    number /= 1024;
    ++thousands;
  }
  return number.str() + std::string(binary_suffix(thousands));
}

}  // namespace

std::string Quantity::to_string() const {
  if (!text_.empty()) return text_;
  if (is_zero()) return "0";
  const Big amount = QuantityParts::widened(*this);
  if (format_ == Format::kBinarySI) {
    BigInt number;
    if (whole(amount, number) && abs(number) >= 1024) return binary_text(std::move(number));
    return decimal_text(amount, Format::kDecimalSI);
  }
  return decimal_text(amount, format_);
}

}  // namespace berth::api
