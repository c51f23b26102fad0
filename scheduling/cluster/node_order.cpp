// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cluster/node_order.hpp"

#include <algorithm>

namespace berth::scheduling {
namespace {

// The older label wins if present, even if empty.
std::string either(const Labels& labels, const char* older, const char* newer) {
  if (const auto label = labels.find(older); label != labels.end()) return label->second;
  const auto label = labels.find(newer);
  return label == labels.end() ? std::string() : label->second;
}

}  // namespace

std::string zone_of(const Labels& labels) {
  const std::string region =
      either(labels, "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region");
  const std::string zone =
      either(labels, "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone");
  if (region.empty() && zone.empty()) return {};
  return region + std::string(1, '\0') + zone;
}

void NodeOrder::add(NodeIndex node, const std::string& zone) {
  auto group = std::find_if(groups_.begin(), groups_.end(),
                            [&](const Group& one) { return one.zone == zone; });
  if (group == groups_.end()) group = groups_.insert(groups_.end(), {.zone = zone});
  group->nodes.push_back(node);
  stale_ = true;
}

void NodeOrder::remove(NodeIndex node, const std::string& zone) {
  const auto group = std::find_if(groups_.begin(), groups_.end(),
                                  [&](const Group& one) { return one.zone == zone; });
  if (group == groups_.end()) return;
  std::erase(group->nodes, node);
  if (group->nodes.empty()) groups_.erase(group);
  stale_ = true;
}

const std::vector<NodeIndex>& NodeOrder::list() const {
  if (!stale_) return list_;
  list_.clear();
  for (std::size_t turn = 0, before = 1; before != list_.size(); ++turn) {
    before = list_.size();
    for (const Group& group : groups_) {
      if (turn < group.nodes.size()) list_.push_back(group.nodes[turn]);
    }
  }
  stale_ = false;
  return list_;
}

}  // namespace berth::scheduling
