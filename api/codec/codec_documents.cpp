// SPDX-License-Identifier: Apache-2.0

// Converts text and JSON values to trees.
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "api/codec.hpp"
#include "api/codec/json_reader.hpp"
#include "api/codec/json_text.hpp"
#include "api/codec/yaml_reader.hpp"

namespace berth::api {
namespace {

bool begins_json(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\n\v\f\r");
  return start != std::string_view::npos && text[start] == '{';
}

TreeNode node_of(const boost::json::value& value) {
  TreeNode node;
  if (value.is_null()) return node;
  if (value.is_bool()) {
    node.kind = NodeKind::kBool;
    node.text = value.get_bool() ? "true" : "false";
  } else if (value.is_string()) {
    node.kind = NodeKind::kString;
    node.text = value.get_string();
  } else if (value.is_array()) {
    node.kind = NodeKind::kSequence;
    for (const boost::json::value& item : value.get_array()) node.items.push_back(node_of(item));
  } else if (value.is_object()) {
    node.kind = NodeKind::kMapping;
    for (const auto& [key, item] : value.get_object()) {
      node.entries.push_back(TreeEntry{std::string(key), 0, 0, node_of(item)});
    }
  } else {
    node.kind = NodeKind::kNumber;
    node.text = compact_json(value);
  }
  return node;
}

}  // namespace

std::expected<std::vector<Tree>, std::vector<Problem>> parse_documents(std::string_view text,
                                                                       const TreeLimits& limits) {
  if (begins_json(text)) {
    std::expected<Tree, Problem> tree = read_json(text, limits);
    if (!tree) return std::unexpected(std::vector{std::move(tree.error())});
    return std::vector{*std::move(tree)};
  }
  std::expected<std::vector<Tree>, Problem> trees = read_yaml(text, Documents::kAll, limits);
  if (!trees) return std::unexpected(std::vector{std::move(trees.error())});
  return *std::move(trees);
}

std::expected<Tree, std::vector<Problem>> parse_first_document(std::string_view text) {
  if (begins_json(text)) {
    std::expected<Tree, Problem> tree = read_json(text);
    if (!tree) return std::unexpected(std::vector{std::move(tree.error())});
    return *std::move(tree);
  }
  std::expected<std::vector<Tree>, Problem> trees = read_yaml(text, Documents::kFirst);
  if (!trees) return std::unexpected(std::vector{std::move(trees.error())});
  return trees->empty() ? Tree{} : std::move(trees->front());
}

Tree tree_of(const boost::json::value& value) {
  return Tree{node_of(value)};
}

}  // namespace berth::api
