// SPDX-License-Identifier: Apache-2.0

// Adapter of the kind "quantity".
#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json.hpp>
#include <boost/multiprecision/cpp_int.hpp>

#include "api/quantity.hpp"
#include "tests/conformance/adapter.hpp"

namespace berth::conformance {
namespace {

namespace json = boost::json;
using api::Quantity;

std::string_view name_of(Quantity::Format format) {
  switch (format) {
    case Quantity::Format::kDecimalSI:
      return "DecimalSI";
    case Quantity::Format::kBinarySI:
      return "BinarySI";
    case Quantity::Format::kDecimalExponent:
      return "DecimalExponent";
  }
  return "";
}

std::string_view text_at(const json::object& input, std::string_view key) {
  return input.at(key).as_string();
}

Quantity quantity_at(const json::object& input, std::string_view key) {
  Result<Quantity> parsed = Quantity::parse(text_at(input, key));
  if (!parsed) throw std::runtime_error(parsed.error().message);
  return *std::move(parsed);
}

json::value run_parse(const json::object& input) {
  const Result<Quantity> parsed = Quantity::parse(text_at(input, "a"));
  if (!parsed) return json::object{{"error", true}, {"message", parsed.error().message}};
  const std::optional<std::int64_t> whole = parsed->as_int64();
  return json::object{
      {"error", false},
      {"canonical", parsed->to_string()},
      {"json", parsed->to_string()},
      {"value", parsed->value()},
      {"milliValue", parsed->milli_value()},
      {"sign", parsed->sign()},
      {"isZero", parsed->is_zero()},
      {"format", name_of(parsed->format())},
      {"asInt64", json::object{{"ok", whole.has_value()}, {"value", whole.value_or(0)}}},
  };
}

json::value run_quantity(const json::object& input) {
  const std::string_view op = text_at(input, "op");
  if (op == "parse") return run_parse(input);
  const Quantity a = quantity_at(input, "a");
  const Quantity b = quantity_at(input, "b");
  if (op == "cmp") {
    const std::weak_ordering order = a <=> b;
    return json::object{{"result", order < 0 ? -1 : order > 0 ? 1 : 0}};
  }
  if (op != "add" && op != "sub") throw std::runtime_error("unknown op " + std::string(op));
  const Quantity result = op == "add" ? a + b : a - b;
  return json::object{{"result", result.to_string()}, {"format", name_of(result.format())}};
}

using BigInt = boost::multiprecision::cpp_int;

// An amount as written: digits · 10^tens · 2^twos.
struct Written {
  BigInt digits{};
  std::int64_t tens = 0;
  std::int64_t twos = 0;
};

// Parses a canonical text, as recorded in the case.
Written read_amount(const std::string& text) {
  const auto end = text.find_first_not_of("+-.0123456789");
  std::string number = text.substr(0, end);
  const std::string suffix = end == std::string::npos ? "" : text.substr(end);
  Written out;
  if (const auto point = number.find('.'); point != std::string::npos) {
    out.tens = -static_cast<std::int64_t>(number.size() - point - 1);
    number.erase(point, 1);
  }
  if (number.starts_with('+')) number.erase(0, 1);
  const bool negative = number.starts_with('-');
  if (negative) number.erase(0, 1);
  // Leading zeros would make it octal.
  number.erase(0, std::min(number.find_first_not_of('0'), number.size()));
  if (!number.empty()) out.digits = BigInt(number);
  if (negative) out.digits = -out.digits;
  constexpr std::string_view kSmall = "num";
  constexpr std::string_view kLarge = "kMGTPE";
  constexpr std::string_view kBinary = "KMGTPE";
  if (suffix.size() > 1 && (suffix.front() == 'e' || suffix.front() == 'E')) {
    out.tens += std::stoll(suffix.substr(1));
  } else if (suffix.ends_with('i')) {
    out.twos = 10 * static_cast<std::int64_t>(kBinary.find(suffix.front()) + 1);
  } else if (!suffix.empty() && kSmall.find(suffix.front()) != std::string_view::npos) {
    out.tens += 3 * static_cast<std::int64_t>(kSmall.find(suffix.front())) - 9;
  } else if (!suffix.empty()) {
    out.tens += 3 * static_cast<std::int64_t>(kLarge.find(suffix.front()) + 1);
  }
  return out;
}

// The limit that the amount, rounded away from zero, exceeds; `std::nullopt` if it fits 64 bits.
std::optional<std::int64_t> limit_beyond(const Written& amount) {
  constexpr std::int64_t kFar = 1000;  // digits: certainly beyond or within
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (amount.digits == 0 || amount.tens < -kFar) return std::nullopt;
  const std::int64_t limit = amount.digits < 0 ? least : most;
  if (amount.tens > kFar) return limit;
  const auto power = [](std::int64_t tens) -> BigInt {
    return boost::multiprecision::pow(BigInt(10), static_cast<unsigned>(tens));
  };
  BigInt left = amount.digits << static_cast<unsigned>(amount.twos);
  BigInt right = limit;
  if (amount.tens >= 0) {
    left *= power(amount.tens);
  } else {
    right *= power(-amount.tens);
  }
  const bool beyond = limit < 0 ? left < right : left > right;
  return beyond ? std::optional(limit) : std::nullopt;
}

// Numbers are binding if they fit 64 bits (the vectors' README), which the recorded text decides.
// Beyond, the recorded ones are remains of an overflow, and ours is the limit. asInt64's value is
// binding only if there is one.
std::optional<std::string> compare_quantities(const json::value& expected,
                                              const json::value& actual) {
  json::value wanted = expected;
  json::object& fields = wanted.as_object();
  std::optional<std::string> canonical;
  if (const json::value* text = fields.if_contains("canonical")) canonical = text->as_string();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  // Rounding is away from zero, so only overflow turns a non-zero amount into zero (1000E has the
  // text "1").
  const bool lost = canonical && fields.at("value") == 0 && !fields.at("isZero").as_bool();
  for (const auto& [key, tens] : {std::pair("value", 0), std::pair("milliValue", 3)}) {
    if (!canonical) break;
    Written amount = read_amount(*canonical);
    amount.tens += tens;
    std::optional<std::int64_t> limit = limit_beyond(amount);
    if (lost) limit = fields.at("sign").as_int64() < 0 ? kLeast : kMost;
    if (limit) fields[key] = *limit;
  }
  if (json::value* whole = fields.if_contains("asInt64")) {
    if (!whole->at("ok").as_bool()) whole->as_object()["value"] = 0;
  }
  return compare_values(wanted, actual);
}

}  // namespace

std::vector<Kind> quantity_kinds() {
  return {Kind{"quantity", run_quantity, compare_quantities}};
}

}  // namespace berth::conformance
