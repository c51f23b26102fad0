// SPDX-License-Identifier: Apache-2.0

// Which pods a topology spread constraint counts: those that match its labelSelector and have the
// pod's own values for its matchLabelKeys. Keys that the pod lacks are ignored.
//
// Pure.
#pragma once

#include <expected>
#include <string>

#include "api/pod.hpp"
#include "scheduling/predicates/label_selector.hpp"

namespace berth::scheduling {

// If a selector cannot be compiled, returns the API's error text.
[[nodiscard]] std::expected<LabelSelector, std::string> spread_selector(
    const api::TopologySpreadConstraint& constraint, const Labels& pod_labels);

}  // namespace berth::scheduling
