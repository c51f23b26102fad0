// A scheduling decision explained, as data: ScheduleExplanation of berth.dev/v1alpha1. Everything
// that is known; nothing is left out for being long. Pure.
#pragma once

#include <boost/json/fwd.hpp>

#include "scheduling/explain/placement_explanation.hpp"

namespace berth::ctl {

[[nodiscard]] boost::json::value explain_json(const scheduling::PlacementExplanation& explanation);

}  // namespace berth::ctl
