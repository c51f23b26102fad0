// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/probe_metrics.hpp"

#include <chrono>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "agent/metrics/metric_text.hpp"

namespace berth::agent {
namespace {

using probes::ProbeCounters;
using probes::ProbeView;

// Labels in the order of their names.
std::string total_labels(const ProbeView& probe, std::string_view result) {
  return fmt::format(
      R"(container="{}",namespace="{}",pod="{}",pod_uid="{}",probe_type="{}",result="{}")",
      metric_label(probe.container), metric_label(probe.pod.namespace_),
      metric_label(probe.pod.name), metric_label(probe.pod.uid), probes::to_string(probe.type),
      result);
}

std::string duration_labels(const ProbeView& probe) {
  return fmt::format(R"(container="{}",namespace="{}",pod="{}",probe_type="{}")",
                     metric_label(probe.container), metric_label(probe.pod.namespace_),
                     metric_label(probe.pod.name), probes::to_string(probe.type));
}

void add(ProbeCounters& sum, const ProbeCounters& more) {
  sum.successful += more.successful;
  sum.seconds += more.seconds;
  for (std::size_t i = 0; i < more.within.size(); ++i) sum.within.at(i) += more.within.at(i);
}

void write_durations(std::string& out, const std::map<std::string, ProbeCounters>& series) {
  constexpr std::string_view kName = "prober_probe_duration_seconds";
  if (series.empty()) return;
  write_metric_head(out, kName, "histogram", "[ALPHA] Duration in seconds for a probe response.");
  const auto to = std::back_inserter(out);
  for (const auto& [labels, counters] : series) {
    std::uint64_t within = 0;
    for (std::size_t i = 0; i < counters.within.size(); ++i) {
      within += counters.within.at(i);
      fmt::format_to(to, "{}_bucket{{{},le=\"{}\"}} {}\n", kName, labels,
                     metric_number(probes::kDurationBounds.at(i)), metric_number(within));
    }
    fmt::format_to(to, "{}_bucket{{{},le=\"+Inf\"}} {}\n", kName, labels,
                   metric_number(counters.successful));
    fmt::format_to(to, "{}_sum{{{}}} {}\n", kName, labels, metric_number(counters.seconds));
    fmt::format_to(to, "{}_count{{{}}} {}\n", kName, labels, metric_number(counters.successful));
  }
}

void write_totals(std::string& out, const std::map<std::string, std::uint64_t>& series) {
  constexpr std::string_view kName = "prober_probe_total";
  if (series.empty()) return;
  write_metric_head(
      out, kName, "counter",
      "[BETA] Cumulative number of a liveness, readiness or startup probe for a container "
      "by result.");
  for (const auto& [labels, value] : series) {
    fmt::format_to(std::back_inserter(out), "{}{{{}}} {}\n", kName, labels, metric_number(value));
  }
}

}  // namespace

std::string probe_metrics_text(const std::vector<ProbeView>& probes, WallTime process_started) {
  std::map<std::string, ProbeCounters> durations;  // there may be two pods with the same name
  std::map<std::string, std::uint64_t> totals;
  for (const ProbeView& probe : probes) {
    if (probe.ended) continue;
    const ProbeCounters& counters = probe.counters;
    if (counters.successful > 0) {
      add(durations[duration_labels(probe)], counters);
      totals[total_labels(probe, "successful")] += counters.successful;
    }
    if (counters.failed > 0) totals[total_labels(probe, "failed")] += counters.failed;
  }
  std::string out;
  write_metric_head(out, "process_start_time_seconds", "gauge",
                    "[ALPHA] Start time of the process since unix epoch in seconds.");
  const double started =
      std::chrono::duration<double>(
          std::chrono::floor<std::chrono::milliseconds>(process_started).time_since_epoch())
          .count();
  fmt::format_to(std::back_inserter(out), "process_start_time_seconds {}\n",
                 metric_number(started));
  write_durations(out, durations);
  write_totals(out, totals);
  return out;
}

}  // namespace berth::agent
