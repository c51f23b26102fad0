// SPDX-License-Identifier: Apache-2.0

#include "eviction/float_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <fmt/core.h>

namespace berth::eviction {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

std::unexpected<Error> refused(std::string_view text, std::string_view why) {
  return fail(ErrorCode::kInvalid,
              fmt::format("strconv.ParseFloat: parsing \"{}\": {}", text, why));
}

bool is_hex(std::string_view digits) {
  return digits.starts_with("0x");
}

// Underscores are allowed between two digits, or between a prefix and a digit.
std::optional<std::string> without_underscores(std::string_view digits) {
  const auto is_digit = [hex = is_hex(digits)](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return hex ? std::isxdigit(byte) != 0 : std::isdigit(byte) != 0;
  };
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] != '_') {
      out += digits[i];
      continue;
    }
    const bool after = i > 0 && (is_digit(digits[i - 1]) || (i == 2 && is_hex(digits)));
    const bool before = i + 1 < digits.size() && is_digit(digits[i + 1]);
    if (!after || !before) return std::nullopt;
  }
  return out;
}

enum class Parsed : std::uint8_t { kFine, kNoNumber, kTooLarge };

// Position of the first non-zero digit relative to the point (the last one before it is 0, the
// first one after it -1), for digits before any exponent; `std::nullopt` if all are zero.
std::optional<std::int64_t> place_of_first_digit(std::string_view mantissa) {
  const auto first = mantissa.find_first_not_of("0.");
  if (first == std::string_view::npos) return std::nullopt;
  const auto point = std::min(mantissa.find('.'), mantissa.size());
  const auto place = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  return first < point ? place - 1 : place;
}

// Beyond some thousands more digits change nothing; Go stops counting there too.
std::int64_t exponent_of(std::string_view text) {
  constexpr std::int64_t kEnough = 10'000;
  constexpr std::int64_t kTen = 10;
  const bool negative = text.starts_with('-');
  std::int64_t out = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9' && out < kEnough) out = out * kTen + (c - '0');
  }
  return negative ? -out : out;
}

// For a number that no float can hold because it is too large or too close to zero: it is so far
// from one that the exponent of its first digit decides which.
Parsed side_of_range(std::string_view digits, bool hex) {
  constexpr std::int64_t kBitsOfHexDigit = 4;
  const auto mark = digits.find(hex ? 'p' : 'e');
  const auto place = place_of_first_digit(digits.substr(0, mark));
  if (!place) return Parsed::kFine;
  const std::int64_t exponent =
      mark == std::string_view::npos ? 0 : exponent_of(digits.substr(mark + 1));
  const std::int64_t places = hex ? *place * kBitsOfHexDigit : *place;
  return places + exponent > 0 ? Parsed::kTooLarge : Parsed::kFine;
}

Parsed read_magnitude(std::string_view digits, float& out) {
  const bool hex = is_hex(digits);
  if (hex && digits.find('p') == std::string_view::npos) return Parsed::kNoNumber;
  if (hex) digits.remove_prefix(2);
  // from_chars would accept words, and a second sign.
  const std::string_view may_begin = hex ? ".0123456789abcdef" : ".0123456789";
  if (digits.empty() || !may_begin.contains(digits.front())) return Parsed::kNoNumber;
  const char* begin = digits.data();
  const char* end = begin + digits.size();
  const auto format = hex ? std::chars_format::hex : std::chars_format::general;
  const auto [rest, error] = std::from_chars(begin, end, out, format);
  if (error == std::errc::invalid_argument || rest != end) return Parsed::kNoNumber;
  if (error == std::errc{}) return Parsed::kFine;
  out = 0;
  return side_of_range(digits, hex);
}

}  // namespace

Result<float> parse_float32(std::string_view text) {
  std::string digits = lower(text);
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.erase(0, 1);
  const float sign = negative ? -1.0F : 1.0F;
  if (digits == "inf" || digits == "infinity") return sign * std::numeric_limits<float>::infinity();
  if (digits == "nan" && digits.size() == text.size()) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  const auto plain = without_underscores(digits);
  float magnitude = 0;
  switch (plain ? read_magnitude(*plain, magnitude) : Parsed::kNoNumber) {
    case Parsed::kNoNumber:
      return refused(text, "invalid syntax");
    case Parsed::kTooLarge:
      return refused(text, "value out of range");
    case Parsed::kFine:
      break;
  }
  return sign * magnitude;
}

}  // namespace berth::eviction
