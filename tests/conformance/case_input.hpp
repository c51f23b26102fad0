// SPDX-License-Identifier: Apache-2.0

// Reads one case's input: fields by name, a missing one as its zero value.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "api/codec.hpp"

namespace berth::conformance::case_input {

namespace json = boost::json;

template <class T>
T decoded(const json::value& value) {
  auto object = api::from_json<T>(value);
  if (!object) throw std::runtime_error(object.error().message);
  return std::move(*object);
}

template <class T>
T decoded(const json::object& input, const char* key) {
  const json::value* value = input.if_contains(key);
  return value == nullptr ? T{} : decoded<T>(*value);
}

inline const json::array& list(const json::object& input, const char* key) {
  static const json::array kEmpty;
  const json::value* value = input.if_contains(key);
  return value == nullptr ? kEmpty : value->as_array();
}

inline const json::object& object(const json::object& input, const char* key) {
  static const json::object kEmpty;
  const json::value* value = input.if_contains(key);
  return value == nullptr ? kEmpty : value->as_object();
}

template <class T>
std::vector<T> decoded_list(const json::object& input, const char* key) {
  std::vector<T> out;
  for (const json::value& item : list(input, key)) out.push_back(decoded<T>(item));
  return out;
}

inline std::vector<std::string> strings(const json::object& input, const char* key) {
  std::vector<std::string> out;
  for (const json::value& item : list(input, key)) out.emplace_back(item.as_string());
  return out;
}

inline std::string text(const json::object& input, const char* key) {
  const json::value* value = input.if_contains(key);
  return value == nullptr ? "" : std::string(value->as_string());
}

inline std::int64_t number(const json::object& input, const char* key) {
  const json::value* value = input.if_contains(key);
  return value == nullptr ? 0 : value->to_number<std::int64_t>();
}

inline std::optional<std::int64_t> maybe_number(const json::object& input, const char* key) {
  if (!input.contains(key)) return std::nullopt;
  return number(input, key);
}

inline bool flag(const json::object& input, const char* key) {
  const json::value* value = input.if_contains(key);
  return value != nullptr && value->as_bool();
}

}  // namespace berth::conformance::case_input
