// SPDX-License-Identifier: Apache-2.0

// Reads the API's scalars from tree nodes and writes them to JSON.
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json.hpp>

#include "api/codec/base64.hpp"
#include "api/codec/codec_types.hpp"
#include "api/int_or_string.hpp"
#include "api/quantity.hpp"
#include "api/scalars.hpp"
#include "api/time.hpp"

namespace berth::api::codec {
namespace {

namespace json = boost::json;

template <class T>
const T& as(const void* object) {
  return *static_cast<const T*>(object);
}
template <class T>
T& as(void* object) {
  return *static_cast<T*>(object);
}

bool never_empty(const void*) {
  return false;
}

template <class T>
bool zero(const void* object) {
  return as<T>(object) == T{};
}

bool read_string(const TreeNode& node, void* object, std::string&) {
  if (node.kind != NodeKind::kString) return false;
  as<std::string>(object) = node.text;
  return true;
}

json::value write_string(const void* object) {
  return json::string(as<std::string>(object));
}

bool read_bool(const TreeNode& node, void* object, std::string&) {
  if (node.kind != NodeKind::kBool) return false;
  as<bool>(object) = node.text == "true";
  return true;
}

json::value write_bool(const void* object) {
  return as<bool>(object);
}

// The whole text must be a number of that type.
template <class T>
bool read_number(const TreeNode& node, void* object, std::string&) {
  if (node.kind != NodeKind::kNumber) return false;
  T number{};
  const char* end = node.text.data() + node.text.size();
  const auto [stop, error] = std::from_chars(node.text.data(), end, number);
  if (error != std::errc{} || stop != end) return false;
  as<T>(object) = number;
  return true;
}

template <class T>
json::value write_number(const void* object) {
  return json::value(as<T>(object));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\n\r\f\v";
  const std::size_t start = text.find_first_not_of(kBlank);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(kBlank) - start + 1);
}

bool read_quantity(const TreeNode& node, void* object, std::string& reason) {
  if (node.kind != NodeKind::kString && node.kind != NodeKind::kNumber) return false;
  Result<Quantity> parsed = Quantity::parse(trimmed(node.text));
  if (!parsed) {
    reason = std::move(parsed.error().message);
    return false;
  }
  as<Quantity>(object) = *std::move(parsed);
  return true;
}

json::value write_quantity(const void* object) {
  return json::string(as<Quantity>(object).to_string());
}

bool read_int_or_string(const TreeNode& node, void* object, std::string& reason) {
  if (node.kind == NodeKind::kString) {
    as<IntOrString>(object) = IntOrString(node.text);
    return true;
  }
  std::int32_t number = 0;
  if (!read_number<std::int32_t>(node, &number, reason)) return false;
  as<IntOrString>(object) = IntOrString(number);
  return true;
}

json::value write_int_or_string(const void* object) {
  const IntOrString& value = as<IntOrString>(object);
  if (value.is_int()) return value.int_value();
  return json::string(value.string_value());
}

// Types with a text form of their own: T::parse and to_string.
template <class T>
bool read_text(const TreeNode& node, void* object, std::string& reason) {
  if (node.kind != NodeKind::kString) return false;
  Result<T> parsed = T::parse(node.text);
  if (!parsed) {
    reason = std::move(parsed.error().message);
    return false;
  }
  as<T>(object) = *std::move(parsed);
  return true;
}

template <class T>
json::value write_text(const void* object) {
  return json::string(as<T>(object).to_string());
}

bool read_bytes(const TreeNode& node, void* object, std::string& reason) {
  if (node.kind != NodeKind::kString) return false;
  Result<std::string> data = from_base64(node.text);
  if (!data) {
    reason = std::move(data.error().message);
    return false;
  }
  as<Bytes>(object).data = *std::move(data);
  return true;
}

json::value write_bytes(const void* object) {
  return json::string(to_base64(as<Bytes>(object).data));
}

bool read_raw(const TreeNode& node, void* object, std::string&) {
  as<RawJson>(object).text = compact_json(node);
  return true;
}

json::value write_raw(const void* object) {
  constexpr std::size_t kDeepest = 512;  // far more than a tree may nest
  json::parse_options options;
  options.max_depth = kDeepest;
  boost::system::error_code error;
  json::value value = json::parse(as<RawJson>(object).text, error, {}, options);
  return error ? json::value(nullptr) : value;
}

}  // namespace

const Leaf kStringLeaf{"a string", read_string, write_string, zero<std::string>};
const Leaf kBoolLeaf{"true or false", read_bool, write_bool, zero<bool>};
const Leaf kInt32Leaf{"a whole number from -2147483648 to 2147483647", read_number<std::int32_t>,
                      write_number<std::int32_t>, zero<std::int32_t>};
const Leaf kInt64Leaf{"a whole number of 64 bits", read_number<std::int64_t>,
                      write_number<std::int64_t>, zero<std::int64_t>};
const Leaf kUint32Leaf{"a whole number from 0 to 4294967295", read_number<std::uint32_t>,
                       write_number<std::uint32_t>, zero<std::uint32_t>};
const Leaf kUint64Leaf{"a whole number of 64 bits, not negative", read_number<std::uint64_t>,
                       write_number<std::uint64_t>, zero<std::uint64_t>};
const Leaf kDoubleLeaf{"a number", read_number<double>, write_number<double>, zero<double>};
const Leaf kQuantityLeaf{"a quantity such as 100m or 32Mi", read_quantity, write_quantity,
                         never_empty};
const Leaf kIntOrStringLeaf{"a whole number of 32 bits or a string", read_int_or_string,
                            write_int_or_string, never_empty};
const Leaf kTimeLeaf{"a time such as \"2006-01-02T15:04:05Z\"", read_text<Time>, write_text<Time>,
                     never_empty};
const Leaf kMicroTimeLeaf{"a time such as \"2006-01-02T15:04:05.000000Z\"", read_text<MicroTime>,
                          write_text<MicroTime>, never_empty};
const Leaf kDurationLeaf{"a duration such as \"1m30s\"", read_text<Duration>, write_text<Duration>,
                         never_empty};
const Leaf kBytesLeaf{"a string in base64", read_bytes, write_bytes, zero<Bytes>};
const Leaf kRawJsonLeaf{"any value", read_raw, write_raw, zero<RawJson>};

}  // namespace berth::api::codec
