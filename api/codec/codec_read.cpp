// SPDX-License-Identifier: Apache-2.0

// Tree to object, over the tables of codec_types.hpp.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/codec/codec_types.hpp"
#include "api/nearest_name.hpp"

namespace berth::api::codec {
namespace {

constexpr std::size_t kLongestQuote = 60;

std::string quoted(std::string_view text) {
  if (text.size() <= kLongestQuote) return fmt::format("\"{}\"", text);
  return fmt::format("\"{}…\"", text.substr(0, kLongestQuote));
}

std::string described(const TreeNode& node) {
  const std::string as_written =
      node.written.empty() ? "" : fmt::format(", written {}", node.written);
  switch (node.kind) {
    case NodeKind::kNull:
      return "nothing";
    case NodeKind::kBool:
      return fmt::format("the boolean {}{}", node.text, as_written);
    case NodeKind::kNumber:
      return fmt::format("the number {}{}", node.text, as_written);
    case NodeKind::kString:
      return fmt::format("the string {}", quoted(node.text));
    case NodeKind::kSequence:
      return "a list";
    case NodeKind::kMapping:
      return "a mapping";
  }
  return "something else";
}

// What would fix the value, if that can be guessed.
std::string_view hint(const Leaf& leaf, const TreeNode& node) {
  const bool plain = node.kind == NodeKind::kBool || node.kind == NodeKind::kNumber;
  if (&leaf == &kStringLeaf && plain) return " (put it in quotes to make it a string)";
  const bool wants_plain = &leaf == &kBoolLeaf || &leaf == &kInt32Leaf || &leaf == &kInt64Leaf ||
                           &leaf == &kUint32Leaf || &leaf == &kUint64Leaf || &leaf == &kDoubleLeaf;
  const bool plain_inside =
      node.text == "true" || node.text == "false" ||
      (!node.text.empty() && node.text.find_first_not_of("0123456789") == std::string::npos);
  if (wants_plain && node.kind == NodeKind::kString && plain_inside)
    return " (write it without quotes)";
  return "";
}

class Walk {
 public:
  Walk(FieldValidation validation, std::string path)
      : validation_(validation), path_(std::move(path)) {}

  Findings take() { return std::move(findings_); }

  void value(const TypeInfo& type, const TreeNode& node, void* object) {
    if (type.shape == Shape::kOptional) {
      if (node.kind == NodeKind::kNull) return type.optional->reset(object);
      return value(*type.optional->element, node, type.optional->make(object));
    }
    if (node.kind == NodeKind::kNull) return;  // the same as absence
    switch (type.shape) {
      case Shape::kLeaf:
        return leaf(*type.leaf, node, object);
      case Shape::kList:
        return list(*type.list, node, object);
      case Shape::kMap:
        return map(*type.map, node, object);
      default:
        return fields(type.fields, node, object);
    }
  }

 private:
  void error(const TreeNode& node, std::string message) {
    findings_.errors.push_back(Problem{path_, node.line, node.column, std::move(message)});
  }

  void mistyped(const TreeNode& node, std::string_view expected, std::string_view advice = "") {
    error(node, fmt::format("expected {}, found {}{}", expected, described(node), advice));
  }

  // Reports what kubectl calls a "strict decoding error".
  void irregular(const TreeEntry& entry, std::string message) {
    if (validation_ == FieldValidation::kIgnore) return;
    std::vector<Problem>& problems =
        validation_ == FieldValidation::kStrict ? findings_.errors : findings_.warnings;
    problems.push_back(Problem{path_, entry.line, entry.column, std::move(message)});
  }

  void leaf(const Leaf& leaf, const TreeNode& node, void* object) {
    std::string reason;
    if (leaf.read(node, object, reason)) return;
    if (reason.empty()) return mistyped(node, leaf.expected, hint(leaf, node));
    error(node, std::move(reason));
  }

  void list(const ListType& type, const TreeNode& node, void* object) {
    if (node.kind != NodeKind::kSequence) return mistyped(node, "a list");
    type.clear(object);
    const std::size_t length = path_.size();
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      path_ += fmt::format("[{}]", i);
      value(*type.element, node.items[i], type.add(object));
      path_.resize(length);
    }
  }

  void map(const MapType& type, const TreeNode& node, void* object) {
    if (node.kind != NodeKind::kMapping) return mistyped(node, "a mapping");
    each_entry(node, Step::kKey, [&](const TreeEntry& entry) {
      value(*type.element, entry.value, type.slot(object, entry.key));
    });
  }

  void fields(std::span<const Field> known, const TreeNode& node, void* object) {
    if (node.kind != NodeKind::kMapping) return mistyped(node, "a mapping");
    each_entry(node, Step::kField, [&](const TreeEntry& entry) {
      for (const Field& field : known) {
        // The object is mutable here, so its members may be written through the getter's result.
        if (field.name == entry.key) {
          return value(*field.type, entry.value, const_cast<void*>(field.get(object)));
        }
      }
      unknown(entry, known);
    });
  }

  void unknown(const TreeEntry& entry, std::span<const Field> known) {
    if (validation_ == FieldValidation::kIgnore) return;
    std::vector<std::string_view> names;
    for (const Field& field : known) names.push_back(field.name);
    std::string message = "unknown field";
    if (const std::optional<std::string_view> nearest = nearest_name(entry.key, names)) {
      message += fmt::format("; did you mean \"{}\"?", *nearest);
    }
    irregular(entry, std::move(message));
  }

  // How a path continues: spec.nodeName, metadata.labels[app].
  enum class Step { kField, kKey };

  void enter(Step step, const std::string& key) {
    if (step == Step::kKey) {
      path_ += fmt::format("[{}]", key);
    } else {
      path_ += path_.empty() ? key : "." + key;
    }
  }

  // Calls `visit` for each effective entry, with its path: for repeated keys the last one.
  template <class Visit>
  void each_entry(const TreeNode& node, Step step, const Visit& visit) {
    struct Places {
      std::size_t first = 0;
      std::size_t last = 0;
    };
    std::unordered_map<std::string_view, Places> places;
    for (std::size_t i = 0; i < node.entries.size(); ++i) {
      const auto [place, is_new] = places.try_emplace(node.entries[i].key, Places{i, i});
      if (!is_new) place->second.last = i;
    }
    const std::size_t length = path_.size();
    for (std::size_t i = 0; i < node.entries.size(); ++i) {
      const TreeEntry& entry = node.entries[i];
      const Places& place = places.find(entry.key)->second;
      enter(step, entry.key);
      if (i != place.first) repeated(entry, node.entries[place.first]);
      if (i == place.last) visit(entry);
      path_.resize(length);
    }
  }

  void repeated(const TreeEntry& entry, const TreeEntry& first) {
    std::string message = "repeated";
    if (first.line > 0) {
      message += fmt::format("; already given in line {}, column {}", first.line, first.column);
    }
    irregular(entry, std::move(message));
  }

  FieldValidation validation_;
  std::string path_;
  Findings findings_{};
};

}  // namespace

Findings read(const TypeInfo& type, const TreeNode& node, void* object, FieldValidation validation,
              std::string path) {
  Walk walk(validation, std::move(path));
  walk.value(type, node, object);
  return walk.take();
}

Error as_error(const std::vector<Problem>& problems) {
  if (problems.empty()) return Error{ErrorCode::kInvalid, "unreadable"};
  std::string message = to_string(problems.front());
  if (problems.size() > 1) message += fmt::format(" (and {} more problems)", problems.size() - 1);
  return Error{ErrorCode::kInvalid, std::move(message)};
}

}  // namespace berth::api::codec
