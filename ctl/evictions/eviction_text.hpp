// SPDX-License-Identifier: Apache-2.0

// What berthd knows about eviction, as text for people. Pure.
#pragma once

#include <string>
#include <vector>

#include "control/control.pb.h"
#include "ctl/table.hpp"

namespace berth::ctl {

// Signals against their thresholds, conditions, and for each signal which pods would be evicted in
// which order.
[[nodiscard]] std::string explain_text(const control::v1::ExplainEvictionsReply& reply);

// A paragraph per eviction, with what the decision was made from.
[[nodiscard]] std::string log_text(const std::vector<control::v1::EvictionEntry>& entries);

// What would have happened when, and how sure that is.
[[nodiscard]] std::string simulation_text(const control::v1::SimulateEvictionsReply& reply);

[[nodiscard]] Row top_pods_header(bool with_namespace);
[[nodiscard]] Row top_pods_row(const control::v1::PodUsage& pod, bool with_namespace);

// Each signal's value against each of its thresholds.
[[nodiscard]] std::vector<Row> signal_rows(const control::v1::ExplainEvictionsReply& reply);
// The same in brief, for `describe node`.
[[nodiscard]] std::vector<Row> pressure_rows(const control::v1::ExplainEvictionsReply& reply);

}  // namespace berth::ctl
