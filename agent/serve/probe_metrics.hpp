// SPDX-License-Identifier: Apache-2.0

// The text of /metrics/probes: the kubelet's own probe metrics, in Prometheus' text format.
//
// prober_probe_total and prober_probe_duration_seconds of every existing probe, and
// process_start_time_seconds. A series starts with its first observation and ends with its probe;
// attempts that errored are not counted, and durations are those of successes. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/clock_types.hpp"
#include "probes/probe_view.hpp"

namespace berth::agent {

[[nodiscard]] std::string probe_metrics_text(const std::vector<probes::ProbeView>& probes,
                                             WallTime process_started);

}  // namespace berth::agent
