// SPDX-License-Identifier: Apache-2.0

// An explained scheduling decision as data: ScheduleExplanation of berth.dev/v1alpha1. Complete:
// nothing is omitted for its length. Pure.
#pragma once

#include <boost/json/fwd.hpp>

#include "scheduling/explain/placement_explanation.hpp"

namespace berth::ctl {

[[nodiscard]] boost::json::value explain_json(const scheduling::PlacementExplanation& explanation);

}  // namespace berth::ctl
