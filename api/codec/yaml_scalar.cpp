// SPDX-License-Identifier: Apache-2.0

#include "api/codec/yaml_scalar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "api/codec/json_text.hpp"

namespace berth::api {
namespace {

constexpr auto kNulls = std::to_array<std::string_view>({"", "~", "null", "Null", "NULL"});
constexpr auto kTrues = std::to_array<std::string_view>(
    {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"});
constexpr auto kFalses = std::to_array<std::string_view>(
    {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"});
constexpr auto kNotFinite =
    std::to_array<std::string_view>({".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf",
                                     "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF"});

bool is_one_of(std::string_view text, const auto& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view without_plus(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return text;
}

// A whole number as JSON writes it, from any base of YAML 1.1.
std::optional<std::string> integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 1 && text.front() == '0') {
    const char kind = text[1];
    base = kind == 'x' || kind == 'X' ? 16 : kind == 'b' || kind == 'B' ? 2 : 8;
    const bool letter = base != 8 || kind == 'o' || kind == 'O';
    text.remove_prefix(letter ? 2 : 1);
  }
  std::uint64_t size = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, size, base);
  if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 63;
  if (negative && size > kLeast) return std::nullopt;
  return (negative && size != 0 ? "-" : "") + std::to_string(size);
}

// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool looks_like_float(std::string_view text) {
  const auto digits = [&text] {
    const std::size_t before = text.size();
    while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
    return text.size() != before;
  };
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const bool whole = digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!digits() && !whole) return false;
  } else if (!whole) {
    return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (!digits()) return false;
  }
  return text.empty();
}

std::optional<std::string> floating(std::string_view text) {
  if (!looks_like_float(text)) return std::nullopt;
  text = without_plus(text);
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || !std::isfinite(number)) return std::nullopt;
  return json_number(number);
}

std::optional<std::string> number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const char first = text.front();
  if (first == '.') return floating(text);
  if (!is_digit(first) && first != '-' && first != '+') return std::nullopt;
  std::string plain(text);
  std::erase(plain, '_');
  if (std::optional<std::string> whole = integer(plain)) return whole;
  return floating(plain);
}

std::string_view after_digits(std::string_view text, std::string_view digits = "0123456789_") {
  return text.substr(std::min(text.find_first_not_of(digits), text.size()));
}

// A number too large for us, though perhaps not for another parser.
bool is_huge_number(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '_');
  if (looks_like_float(plain)) return true;
  std::string_view rest = plain;
  if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
  const bool based = rest.size() > 2 && rest.front() == '0' &&
                     std::string_view("xXoObB").find(rest[1]) != std::string_view::npos;
  return based && after_digits(rest.substr(2), "0123456789abcdefABCDEF").empty();
}

// 12:30:45, which YAML 1.1 reads as a base-60 number.
bool is_sexagesimal(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front())) return false;
  return text.find(':') != std::string_view::npos && after_digits(text, "0123456789_:.").empty();
}

// 2006-01-02, alone or followed by a time.
bool begins_with_date(std::string_view text) {
  const std::string_view month = after_digits(text, "0123456789");
  if (text.size() - month.size() != 4 || !month.starts_with('-')) return false;
  const std::string_view day = after_digits(month.substr(1), "0123456789");
  if (!day.starts_with('-') || day.size() < 2 || !is_digit(day[1])) return false;
  return after_digits(day, "0123456789-+:. \tTtZz").empty();
}

std::string_view short_name(NodeKind kind) {
  switch (kind) {
    case NodeKind::kNull:
      return "null";
    case NodeKind::kBool:
      return "boolean";
    case NodeKind::kNumber:
      return "number";
    default:
      return "string";
  }
}

}  // namespace

std::expected<Scalar, std::string> resolve_plain(std::string_view text) {
  if (is_one_of(text, kNulls)) return Scalar{NodeKind::kNull, {}};
  if (is_one_of(text, kTrues)) return Scalar{NodeKind::kBool, "true"};
  if (is_one_of(text, kFalses)) return Scalar{NodeKind::kBool, "false"};
  if (is_one_of(text, kNotFinite)) {
    return std::unexpected(fmt::format("{} is no number that JSON knows", text));
  }
  if (std::optional<std::string> found = number(text)) {
    return Scalar{NodeKind::kNumber, *std::move(found)};
  }
  return Scalar{NodeKind::kString, std::string(text)};
}

std::expected<Scalar, std::string> resolve_tagged(std::string_view tag, std::string_view text) {
  constexpr std::string_view kStandard = "tag:yaml.org,2002:";
  Scalar as_string{NodeKind::kString, std::string(text)};
  if (!tag.starts_with(kStandard)) return as_string;
  tag.remove_prefix(kStandard.size());
  const bool wants_number = tag == "int" || tag == "float";
  if (tag != "bool" && tag != "null" && !wants_number) return as_string;
  std::expected<Scalar, std::string> found = resolve_plain(text);
  if (!found) return found;
  const NodeKind wanted = wants_number    ? NodeKind::kNumber
                          : tag == "bool" ? NodeKind::kBool
                                          : NodeKind::kNull;
  const bool fraction = found->text.find_first_of(".e") != std::string::npos;
  if (found->kind != wanted || (tag == "int" && fraction)) {
    return std::unexpected(
        fmt::format("\"{}\" is a {}, but its tag says !!{}", text, short_name(found->kind), tag));
  }
  return found;
}

bool could_be_another_type(std::string_view text) {
  const std::expected<Scalar, std::string> found = resolve_plain(text);
  if (!found || found->kind != NodeKind::kString) return true;
  return text == "=" || text == "<<" || is_huge_number(text) || is_sexagesimal(text) ||
         begins_with_date(text);
}

}  // namespace berth::api
