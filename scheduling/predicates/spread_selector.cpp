// SPDX-License-Identifier: Apache-2.0

#include "scheduling/predicates/spread_selector.hpp"

namespace berth::scheduling {

std::expected<LabelSelector, std::string> spread_selector(
    const api::TopologySpreadConstraint& constraint, const Labels& pod_labels) {
  auto selector = LabelSelector::compile(constraint.labelSelector);
  if (!selector) return selector;
  Labels pairs;
  for (const std::string& key : constraint.matchLabelKeys) {
    const auto label = pod_labels.find(key);
    if (label != pod_labels.end()) pairs.insert(*label);
  }
  selector->narrow(LabelSelector::of_pairs(pairs));
  return selector;
}

}  // namespace berth::scheduling
