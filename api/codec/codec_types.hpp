// SPDX-License-Identifier: Apache-2.0

// The codec's run-time information about a type.
//
// The templates of codec_generic.hpp only fill in these tables from the structs' descriptions;
// reading and writing is ordinary code over the tables, compiled once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/fwd.hpp>

#include "api/codec.hpp"
#include "api/codec/tree.hpp"

namespace berth::api::codec {

struct TypeInfo;

// A type that is a single scalar in the document.
struct Leaf {
  // What was expected: "a string".
  std::string_view expected;
  // Stores the value. Returns false if the node does not fit, with a reason if there is a better
  // one than "expected …".
  bool (*read)(const TreeNode& node, void* object, std::string& reason);
  boost::json::value (*write)(const void* object);
  // Whether the field is omitted unless the API always prints it.
  bool (*is_empty)(const void* object);
};

struct OptionalType {
  const TypeInfo* element;
  const void* (*get)(const void* object);  // null if unset
  void* (*make)(void* object);
  void (*reset)(void* object);
};

struct ListType {
  const TypeInfo* element;
  void (*clear)(void* object);
  void* (*add)(void* object);
  std::size_t (*size)(const void* object);
  const void* (*at)(const void* object, std::size_t index);
};

struct MapType {
  const TypeInfo* element;
  void* (*slot)(void* object, std::string_view key);
  std::vector<std::pair<std::string_view, const void*>> (*items)(const void* object);
};

struct Field {
  std::string_view name;
  bool always;  // printed even when empty
  const TypeInfo* type;
  const void* (*get)(const void* object);
};

enum class Shape : std::uint8_t { kLeaf, kOptional, kList, kMap, kStruct };

// Only the member for `shape` is set.
struct TypeInfo {
  Shape shape = Shape::kLeaf;
  const Leaf* leaf = nullptr;
  const OptionalType* optional = nullptr;
  const ListType* list = nullptr;
  const MapType* map = nullptr;
  std::span<const Field> fields{};
};

extern const Leaf kStringLeaf;
extern const Leaf kBoolLeaf;
extern const Leaf kInt32Leaf;
extern const Leaf kInt64Leaf;
extern const Leaf kUint32Leaf;
extern const Leaf kUint64Leaf;
extern const Leaf kDoubleLeaf;
extern const Leaf kQuantityLeaf;
extern const Leaf kIntOrStringLeaf;
extern const Leaf kTimeLeaf;
extern const Leaf kMicroTimeLeaf;
extern const Leaf kDurationLeaf;
extern const Leaf kBytesLeaf;
extern const Leaf kRawJsonLeaf;

// Fills an object that holds its initial values; returns errors and ignored fields.
struct Findings {
  std::vector<Problem> errors{};
  std::vector<Problem> warnings{};
};
[[nodiscard]] Findings read(const TypeInfo& type, const TreeNode& node, void* object,
                            FieldValidation validation, std::string path);

// The API prints whole seconds or microseconds; values that must round-trip need nanoseconds.
// Reading always accepts the full precision.
enum class Times : std::uint8_t { kApi, kNanoseconds };

[[nodiscard]] boost::json::value write(const TypeInfo& type, const void* object,
                                       Times times = Times::kApi);

// The first problem as an error, with the number of further ones.
[[nodiscard]] Error as_error(const std::vector<Problem>& problems);

}  // namespace berth::api::codec
