// SPDX-License-Identifier: Apache-2.0

// An amount of a resource: "100m", "32Mi", "1.5e3".
//
// A value type with the arithmetic of Kubernetes' resource.Quantity: exact decimal numbers down to
// 1e-9 (finer ones are rounded up), three notations, and a canonical text. A usual amount is an
// int64 and a power of ten; only larger or finer ones need a big number. Binary amounts are capped
// at 2^63-1 when parsed, as in Kubernetes. Comparison is by value, never by notation.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace berth::api {

class Quantity {
 public:
  enum class Format : std::uint8_t {
    kDecimalSI,        // 12k, 5m
    kBinarySI,         // 12Ki
    kDecimalExponent,  // 12e3
  };

  // Zero, in decimal notation.
  Quantity() = default;

  // Fails with ErrorCode::kInvalid and Kubernetes' message.
  static Result<Quantity> parse(std::string_view text);
  static Quantity from_int(std::int64_t value, Format format = Format::kDecimalSI);
  static Quantity from_milli(std::int64_t thousandths, Format format = Format::kDecimalSI);

  // As Kubernetes prints it: the parsed text if it is close enough to the canonical form (a plus
  // sign or leading zeros survive), else the canonical form.
  [[nodiscard]] std::string to_string() const;

  // The whole number (or number of thousandths), rounded up, clamped to 64 bits.
  [[nodiscard]] std::int64_t value() const;
  [[nodiscard]] std::int64_t milli_value() const;
  // The number, if it is stored as a whole number that fits into 64 bits.
  [[nodiscard]] std::optional<std::int64_t> as_int64() const;
  // The nearest double; for ratios and reports only.
  [[nodiscard]] double as_double() const;
  [[nodiscard]] int sign() const;
  [[nodiscard]] bool is_zero() const { return sign() == 0; }
  [[nodiscard]] Format format() const { return format_; }

  // The same amount, with parts finer than thousandths rounded up (away from zero).
  [[nodiscard]] Quantity round_up_to_milli() const;
  [[nodiscard]] Quantity operator-() const;

  // Keeps the notation of the left side, unless that is zero. Sums are exact, except that the
  // smaller operand is dropped if the two are more than a thousand digits apart.
  Quantity& operator+=(const Quantity& other);
  Quantity& operator-=(const Quantity& other);
  friend Quantity operator+(Quantity left, const Quantity& right) { return left += right; }
  friend Quantity operator-(Quantity left, const Quantity& right) { return left -= right; }

  std::weak_ordering operator<=>(const Quantity& other) const;
  bool operator==(const Quantity& other) const { return (*this <=> other) == 0; }

  // A number with more than 64 bits; private to the implementation.
  struct Big;

 private:
  friend struct QuantityParts;

  std::int64_t small_ = 0;  // the amount is small_ · 10^exponent_, unless big_ is set
  std::int32_t exponent_ = 0;
  Format format_ = Format::kDecimalSI;
  std::shared_ptr<const Big> big_{};  // immutable, so copies can share it
  std::string text_{};                // as parsed, if that text is kept
};

}  // namespace berth::api
