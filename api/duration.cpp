// SPDX-License-Identifier: Apache-2.0

// Durations in Go's notation.
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "api/time.hpp"

namespace berth::api {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};

// Longer names first, as one name may be another's prefix.
constexpr auto kUnits = std::to_array<Unit>({
    {"ns", 1},
    {"us", 1'000},
    {"\u00b5s", 1'000},  // micro sign
    {"\u03bcs", 1'000},  // Greek letter mu
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"m", 60'000'000'000},
    {"h", 3'600'000'000'000},
});

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<Unit> consume_unit(std::string_view& text) {
  for (const Unit& unit : kUnits) {
    if (!text.starts_with(unit.name)) continue;
    text.remove_prefix(unit.name.size());
    return unit;
  }
  return std::nullopt;
}

// Consumes one part such as "12.5s" from the front, in nanoseconds; finer digits are truncated.
std::optional<std::int64_t> consume_part(std::string_view& text) {
  std::int64_t whole = 0;
  std::int64_t fraction = 0;
  std::int64_t scale = 1;
  bool digits = false;
  for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1)) {
    if (__builtin_mul_overflow(whole, std::int64_t{10}, &whole) ||
        __builtin_add_overflow(whole, std::int64_t{text.front() - '0'}, &whole)) {
      return std::nullopt;
    }
    digits = true;
  }
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1)) {
      digits = true;
      if (scale > 100'000'000'000'000) continue;
      fraction = fraction * 10 + (text.front() - '0');
      scale *= 10;
    }
  }
  if (!digits) return std::nullopt;
  const std::optional<Unit> unit = consume_unit(text);
  if (!unit) return std::nullopt;
  std::int64_t total = 0;
  if (__builtin_mul_overflow(whole, unit->nanoseconds, &total)) return std::nullopt;
  const double part = static_cast<double>(fraction) *
                      (static_cast<double>(unit->nanoseconds) / static_cast<double>(scale));
  if (__builtin_add_overflow(total, static_cast<std::int64_t>(part), &total)) return std::nullopt;
  return total;
}

std::optional<std::int64_t> read(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  std::int64_t total = 0;
  while (!text.empty()) {
    const std::optional<std::int64_t> part = consume_part(text);
    if (!part || __builtin_add_overflow(total, *part, &total)) return std::nullopt;
  }
  return negative ? -total : total;
}

// "1.5" for 1500 of 1000, without trailing zeros.
std::string with_fraction(std::uint64_t amount, std::uint64_t unit, int digits) {
  std::string text = fmt::format("{}", amount / unit);
  if (amount % unit == 0) return text;
  std::string fraction = fmt::format("{:0{}}", amount % unit, digits);
  while (fraction.back() == '0') fraction.pop_back();
  return text + "." + fraction;
}

}  // namespace

Result<Duration> Duration::parse(std::string_view text) {
  const std::optional<std::int64_t> amount = read(text);
  if (!amount) {
    return fail(ErrorCode::kInvalid,
                fmt::format("\"{}\" is not a duration like 300ms, 1.5h or 1m30s", text));
  }
  return Duration{std::chrono::nanoseconds{*amount}};
}

std::string Duration::to_string() const {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const std::int64_t count = value.count();
  if (count == 0) return "0s";
  const std::string sign = count < 0 ? "-" : "";
  // Negated as unsigned, so that the smallest number has a magnitude too.
  const auto bits = static_cast<std::uint64_t>(count);
  const std::uint64_t size = count < 0 ? std::uint64_t{0} - bits : bits;
  if (size < 1'000) return sign + fmt::format("{}ns", size);
  if (size < 1'000'000) return sign + with_fraction(size, 1'000, 3) + "\u00b5s";
  if (size < kSecond) return sign + with_fraction(size, 1'000'000, 6) + "ms";
  const std::uint64_t hours = size / (3'600 * kSecond);
  const std::uint64_t minutes = size / (60 * kSecond) % 60;
  std::string text = sign;
  if (hours > 0) text += fmt::format("{}h", hours);
  if (hours > 0 || minutes > 0) text += fmt::format("{}m", minutes);
  return text + with_fraction(size % (60 * kSecond), kSecond, 9) + "s";
}

}  // namespace berth::api
