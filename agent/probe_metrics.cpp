#include "agent/probe_metrics.hpp"

#include <chrono>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace berth::agent {
namespace {

using probes::ProbeCounters;
using probes::ProbeView;

// As Prometheus' own writer prints numbers: few digits, and an exponent from a million on.
std::string number(double value) {
  constexpr double kPlainBelow = 1e6;
  constexpr double kPlainFrom = 1e-4;
  if (value == 0 || (value >= kPlainFrom && value < kPlainBelow)) return fmt::format("{}", value);
  for (int digits = 0;; ++digits) {  // the fewest that give the same number
    std::string text = fmt::format("{:.{}e}", value, digits);
    if (std::stod(text) == value) return text;
  }
}

std::string number(std::uint64_t value) {
  return number(static_cast<double>(value));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

// Labels in the order of their names.
std::string total_labels(const ProbeView& probe, std::string_view result) {
  return fmt::format(
      R"(container="{}",namespace="{}",pod="{}",pod_uid="{}",probe_type="{}",result="{}")",
      escaped(probe.container), escaped(probe.pod.namespace_), escaped(probe.pod.name),
      escaped(probe.pod.uid), probes::to_string(probe.type), result);
}

std::string duration_labels(const ProbeView& probe) {
  return fmt::format(R"(container="{}",namespace="{}",pod="{}",probe_type="{}")",
                     escaped(probe.container), escaped(probe.pod.namespace_),
                     escaped(probe.pod.name), probes::to_string(probe.type));
}

void add(ProbeCounters& sum, const ProbeCounters& more) {
  sum.successful += more.successful;
  sum.seconds += more.seconds;
  for (std::size_t i = 0; i < more.within.size(); ++i) sum.within.at(i) += more.within.at(i);
}

void write_head(std::string& out, std::string_view name, std::string_view type,
                std::string_view help) {
  fmt::format_to(std::back_inserter(out), "# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

void write_durations(std::string& out, const std::map<std::string, ProbeCounters>& series) {
  constexpr std::string_view kName = "prober_probe_duration_seconds";
  if (series.empty()) return;
  write_head(out, kName, "histogram", "[ALPHA] Duration in seconds for a probe response.");
  const auto to = std::back_inserter(out);
  for (const auto& [labels, counters] : series) {
    std::uint64_t within = 0;
    for (std::size_t i = 0; i < counters.within.size(); ++i) {
      within += counters.within.at(i);
      fmt::format_to(to, "{}_bucket{{{},le=\"{}\"}} {}\n", kName, labels,
                     number(probes::kDurationBounds.at(i)), number(within));
    }
    fmt::format_to(to, "{}_bucket{{{},le=\"+Inf\"}} {}\n", kName, labels,
                   number(counters.successful));
    fmt::format_to(to, "{}_sum{{{}}} {}\n", kName, labels, number(counters.seconds));
    fmt::format_to(to, "{}_count{{{}}} {}\n", kName, labels, number(counters.successful));
  }
}

void write_totals(std::string& out, const std::map<std::string, std::uint64_t>& series) {
  constexpr std::string_view kName = "prober_probe_total";
  if (series.empty()) return;
  write_head(out, kName, "counter",
             "[BETA] Cumulative number of a liveness, readiness or startup probe for a container "
             "by result.");
  for (const auto& [labels, value] : series) {
    fmt::format_to(std::back_inserter(out), "{}{{{}}} {}\n", kName, labels, number(value));
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
  write_head(out, "process_start_time_seconds", "gauge",
             "[ALPHA] Start time of the process since unix epoch in seconds.");
  const double started =
      std::chrono::duration<double>(
          std::chrono::floor<std::chrono::milliseconds>(process_started).time_since_epoch())
          .count();
  fmt::format_to(std::back_inserter(out), "process_start_time_seconds {}\n", number(started));
  write_durations(out, durations);
  write_totals(out, totals);
  return out;
}

}  // namespace berth::agent
