// SPDX-License-Identifier: Apache-2.0

// One YAML or JSON document, before it is matched with a schema.
//
// Both readers produce the same tree, so that all later steps are the same for both. Scalars are
// typed by their notation (YAML 1.1 as Kubernetes reads it: `yes` is a boolean, `010` is eight,
// anything quoted is a string); numbers are kept as text, so none loses digits. Every node records
// its position. Aliases and merge keys are resolved; repeated keys are kept, in order. Plain
// values; lines and columns count from 1, and are 0 for a tree that was not read from text.
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
  // A string's value; a number as JSON writes it; "true" or "false"; else empty.
  std::string text{};
  // A plain YAML scalar as written, if that differs from `text` ("yes", "0x1F").
  std::string written{};
  int line = 0;
  int column = 0;
  std::vector<TreeNode> items{};  // for a sequence
  // For a mapping, in the order written. No initialiser: TreeEntry is still incomplete here.
  std::vector<TreeEntry> entries;

  // The value of a key (the last one if it is repeated); null if there is none.
  [[nodiscard]] const TreeNode* find(std::string_view key) const;
  // The string value of a key; empty if there is none.
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

// A problem found by a reader in a text, or by the decoder in a tree.
struct Problem {
  std::string path{};  // spec.containers[0].image; empty for the whole document
  int line = 0;
  int column = 0;
  std::string message{};

  bool operator==(const Problem&) const = default;
};

// "line 3, column 7: spec.containers[0].image: expected a string, found a number".
[[nodiscard]] std::string to_string(const Problem& problem);

// Limits on what one text may expand to. A manifest file of 10 MiB or more is refused (as by the
// kubelet), which keeps legitimate documents far below these limits; aliases multiply nodes.
struct TreeLimits {
  // In all documents of one text, including copies through aliases; a thousand pods of 250 nodes
  // each.
  std::size_t nodes = 250'000;
  int depth = 200;                    // Kubernetes' own objects nest less than 20
  std::size_t documents = 1'000'000;  // per text; maxManifestDocuments sets a lower limit
};

// The node as compact JSON, with its keys in order, including repeated ones.
[[nodiscard]] std::string compact_json(const TreeNode& node);

}  // namespace berth::api
