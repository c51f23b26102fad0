// SPDX-License-Identifier: Apache-2.0

#include "api/codec/tree.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "api/codec/json_text.hpp"

namespace berth::api {
namespace {

void append(const TreeNode& node, std::string& out) {
  switch (node.kind) {
    case NodeKind::kNull:
      out += "null";
      return;
    case NodeKind::kBool:
    case NodeKind::kNumber:
      out += node.text;
      return;
    case NodeKind::kString:
      append_json_string(node.text, out);
      return;
    case NodeKind::kSequence: {
      out += '[';
      for (const TreeNode& item : node.items) {
        if (&item != &node.items.front()) out += ',';
        append(item, out);
      }
      out += ']';
      return;
    }
    case NodeKind::kMapping: {
      out += '{';
      for (const TreeEntry& entry : node.entries) {
        if (&entry != &node.entries.front()) out += ',';
        append_json_string(entry.key, out);
        out += ':';
        append(entry.value, out);
      }
      out += '}';
      return;
    }
  }
}

}  // namespace

const TreeNode* TreeNode::find(std::string_view key) const {
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (entry->key == key) return &entry->value;
  }
  return nullptr;
}

std::string_view TreeNode::string_at(std::string_view key) const {
  const TreeNode* value = find(key);
  return value != nullptr && value->kind == NodeKind::kString ? std::string_view(value->text)
                                                              : std::string_view{};
}

std::string to_string(const Problem& problem) {
  std::string out;
  if (problem.line > 0) out += fmt::format("line {}, column {}: ", problem.line, problem.column);
  if (!problem.path.empty()) out += problem.path + ": ";
  return out + problem.message;
}

std::string compact_json(const TreeNode& node) {
  std::string out;
  append(node, out);
  return out;
}

}  // namespace berth::api
