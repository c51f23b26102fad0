// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <string_view>

#include "tests/conformance/adapter.hpp"

namespace berth::conformance {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 5> kEmptyIsAbsent = {"status", "resources", "state",
                                                            "lastState", "metadata"};

bool counts_as_absent(std::string_view key, const json::value& value) {
  if (value.is_null()) return true;
  const bool empty = value.is_object() && value.get_object().empty();
  return empty && std::ranges::find(kEmptyIsAbsent, key) != kEmptyIsAbsent.end();
}

std::string shown(const json::value* value) {
  if (value == nullptr) return "nothing";
  std::string text = json::serialize(*value);
  constexpr std::size_t kLimit = 300;
  if (text.size() > kLimit) text = text.substr(0, kLimit) + "…";
  return text;
}

std::optional<std::string> difference(const std::string& path, const json::value* expected,
                                      const json::value* actual) {
  return (path.empty() ? "." : path) + ": expected " + shown(expected) + ", got " + shown(actual);
}

bool same_number(const json::value& a, const json::value& b) {
  if (a.is_double() || b.is_double()) return a.to_number<double>() == b.to_number<double>();
  if (a.is_uint64() != b.is_uint64()) {
    const json::value& wide = a.is_uint64() ? a : b;
    const json::value& narrow = a.is_uint64() ? b : a;
    return narrow.get_int64() >= 0 &&
           wide.get_uint64() == static_cast<std::uint64_t>(narrow.get_int64());
  }
  return a == b;
}

std::optional<std::string> compare_at(const std::string& path, const json::value& expected,
                                      const json::value& actual);

std::optional<std::string> compare_objects(const std::string& path, const json::object& expected,
                                           const json::object& actual) {
  const json::value* error = expected.if_contains("error");
  const bool message_binds = error == nullptr || *error != json::value(true);
  const auto skipped = [&](std::string_view key) { return key == "message" && !message_binds; };

  for (const auto& [key, value] : expected) {
    if (skipped(key)) continue;
    const json::value* other = actual.if_contains(key);
    if (other == nullptr) {
      if (counts_as_absent(key, value)) continue;
      return difference(path + "." + std::string(key), &value, nullptr);
    }
    if (counts_as_absent(key, value) && counts_as_absent(key, *other)) continue;
    if (auto found = compare_at(path + "." + std::string(key), value, *other)) return found;
  }
  for (const auto& [key, value] : actual) {
    if (skipped(key) || expected.contains(key) || counts_as_absent(key, value)) continue;
    return difference(path + "." + std::string(key), nullptr, &value);
  }
  return std::nullopt;
}

std::optional<std::string> compare_arrays(const std::string& path, const json::array& expected,
                                          const json::array& actual) {
  const std::size_t common = std::min(expected.size(), actual.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (auto found = compare_at(path + "[" + std::to_string(i) + "]", expected[i], actual[i])) {
      return found;
    }
  }
  if (expected.size() == actual.size()) return std::nullopt;
  const std::string at = path + "[" + std::to_string(common) + "]";
  return expected.size() > common ? difference(at, &expected[common], nullptr)
                                  : difference(at, nullptr, &actual[common]);
}

std::optional<std::string> compare_at(const std::string& path, const json::value& expected,
                                      const json::value& actual) {
  if (expected.is_object() && actual.is_object()) {
    return compare_objects(path, expected.get_object(), actual.get_object());
  }
  if (expected.is_array() && actual.is_array()) {
    return compare_arrays(path, expected.get_array(), actual.get_array());
  }
  if (expected.is_number() && actual.is_number()) {
    if (same_number(expected, actual)) return std::nullopt;
  } else if (expected == actual) {
    return std::nullopt;
  }
  return difference(path, &expected, &actual);
}

}  // namespace

std::optional<std::string> compare_values(const json::value& expected, const json::value& actual) {
  return compare_at("", expected, actual);
}

}  // namespace berth::conformance
