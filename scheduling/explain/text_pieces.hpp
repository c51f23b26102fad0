// SPDX-License-Identifier: Apache-2.0

// Splits long texts with many objects into pieces that are parsed one by one: documents, and the
// items of a List as printed by `kubectl get -o json` and `-o yaml`. So a cluster of fifty thousand
// pods takes the memory of its pods, not of a tree of the whole text.
//
// Pure. A List written in another way (flow style, indented items) is one piece. An alias in one
// item cannot refer to another item.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/codec/tree.hpp"

namespace berth::scheduling {

// An object's position in its file.
struct ObjectPlace {
  std::size_t document = 0;           // within the file, from 1
  std::optional<std::size_t> item{};  // of a List, if any
  int lines_before = 0;
  int columns_before = 0;  // on the first line

  // Converts a line and column of the piece to the file's; 0 stays 0.
  void to_file(api::Problem& problem) const;
};

// Points into the original text.
struct TextPiece {
  std::string_view text{};
  ObjectPlace place{};
  // For an item: the List's kind ("NodeList"), from which an item without a kind takes its own.
  std::string list_kind{};
  std::string list_version{};
};

[[nodiscard]] std::vector<TextPiece> cut(std::string_view text);

// The object of a piece; a null node for an empty document. Positions in the node are relative to
// the piece; those in a problem are relative to the file.
[[nodiscard]] std::expected<api::TreeNode, api::Problem> parse(const TextPiece& piece);

}  // namespace berth::scheduling
