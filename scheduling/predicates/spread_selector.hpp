// Which pods a topology spread constraint counts: those of its labelSelector that have the same
// values as the pod itself under its matchLabelKeys. Keys that the pod lacks do not matter.
//
// Pure.
#pragma once

#include <expected>
#include <string>

#include "api/pod.hpp"
#include "scheduling/predicates/label_selector.hpp"

namespace berth::scheduling {

// A selector that cannot be compiled gives the API's words for what is wrong with it.
[[nodiscard]] std::expected<LabelSelector, std::string> spread_selector(
    const api::TopologySpreadConstraint& constraint, const Labels& pod_labels);

}  // namespace berth::scheduling
