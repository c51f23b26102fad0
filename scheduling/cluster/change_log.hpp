// SPDX-License-Identifier: Apache-2.0

// Which nodes changed, in order: a follower of the cluster queries the nodes that changed since its
// last query, and revises only those.
//
// Bounded: a follower that is too far behind gets `std::nullopt` and must start over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace berth::scheduling {

// A node's index in the cluster's list of nodes.
using NodeIndex = std::uint32_t;

class ChangeLog {
 public:
  using Position = std::uint64_t;

  void append(NodeIndex node, std::size_t node_count) {
    // Once there are as many changes as nodes, visiting all nodes is as cheap.
    if (entries_.size() >= 2 * (node_count + kAtLeast)) {
      const std::size_t dropped = entries_.size() / 2;
      entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(dropped));
      first_ += dropped;
    }
    entries_.push_back(node);
  }

  [[nodiscard]] Position end() const { return first_ + entries_.size(); }

  // `std::nullopt` if the changes since then are no longer known.
  [[nodiscard]] std::optional<std::span<const NodeIndex>> since(Position position) const {
    if (position < first_) return std::nullopt;
    return std::span(entries_).subspan(position - first_);
  }

 private:
  static constexpr std::size_t kAtLeast = 512;

  std::vector<NodeIndex> entries_{};
  // Starts at 1, so that position 0 is always too far behind.
  Position first_ = 1;
};

}  // namespace berth::scheduling
