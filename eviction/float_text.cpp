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

// An underscore stands between two digits, or between a prefix and a digit.
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

Parsed read_magnitude(const std::string& digits, float& out) {
  const bool hex = is_hex(digits);
  if (hex && digits.find('p') == std::string::npos) return Parsed::kNoNumber;
  const char* begin = digits.data() + (hex ? 2 : 0);
  const char* end = digits.data() + digits.size();
  // from_chars takes a sign of its own, which after one is none, and words.
  if (begin == end || (*begin != '.' && std::isxdigit(static_cast<unsigned char>(*begin)) == 0)) {
    return Parsed::kNoNumber;
  }
  if (!hex && *begin != '.' && std::isdigit(static_cast<unsigned char>(*begin)) == 0) {
    return Parsed::kNoNumber;
  }
  const auto format = hex ? std::chars_format::hex : std::chars_format::general;
  const auto [rest, error] = std::from_chars(begin, end, out, format);
  if (error == std::errc::invalid_argument || rest != end) return Parsed::kNoNumber;
  if (error == std::errc{}) return Parsed::kFine;
  // Beyond a float: on which side shows in a double, and beyond that in the text itself.
  double wide = 0;
  out = 0;
  if (std::from_chars(begin, end, wide, format).ec == std::errc{}) {
    return wide > 1 ? Parsed::kTooLarge : Parsed::kFine;
  }
  const auto exponent = digits.find(hex ? 'p' : 'e');
  const bool small = exponent == std::string::npos
                         ? *begin == '0' || *begin == '.'
                         : digits.find('-', exponent) != std::string::npos;
  return small ? Parsed::kFine : Parsed::kTooLarge;
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
