// SPDX-License-Identifier: Apache-2.0

#include "systemd/status_line.hpp"

namespace berth::systemd {
namespace {

void add(std::string& line, const std::string& clause) {
  line += (line.empty() ? "" : ", ") + clause;
}

void add_count(std::string& line, std::size_t count, const char* what) {
  if (count > 0) add(line, std::to_string(count) + " " + what);
}

bool has_pods(const ServiceStatus& status) {
  return status.running + status.backing_off + status.starting + status.ending + status.finished >
         0;
}

std::string pods(const ServiceStatus& status) {
  std::string line =
      std::to_string(status.running) + (status.running == 1 ? " pod running" : " pods running");
  add_count(line, status.backing_off, "backing off");
  add_count(line, status.starting, "starting");
  add_count(line, status.ending, "ending");
  add_count(line, status.finished, "finished");
  return line;
}

}  // namespace

std::string status_line(const ServiceStatus& status) {
  std::string line;
  for (const auto& clause : status.waits_for)
    add(line, (line.empty() ? "waiting for " : "for ") + clause);
  if (line.empty() || has_pods(status)) add(line, pods(status));
  if (const auto& below = status.memory_below_threshold) {
    add(line, *below > 0 ? "memory " + std::to_string(*below) + " % below its threshold"
                         : "memory beyond its threshold");
  }
  for (const auto& condition : status.pressure) add(line, condition);
  return line;
}

std::string stopped_line(const ServiceStatus& status) {
  const std::size_t left = status.running + status.backing_off + status.starting + status.ending;
  if (left == 0) return "stopped";
  return "stopped; " + std::to_string(left) + (left == 1 ? " pod is" : " pods are") +
         " left alone, neither probed nor restarted";
}

}  // namespace berth::systemd
