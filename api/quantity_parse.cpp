// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "api/quantity_parts.hpp"

namespace berth::api {
namespace {

constexpr std::string_view kBadFormat =
    "quantities must match the regular expression "
    "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
constexpr std::string_view kBadSuffix = "unable to parse quantity's suffix";
constexpr std::string_view kBadNumber = "unable to parse numeric part of quantity";

// Kubernetes has no limit here; but no amount needs more, and big numbers take quadratic time.
constexpr std::size_t kLongestText = 1024;

// Digits that always fit an int64.
constexpr int kSafeDigits = 18;

// A parsed quantity text: sign, digits before and after the point (leading zeros removed), and the
// suffix.
struct Scanned {
  bool negative = false;
  std::string_view whole{};
  std::string_view fraction{};
  std::string_view suffix{};
  bool has_digits = false;
};

struct Suffix {
  int base = 10;
  std::int32_t exponent = 0;  // of 10, or of 2
  Quantity::Format format = Quantity::Format::kDecimalSI;
};

std::string_view consume_while(std::string_view& text, std::string_view set) {
  const std::size_t end = std::min(text.find_first_not_of(set), text.size());
  const std::string_view consumed = text.substr(0, end);
  text.remove_prefix(end);
  return consumed;
}

std::optional<Scanned> scan(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  Scanned out;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    out.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  const std::string_view zeros = consume_while(text, "0");
  out.whole = consume_while(text, kDigits);
  out.has_digits = !zeros.empty() || !out.whole.empty();
  if (out.whole.empty()) out.whole = "0";
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    out.fraction = consume_while(text, kDigits);
    out.has_digits = out.has_digits || !out.fraction.empty();
  }
  out.suffix = text;
  consume_while(text, "eEinumkKMGTP");
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  consume_while(text, kDigits);
  if (!text.empty()) return std::nullopt;
  return out;
}

// Exponents are truncated to 32 bits as in Kubernetes, so they wrap.
std::optional<Suffix> exponent_suffix(std::string_view text) {
  if (text.size() < 2 || (text.front() != 'e' && text.front() != 'E')) return std::nullopt;
  text.remove_prefix(1);
  if (text.front() == '+') text.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return Suffix{10, static_cast<std::int32_t>(exponent), Quantity::Format::kDecimalExponent};
}

std::optional<Suffix> interpret(std::string_view text) {
  struct Known {
    std::string_view text;
    int base;
    std::int32_t exponent;
  };
  static constexpr auto kKnown = std::to_array<Known>({
      {"", 10, 0},
      {"m", 10, -3},
      {"u", 10, -6},
      {"n", 10, -9},
      {"k", 10, 3},
      {"M", 10, 6},
      {"G", 10, 9},
      {"T", 10, 12},
      {"P", 10, 15},
      {"E", 10, 18},
      {"Ki", 2, 10},
      {"Mi", 2, 20},
      {"Gi", 2, 30},
      {"Ti", 2, 40},
      {"Pi", 2, 50},
      {"Ei", 2, 60},
  });
  for (const Known& known : kKnown) {
    if (known.text == text) {
      return Suffix{known.base, known.exponent,
                    known.base == 2 ? Quantity::Format::kBinarySI : Quantity::Format::kDecimalSI};
    }
  }
  return exponent_suffix(text);
}

// How many more digits would still fit; negative if the number needs the slow path.
int spare_digits(const Scanned& scanned, const Suffix& suffix) {
  const int digits = static_cast<int>(scanned.whole.size() + scanned.fraction.size());
  if (suffix.base == 10) return kSafeDigits - digits;
  if (!scanned.fraction.empty()) return -1;
  // 2^10 takes about 3 digits; Kubernetes leaves a margin here, which affects how it prints.
  return 15 - digits - suffix.exponent * 3 / 10 - 1;
}

// Whether Kubernetes keeps the text instead of printing the canonical form: the text looks roughly
// canonical (no factor of 1000, or of 8 in binary; no significant leading zero).
bool keeps_text(const Suffix& suffix, std::string_view digits, std::int64_t exponent,
                std::int64_t value) {
  if (suffix.base == 2) return (value & 7) != 0;
  return exponent % 3 == 0 && digits.front() != '0' && !digits.ends_with("000");
}

// The usual case: an int64 and a power of ten.
std::optional<Quantity> parse_small(const Scanned& scanned, const Suffix& suffix,
                                    std::string_view text) {
  if (spare_digits(scanned, suffix) < 0) return std::nullopt;
  const std::int64_t exponent = static_cast<std::int64_t>(suffix.base == 10 ? suffix.exponent : 0) -
                                static_cast<std::int64_t>(scanned.fraction.size());
  if (exponent < kNano) return std::nullopt;
  const std::string digits = std::string(scanned.whole) + std::string(scanned.fraction);
  std::int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  std::int64_t value = number;
  if (suffix.base == 2 &&
      __builtin_mul_overflow(number, std::int64_t{1} << suffix.exponent, &value)) {
    return std::nullopt;
  }
  const bool keep = keeps_text(suffix, digits, exponent, number);
  if (scanned.negative) value = -value;
  return QuantityParts::small(value, static_cast<std::int32_t>(exponent), suffix.format,
                              keep ? std::string(text) : std::string{});
}

Quantity parse_big(const Scanned& scanned, const Suffix& suffix) {
  BigInt number{std::string(scanned.whole)};
  for (const char digit : scanned.fraction) number = number * 10 + (digit - '0');
  std::int64_t exponent = -static_cast<std::int64_t>(scanned.fraction.size());
  if (suffix.base == 10) {
    exponent += suffix.exponent;
  } else {
    number <<= static_cast<unsigned>(suffix.exponent);
  }
  Quantity::Format format = suffix.format;
  if (number != 0) {
    if (exponent < kNano) {
      number = scale_down(number, kNano - exponent);
      exponent = kNano;
    } else if (exponent - kNano <= kMostDigitsApart) {
      number *= power_of_ten(exponent - kNano);
      exponent = kNano;
    }
  }
  if (suffix.base == 2) {
    const BigInt most(INT64_MAX);
    const BigInt one = power_of_ten(-exponent);
    if (number > most * one) {
      number = most;
      exponent = 0;
    } else if (number != 0 && number < one) {
      format = Quantity::Format::kDecimalSI;
    }
  }
  if (scanned.negative) number = -number;
  return QuantityParts::big(std::move(number), exponent, format);
}

}  // namespace

Result<Quantity> Quantity::parse(std::string_view text) {
  if (text.empty()) return fail(ErrorCode::kInvalid, std::string(kBadFormat));
  if (text.size() > kLongestText) {
    return fail(ErrorCode::kInvalid, fmt::format("longer than {} characters", kLongestText));
  }
  const std::optional<Scanned> scanned = scan(text);
  if (!scanned) return fail(ErrorCode::kInvalid, std::string(kBadFormat));
  const std::optional<Suffix> suffix = interpret(scanned->suffix);
  if (!suffix) return fail(ErrorCode::kInvalid, std::string(kBadSuffix));
  if (std::optional<Quantity> small = parse_small(*scanned, *suffix, text)) return *small;
  if (!scanned->has_digits) return fail(ErrorCode::kInvalid, std::string(kBadNumber));
  return parse_big(*scanned, *suffix);
}

}  // namespace berth::api
