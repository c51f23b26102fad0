// SPDX-License-Identifier: Apache-2.0

// The codec for any described struct; included only by the source files that name the types.
//
// A type is supported if it is a scalar of the API, a struct described with Boost.Describe, or a
// vector, string-keyed map or optional of supported types. Fields have the names of the members,
// without the underscore that avoids C++ keywords. `printed_when_empty(const T*)`, found beside the
// struct, names the fields that are printed even when empty.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/describe.hpp>
#include <boost/json.hpp>
#include <boost/mp11.hpp>

#include "api/codec.hpp"
#include "api/codec/codec_types.hpp"
#include "api/codec/json_text.hpp"
#include "api/codec/yaml_text.hpp"
#include "api/int_or_string.hpp"
#include "api/quantity.hpp"
#include "api/scalars.hpp"
#include "api/time.hpp"

namespace berth::api::codec {

// The scalar that a type is. Whether it is one is a separate trait, because with sanitizers GCC 12
// refuses to compare addresses at compile time.
template <class T>
struct LeafOf : std::false_type {};
template <>
struct LeafOf<std::string> : std::true_type {
  static constexpr const Leaf* kTable = &kStringLeaf;
};
template <>
struct LeafOf<bool> : std::true_type {
  static constexpr const Leaf* kTable = &kBoolLeaf;
};
template <>
struct LeafOf<std::int32_t> : std::true_type {
  static constexpr const Leaf* kTable = &kInt32Leaf;
};
template <>
struct LeafOf<std::int64_t> : std::true_type {
  static constexpr const Leaf* kTable = &kInt64Leaf;
};
template <>
struct LeafOf<std::uint32_t> : std::true_type {
  static constexpr const Leaf* kTable = &kUint32Leaf;
};
template <>
struct LeafOf<std::uint64_t> : std::true_type {
  static constexpr const Leaf* kTable = &kUint64Leaf;
};
template <>
struct LeafOf<double> : std::true_type {
  static constexpr const Leaf* kTable = &kDoubleLeaf;
};
template <>
struct LeafOf<Quantity> : std::true_type {
  static constexpr const Leaf* kTable = &kQuantityLeaf;
};
template <>
struct LeafOf<IntOrString> : std::true_type {
  static constexpr const Leaf* kTable = &kIntOrStringLeaf;
};
template <>
struct LeafOf<Time> : std::true_type {
  static constexpr const Leaf* kTable = &kTimeLeaf;
};
template <>
struct LeafOf<MicroTime> : std::true_type {
  static constexpr const Leaf* kTable = &kMicroTimeLeaf;
};
template <>
struct LeafOf<Duration> : std::true_type {
  static constexpr const Leaf* kTable = &kDurationLeaf;
};
template <>
struct LeafOf<Bytes> : std::true_type {
  static constexpr const Leaf* kTable = &kBytesLeaf;
};
template <>
struct LeafOf<RawJson> : std::true_type {
  static constexpr const Leaf* kTable = &kRawJsonLeaf;
};

template <class T>
consteval TypeInfo type_info();

template <class T>
inline constexpr TypeInfo kType = type_info<T>();

template <class T>
const T& as(const void* object) {
  return *static_cast<const T*>(object);
}
template <class T>
T& as(void* object) {
  return *static_cast<T*>(object);
}

template <class E>
struct OptionalOf {
  using T = std::optional<E>;
  static const void* get(const void* object) { return as<T>(object) ? &*as<T>(object) : nullptr; }
  static void* make(void* object) { return &as<T>(object).emplace(); }
  static void reset(void* object) { as<T>(object).reset(); }
  static constexpr OptionalType kTable{&kType<E>, get, make, reset};
};

template <class E>
struct ListOf {
  using T = std::vector<E>;
  static void clear(void* object) { as<T>(object).clear(); }
  static void* add(void* object) { return &as<T>(object).emplace_back(); }
  static std::size_t size(const void* object) { return as<T>(object).size(); }
  static const void* at(const void* object, std::size_t index) { return &as<T>(object)[index]; }
  static constexpr ListType kTable{&kType<E>, clear, add, size, at};
};

template <class E>
struct MapOf {
  using T = std::map<std::string, E>;
  static void* slot(void* object, std::string_view key) { return &as<T>(object)[std::string(key)]; }
  static std::vector<std::pair<std::string_view, const void*>> items(const void* object) {
    std::vector<std::pair<std::string_view, const void*>> out;
    for (const auto& [key, value] : as<T>(object)) out.emplace_back(key, &value);
    return out;
  }
  static constexpr MapType kTable{&kType<E>, slot, items};
};

template <class T>
struct ContainerTable {
  static constexpr TypeInfo kInfo{};
  static constexpr bool kIs = false;
};
template <class E>
struct ContainerTable<std::optional<E>> {
  static constexpr TypeInfo kInfo{.shape = Shape::kOptional, .optional = &OptionalOf<E>::kTable};
  static constexpr bool kIs = true;
};
template <class E>
struct ContainerTable<std::vector<E>> {
  static constexpr TypeInfo kInfo{.shape = Shape::kList, .list = &ListOf<E>::kTable};
  static constexpr bool kIs = true;
};
template <class E>
struct ContainerTable<std::map<std::string, E>> {
  static constexpr TypeInfo kInfo{.shape = Shape::kMap, .map = &MapOf<E>::kTable};
  static constexpr bool kIs = true;
};

template <class T>
consteval bool always_printed(std::string_view name) {
  if constexpr (requires { printed_when_empty(static_cast<const T*>(nullptr)); }) {
    constexpr auto names = printed_when_empty(static_cast<const T*>(nullptr));
    return std::find(names.begin(), names.end(), name) != names.end();
  }
  return false;
}

consteval std::string_view json_name(std::string_view member) {
  if (member.ends_with('_')) member.remove_suffix(1);
  return member;
}

template <class T, auto pointer>
const void* member_of(const void* object) {
  return &(as<T>(object).*pointer);
}

template <class T, class Descriptor>
consteval Field field_of() {
  using Member = std::remove_cvref_t<decltype(std::declval<T>().*Descriptor::pointer)>;
  constexpr std::string_view name = json_name(Descriptor::name);
  return Field{name, always_printed<T>(name), &kType<Member>, &member_of<T, Descriptor::pointer>};
}

template <class T, class Members>
struct FieldTable;
template <class T, template <class...> class List, class... Descriptors>
struct FieldTable<T, List<Descriptors...>> {
  static constexpr std::array<Field, sizeof...(Descriptors)> kFields{field_of<T, Descriptors>()...};
};

template <class T>
consteval TypeInfo type_info() {
  if constexpr (LeafOf<T>::value) {
    return TypeInfo{.shape = Shape::kLeaf, .leaf = LeafOf<T>::kTable};
  } else if constexpr (ContainerTable<T>::kIs) {
    return ContainerTable<T>::kInfo;
  } else {
    using Members = boost::describe::describe_members<T, boost::describe::mod_public |
                                                             boost::describe::mod_inherited>;
    return TypeInfo{.shape = Shape::kStruct, .fields = FieldTable<T, Members>::kFields};
  }
}

}  // namespace berth::api::codec

namespace berth::api {

template <class T>
DecodeResult<T> decode(const TreeNode& node, FieldValidation validation, std::string path) {
  Decoded<T> out;
  codec::Findings findings =
      codec::read(codec::kType<T>, node, &out.object, validation, std::move(path));
  if (!findings.errors.empty()) return std::unexpected(std::move(findings.errors));
  out.warnings = std::move(findings.warnings);
  return out;
}

template <class T>
Result<T> from_json(const boost::json::value& value) {
  DecodeResult<T> decoded = decode<T>(tree_of(value).root, FieldValidation::kIgnore);
  if (!decoded) return fail(codec::as_error(decoded.error()));
  return std::move(decoded->object);
}

template <class T>
Result<T> from_json_text(std::string_view text) {
  const std::expected<Tree, std::vector<Problem>> tree = parse_first_document(text);
  if (!tree) return fail(codec::as_error(tree.error()));
  DecodeResult<T> decoded = decode<T>(tree->root, FieldValidation::kIgnore);
  if (!decoded) return fail(codec::as_error(decoded.error()));
  return std::move(decoded->object);
}

template <class T>
boost::json::value to_json(const T& object) {
  return codec::write(codec::kType<T>, &object);
}

template <class T>
std::string to_json_text(const T& object) {
  return compact_json(codec::write(codec::kType<T>, &object));
}

template <class T>
std::string to_json_pretty(const T& object) {
  return pretty_json(codec::write(codec::kType<T>, &object));
}

template <class T>
std::string to_yaml(const T& object) {
  return yaml_text(codec::write(codec::kType<T>, &object));
}

}  // namespace berth::api

// Defines the codec's templates for one type. Use in namespace berth::api.
#define BERTH_CODEC(...)                                                                   \
  template DecodeResult<__VA_ARGS__> decode<__VA_ARGS__>(const TreeNode&, FieldValidation, \
                                                         std::string);                     \
  template Result<__VA_ARGS__> from_json<__VA_ARGS__>(const boost::json::value&);          \
  template Result<__VA_ARGS__> from_json_text<__VA_ARGS__>(std::string_view);              \
  template boost::json::value to_json<__VA_ARGS__>(const __VA_ARGS__&);                    \
  template std::string to_json_text<__VA_ARGS__>(const __VA_ARGS__&);                      \
  template std::string to_json_pretty<__VA_ARGS__>(const __VA_ARGS__&);                    \
  template std::string to_yaml<__VA_ARGS__>(const __VA_ARGS__&)
