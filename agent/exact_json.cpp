#include "agent/exact_json.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "api/json_text.hpp"
#include "api/time.hpp"
#include "api/utf8.hpp"

namespace berth::agent {
namespace {

namespace codec = api::codec;

void append_text(std::string_view text, std::string& out) {
  const auto plain = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(text, plain)) return api::append_json_string(text, out);
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const auto point = api::first_code_point(text);
    api::append_utf8(point.value, valid);
    text.remove_prefix(point.bytes);
  }
  api::append_json_string(valid, out);
}

void append_time(api::WallTime at, std::string& out) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(at);
  std::string text = api::Time{at}.to_string();
  text.pop_back();  // the Z
  out += fmt::format("\"{}.{:09}Z\"", text, (at - whole).count());
}

void append_leaf(const codec::Leaf& leaf, const void* object, std::string& out) {
  if (&leaf == &codec::kStringLeaf) {
    append_text(*static_cast<const std::string*>(object), out);
  } else if (&leaf == &codec::kTimeLeaf) {
    append_time(static_cast<const api::Time*>(object)->at, out);
  } else if (&leaf == &codec::kMicroTimeLeaf) {
    append_time(static_cast<const api::MicroTime*>(object)->at, out);
  } else {
    out += api::compact_json(leaf.write(object));
  }
}

bool is_empty(const codec::TypeInfo& type, const void* object) {
  switch (type.shape) {
    case codec::Shape::kLeaf:
      return type.leaf->is_empty(object);
    case codec::Shape::kOptional:
      return type.optional->get(object) == nullptr;
    case codec::Shape::kList:
      return type.list->size(object) == 0;
    case codec::Shape::kMap:
      return type.map->items(object).empty();
    case codec::Shape::kStruct:
      return false;
  }
  return false;
}

void append(const codec::TypeInfo& type, const void* object, std::string& out);

void append_list(const codec::ListType& list, const void* object, std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < list.size(object); ++i) {
    if (i > 0) out += ',';
    append(*list.element, list.at(object, i), out);
  }
  out += ']';
}

void append_map(const codec::MapType& map, const void* object, std::string& out) {
  out += '{';
  bool first = true;
  for (const auto& [key, element] : map.items(object)) {
    if (!first) out += ',';
    first = false;
    append_text(key, out);
    out += ':';
    append(*map.element, element, out);
  }
  out += '}';
}

// What has its initial value is left out: reading gives it back.
void append_fields(std::span<const codec::Field> fields, const void* object, std::string& out) {
  out += '{';
  bool first = true;
  for (const auto& field : fields) {
    const void* member = field.get(object);
    if (is_empty(*field.type, member)) continue;
    if (!first) out += ',';
    first = false;
    api::append_json_string(field.name, out);
    out += ':';
    append(*field.type, member, out);
  }
  out += '}';
}

void append(const codec::TypeInfo& type, const void* object, std::string& out) {
  switch (type.shape) {
    case codec::Shape::kLeaf:
      return append_leaf(*type.leaf, object, out);
    case codec::Shape::kOptional: {
      const void* element = type.optional->get(object);
      if (element == nullptr) {
        out += "null";
        return;
      }
      return append(*type.optional->element, element, out);
    }
    case codec::Shape::kList:
      return append_list(*type.list, object, out);
    case codec::Shape::kMap:
      return append_map(*type.map, object, out);
    case codec::Shape::kStruct:
      return append_fields(type.fields, object, out);
  }
}

}  // namespace

std::string exact_json(const codec::TypeInfo& type, const void* object) {
  std::string out;
  append(type, object, out);
  return out;
}

}  // namespace berth::agent
