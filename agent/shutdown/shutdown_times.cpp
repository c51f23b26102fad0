// SPDX-License-Identifier: Apache-2.0

#include "agent/shutdown/shutdown_times.hpp"

#include <chrono>

#include "agent/metrics/metric_text.hpp"

namespace berth::agent {
namespace {

// The kubelet's HELP text of both metrics.
constexpr const char* kHelp =
    "[ALPHA] Last graceful shutdown start time since unix epoch in seconds";

void write(const char* name, const std::optional<WallTime>& time, std::string& out) {
  std::chrono::duration<double> seconds{};
  if (time) seconds = std::chrono::floor<std::chrono::seconds>(time->time_since_epoch());
  write_metric_head(out, name, "gauge", kHelp);
  out += std::string(name) + " " + metric_number(seconds.count()) + "\n";
}

}  // namespace

ShutdownTimes begun(WallTime now) {
  return {.start = now};
}

ShutdownTimes ended(const ShutdownTimes& times, WallTime now) {
  if (!times.start || times.end) return times;
  return {.start = times.start, .end = now};
}

void write_metrics(const ShutdownTimes& times, std::string& out) {
  write("kubelet_graceful_shutdown_end_time_seconds", times.end, out);
  write("kubelet_graceful_shutdown_start_time_seconds", times.start, out);
}

}  // namespace berth::agent
