// SPDX-License-Identifier: Apache-2.0

#include "api/label_keys.hpp"

#include <algorithm>

namespace berth::api {

namespace {

using Labels = std::map<std::string, std::string>;

void append(LabelSelector& selector, const std::vector<std::string>& keys, std::string_view op,
            const Labels& labels) {
  for (const std::string& key : keys) {
    const auto label = labels.find(key);
    if (label == labels.end()) continue;
    selector.matchExpressions.push_back(LabelSelectorRequirement{
        .key = key, .operator_ = std::string(op), .values = {label->second}});
  }
}

void merge(PodAffinityTerm& term, const Labels& labels) {
  if (!term.labelSelector) return;
  append(*term.labelSelector, term.matchLabelKeys, "In", labels);
  append(*term.labelSelector, term.mismatchLabelKeys, "NotIn", labels);
}

template <class PodTerms>
void merge_terms(std::optional<PodTerms>& terms, const Labels& labels) {
  if (!terms) return;
  for (PodAffinityTerm& term : terms->requiredDuringSchedulingIgnoredDuringExecution) {
    merge(term, labels);
  }
  for (WeightedPodAffinityTerm& term : terms->preferredDuringSchedulingIgnoredDuringExecution) {
    merge(term.podAffinityTerm, labels);
  }
}

}  // namespace

void merge_label_keys(Pod& pod) {
  const Labels& labels = pod.metadata.labels;
  if (pod.spec.affinity) {
    merge_terms(pod.spec.affinity->podAffinity, labels);
    merge_terms(pod.spec.affinity->podAntiAffinity, labels);
  }
  for (TopologySpreadConstraint& constraint : pod.spec.topologySpreadConstraints) {
    if (constraint.labelSelector) {
      append(*constraint.labelSelector, constraint.matchLabelKeys, "In", labels);
    }
  }
}

void mark_scheduling_gated(Pod& pod) {
  if (pod.spec.schedulingGates.empty()) return;
  auto& conditions = pod.status.conditions;
  const bool known = std::any_of(conditions.begin(), conditions.end(), [](const PodCondition& one) {
    return one.type == "PodScheduled";
  });
  if (known) return;
  conditions.push_back(PodCondition{.type = "PodScheduled",
                                    .status = "False",
                                    .reason = "SchedulingGated",
                                    .message = "Scheduling is blocked due to non-empty "
                                               "scheduling gates"});
}

void prepare_new_pod(Pod& pod) {
  merge_label_keys(pod);
  mark_scheduling_gated(pod);
}

}  // namespace berth::api
