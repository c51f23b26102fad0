// What /metrics/probes says: the kubelet's own metrics of probes, in Prometheus' text format.
//
// prober_probe_total and prober_probe_duration_seconds of every probe that exists, and
// process_start_time_seconds. A series begins with its first observation and goes with its probe;
// attempts that errored are in none of them, and durations are those of successes. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/clock_types.hpp"
#include "probes/probe_view.hpp"

namespace berth::agent {

[[nodiscard]] std::string probe_metrics_text(const std::vector<probes::ProbeView>& probes,
                                             WallTime process_started);

}  // namespace berth::agent
