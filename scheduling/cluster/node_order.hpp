// SPDX-License-Identifier: Apache-2.0

// The order in which nodes are considered: grouped by region and zone, groups in the order in which
// they were first seen, one node of each group in turn.
#pragma once

#include <string>
#include <vector>

#include "scheduling/cluster/change_log.hpp"
#include "scheduling/predicates/label_requirement.hpp"

namespace berth::scheduling {

// Region and zone of a node; equal for the nodes of one group.
[[nodiscard]] std::string zone_of(const Labels& labels);

class NodeOrder {
 public:
  void add(NodeIndex node, const std::string& zone);
  void remove(NodeIndex node, const std::string& zone);

  [[nodiscard]] const std::vector<NodeIndex>& list() const;

 private:
  struct Group {
    std::string zone{};
    std::vector<NodeIndex> nodes{};
  };
  std::vector<Group> groups_{};
  // Rebuilt on demand after a change.
  mutable std::vector<NodeIndex> list_{};
  mutable bool stale_ = false;
};

}  // namespace berth::scheduling
