// Long texts of many objects in pieces that are parsed one by one: documents, and the items of a
// List as `kubectl get -o json` and `-o yaml` print it. So a cluster of fifty thousand pods takes
// the memory of its pods and not of its text's whole tree.
//
// Pure. A List that is written in another way (flow style, indented items) is one piece. Aliases do
// not reach from one item to another.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/tree.hpp"

namespace berth::scheduling {

// Where an object stands in its file.
struct ObjectPlace {
  std::size_t document = 0;           // from 1; of those of the file
  std::optional<std::size_t> item{};  // of a List
  int lines_before = 0;
  int columns_before = 0;  // on the first line

  // A line and column of the piece as those of the file; 0 stays 0.
  void to_file(api::Problem& problem) const;
};

// Points into the text that was cut.
struct TextPiece {
  std::string_view text{};
  ObjectPlace place{};
  // Of an item: what the List is ("NodeList"), which says what its items are that do not.
  std::string list_kind{};
  std::string list_version{};
};

[[nodiscard]] std::vector<TextPiece> cut(std::string_view text);

// The object of a piece; a null node for a document that is empty. Its places are those of the
// piece, the problem's that of the file.
[[nodiscard]] std::expected<api::TreeNode, api::Problem> parse(const TextPiece& piece);

}  // namespace berth::scheduling
