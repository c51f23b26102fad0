// SPDX-License-Identifier: Apache-2.0

// Periods below one second, which Kubernetes cannot express: an annotation of the pod.
//
//   berth.dev/probe-period-milliseconds: "web/readiness=250,web/liveness=500"
//
// Names container and probe; 100 to 999 milliseconds, network probes only. Others ignore the
// annotation, and then periodSeconds holds. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "probes/probe_state.hpp"

namespace berth::probes {

inline constexpr std::string_view kShortPeriodAnnotation = "berth.dev/probe-period-milliseconds";

struct ShortPeriods {
  std::map<std::pair<std::string, ProbeType>, Nanoseconds> periods{};
  // Problems of the annotation, each with what was expected; such an entry does not count.
  std::vector<std::string> problems{};
};

[[nodiscard]] ShortPeriods short_periods(const api::Pod& pod);

}  // namespace berth::probes
