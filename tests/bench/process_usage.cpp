// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/process_usage.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace berth::bench {
namespace {

// A line "Name:   123 kB" of a file below /proc/PID.
double mebibytes(pid_t process, const char* file, const std::string& name) {
  const auto path = std::filesystem::path("/proc") / std::to_string(process) / file;
  std::ifstream lines(path);
  for (std::string word; lines >> word;) {
    double kib = 0;
    if (word == name && lines >> kib) return kib / 1024;
  }
  throw std::runtime_error(path.string() + " has no " + name);
}

}  // namespace

MemoryUsage memory_of(pid_t process) {
  return {.anonymous = mebibytes(process, "status", "RssAnon:"),
          .proportional = mebibytes(process, "smaps_rollup", "Pss:"),
          .resident = mebibytes(process, "status", "VmRSS:"),
          .peak = mebibytes(process, "status", "VmHWM:")};
}

Nanoseconds cpu_time(pid_t process) {
  clockid_t clock{};
  timespec used{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &used) != 0) {
    throw std::runtime_error("no CPU time of process " + std::to_string(process));
  }
  return std::chrono::seconds(used.tv_sec) + Nanoseconds(used.tv_nsec);
}

double load_average() {
  std::ifstream loadavg("/proc/loadavg");
  double load = 0;
  loadavg >> load;
  return load;
}

}  // namespace berth::bench
