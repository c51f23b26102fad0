// SPDX-License-Identifier: Apache-2.0

#include "api/manifest/manifest_place.hpp"

#include <charconv>
#include <optional>

namespace berth::api {

namespace {

struct Step {
  std::string_view name{};
  bool bracketed = false;
};

// Cuts the first step off the path: a name up to '.' or '[', or the content of brackets.
Step consume_step(std::string_view& path) {
  if (path.starts_with('[')) {
    const std::size_t end = path.find(']');
    const Step step{.name = path.substr(1, end == path.npos ? path.npos : end - 1),
                    .bracketed = true};
    path.remove_prefix(end == path.npos ? path.size() : end + 1);
    if (path.starts_with('.')) path.remove_prefix(1);
    return step;
  }
  const std::size_t end = path.find_first_of(".[");
  const Step step{.name = path.substr(0, end)};
  path.remove_prefix(end == path.npos ? path.size() : end);
  if (path.starts_with('.')) path.remove_prefix(1);
  return step;
}

std::optional<std::size_t> number_of(std::string_view text) {
  std::size_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

const TreeNode* follow(const TreeNode& node, const Step& step) {
  if (node.kind == NodeKind::kSequence) {
    const std::optional<std::size_t> position = number_of(step.name);
    const bool there = step.bracketed && position && *position < node.items.size();
    return there ? &node.items[*position] : nullptr;
  }
  return node.kind == NodeKind::kMapping ? node.find(step.name) : nullptr;
}

}  // namespace

Place place_of(const TreeNode& root, std::string_view path) {
  const TreeNode* node = &root;
  Place place{.line = root.line, .column = root.column};
  while (!path.empty()) {
    const Step step = consume_step(path);
    node = follow(*node, step);
    if (node == nullptr) break;
    if (node->line > 0) place = Place{.line = node->line, .column = node->column};
  }
  return place;
}

}  // namespace berth::api
