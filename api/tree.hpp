// One document, as YAML or JSON gave it, before anything knows its schema.
//
// Both readers make the same tree, so that everything after them is the same for both. Scalars
// are typed by the notation (YAML 1.1 as Kubernetes reads it: `yes` is a boolean, `010` is eight,
// what is quoted is a string); numbers are kept as text, so none loses digits. Every node knows
// where it was written. Aliases and merge keys are resolved; repeated keys stay in, in order.
// Plain values; lines and columns count from 1, and are 0 where there was no text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace berth::api {

enum class NodeKind : unsigned char { kNull, kBool, kNumber, kString, kSequence, kMapping };

struct TreeEntry;

struct TreeNode {
  NodeKind kind = NodeKind::kNull;
  // The string itself; a number as JSON writes it; "true" or "false"; else empty.
  std::string text{};
  // A plain YAML scalar as it was written, where that is not `text` ("yes", "0x1F").
  std::string written{};
  int line = 0;
  int column = 0;
  std::vector<TreeNode> items{};  // of a sequence
  // Of a mapping, in the order written. Not initialised here: TreeEntry is not complete yet.
  std::vector<TreeEntry> entries;

  // The value of a key (the last one, if it is repeated); null if there is none.
  [[nodiscard]] const TreeNode* find(std::string_view key) const;
  // The text of a string value of a mapping; empty if there is none.
  [[nodiscard]] std::string_view string_at(std::string_view key) const;
};

struct TreeEntry {
  std::string key{};
  int line = 0;
  int column = 0;
  TreeNode value{};
};

struct Tree {
  TreeNode root{};
};

// What a reader found wrong with a text, or the decoder with a tree.
struct Problem {
  std::string path{};  // spec.containers[0].image; empty for the whole document
  int line = 0;
  int column = 0;
  std::string message{};

  bool operator==(const Problem&) const = default;
};

// "line 3, column 7: spec.containers[0].image: expected a string, found a number".
[[nodiscard]] std::string to_string(const Problem& problem);

// Bounds on what one text may become. A manifest file is refused beyond 10 MiB (as the kubelet
// does), which is far below what these allow for honest documents; aliases multiply.
struct TreeLimits {
  // Of all documents of one text, copies through aliases included; a thousand pods of 250 each.
  std::size_t nodes = 250'000;
  int depth = 200;                    // Kubernetes' own objects nest less than 20
  std::size_t documents = 1'000'000;  // of one text; maxManifestDocuments sets a lower one
};

// The node as compact JSON, keys in their order (of repeated ones all).
[[nodiscard]] std::string compact_json(const TreeNode& node);

}  // namespace berth::api
