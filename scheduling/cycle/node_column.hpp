// SPDX-License-Identifier: Apache-2.0

// A value per node, each a pure function of the cluster's data about that node: computed once, and
// recomputed only for nodes that changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scheduling/cluster/change_log.hpp"

namespace berth::scheduling {

// Follows a change log: calls visit(node) for each node that must be computed (again).
class LogFollower {
 public:
  // The number of nodes must never shrink.
  template <class Visit>
  void follow(const ChangeLog& log, std::size_t node_count, Visit&& visit) {
    const auto changed = log.since(seen_);
    if (!changed) {
      for (NodeIndex node = 0; node < node_count; ++node) visit(node);
    } else {
      for (const NodeIndex node : *changed) visit(node);
    }
    seen_ = log.end();
  }
  // Makes the next call visit all nodes.
  void start_over() { seen_ = 0; }

 private:
  ChangeLog::Position seen_ = 0;
};

template <class T>
class NodeColumn {
 public:
  // Computes value(node) for nodes that changed since the last call.
  template <class Value>
  void revise(const ChangeLog& log, std::size_t node_count, Value&& value) {
    values_.resize(node_count, T{});
    follower_.follow(log, node_count, [&](NodeIndex node) {
      const T now = value(node);
      T& held = values_[node];
      others_ += static_cast<std::size_t>(now != T{}) - static_cast<std::size_t>(held != T{});
      held = now;
    });
  }
  void start_over() { follower_.start_over(); }

  [[nodiscard]] const T& operator[](NodeIndex node) const { return values_[node]; }
  [[nodiscard]] const T* data() const { return values_.data(); }
  // Whether every node has T{}.
  [[nodiscard]] bool is_all_zero() const { return others_ == 0; }

 private:
  std::vector<T> values_{};
  std::size_t others_ = 0;  // number of nodes whose value is not T{}
  LogFollower follower_{};
};

}  // namespace berth::scheduling
