// SPDX-License-Identifier: Apache-2.0

// Object to JSON, over the tables of codec_types.hpp.
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "api/codec/codec_types.hpp"
#include "api/time.hpp"

namespace berth::api::codec {
namespace {

namespace json = boost::json;

// Whether Kubernetes omits the value, unless the API always prints it. A struct that is a plain
// member is never empty: it is written as {}.
bool is_empty(const TypeInfo& type, const void* object) {
  switch (type.shape) {
    case Shape::kLeaf:
      return type.leaf->is_empty(object);
    case Shape::kOptional:
      return type.optional->get(object) == nullptr;
    case Shape::kList:
      return type.list->size(object) == 0;
    case Shape::kMap:
      return type.map->items(object).empty();
    case Shape::kStruct:
      return false;
  }
  return false;
}

json::string nanosecond_text(WallTime at) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(at);
  std::string text = Time{at}.to_string();
  text.pop_back();  // the 'Z'
  return json::string(fmt::format("{}.{:09}Z", text, (at - whole).count()));
}

json::value write_leaf(const Leaf& leaf, const void* object, Times times) {
  if (times == Times::kNanoseconds && &leaf == &kTimeLeaf)
    return nanosecond_text(static_cast<const Time*>(object)->at);
  if (times == Times::kNanoseconds && &leaf == &kMicroTimeLeaf)
    return nanosecond_text(static_cast<const MicroTime*>(object)->at);
  return leaf.write(object);
}

}  // namespace

json::value write(const TypeInfo& type, const void* object, Times times) {
  switch (type.shape) {
    case Shape::kLeaf:
      return write_leaf(*type.leaf, object, times);
    case Shape::kOptional: {
      const void* element = type.optional->get(object);
      return element == nullptr ? json::value(nullptr)
                                : write(*type.optional->element, element, times);
    }
    case Shape::kList: {
      json::array out;
      const std::size_t size = type.list->size(object);
      for (std::size_t i = 0; i < size; ++i) {
        out.push_back(write(*type.list->element, type.list->at(object, i), times));
      }
      return out;
    }
    case Shape::kMap: {
      json::object out;
      for (const auto& [key, element] : type.map->items(object)) {
        out.emplace(key, write(*type.map->element, element, times));
      }
      return out;
    }
    case Shape::kStruct: {
      json::object out;
      for (const Field& field : type.fields) {
        const void* member = field.get(object);
        if (!field.always && is_empty(*field.type, member)) continue;
        out.emplace(field.name, write(*field.type, member, times));
      }
      return out;
    }
  }
  return nullptr;
}

}  // namespace berth::api::codec
