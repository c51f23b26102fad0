// SPDX-License-Identifier: Apache-2.0

// The reports about eviction as JSON, for -o json and -o yaml: kinds EvictionExplanation,
// EvictionLog, EvictionSimulation and PodUsageList of berth.dev/v1alpha1. Pure.
#pragma once

#include <vector>

#include <boost/json/fwd.hpp>

#include "control/control.pb.h"

namespace berth::ctl {

[[nodiscard]] boost::json::value explain_json(const control::v1::ExplainEvictionsReply& reply);
[[nodiscard]] boost::json::value log_json(const std::vector<control::v1::EvictionEntry>& entries);
[[nodiscard]] boost::json::value simulation_json(const control::v1::SimulateEvictionsReply& reply);
[[nodiscard]] boost::json::value top_json(const std::vector<control::v1::PodUsage>& pods);

}  // namespace berth::ctl
