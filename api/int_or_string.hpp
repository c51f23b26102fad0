// SPDX-License-Identifier: Apache-2.0

// A number or a string, as ports and disruption budgets are written ("http", 80, "50%").
//
// A plain value. Its type decides how it is written: 80 remains a number and "80" remains a string,
// as in Kubernetes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace berth::api {

class IntOrString {
 public:
  IntOrString() = default;
  IntOrString(std::int32_t number) : value_(number) {}               // NOLINT: reads like the YAML
  IntOrString(std::string text) : value_(std::move(text)) {}         // NOLINT: reads like the YAML
  IntOrString(std::string_view text) : value_(std::string(text)) {}  // NOLINT
  IntOrString(const char* text) : value_(std::string(text)) {}       // NOLINT: reads like the YAML

  [[nodiscard]] bool is_int() const { return value_.index() == 0; }
  // The number; 0 if it is a string.
  [[nodiscard]] std::int32_t int_value() const { return is_int() ? std::get<0>(value_) : 0; }
  // The string; empty if it is a number.
  [[nodiscard]] std::string string_value() const { return is_int() ? "" : std::get<1>(value_); }
  // The number in decimal, or the string.
  [[nodiscard]] std::string to_string() const {
    return is_int() ? std::to_string(std::get<0>(value_)) : std::get<1>(value_);
  }

  bool operator==(const IntOrString&) const = default;

 private:
  std::variant<std::int32_t, std::string> value_{0};
};

}  // namespace berth::api
