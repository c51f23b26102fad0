#include "tests/bench/process_usage.hpp"

#include <filesystem>
#include <fstream>
#include <string>

namespace berth::bench {
namespace {

std::filesystem::path proc(pid_t process) {
  return std::filesystem::path("/proc") / std::to_string(process);
}

}  // namespace

double resident_mib(pid_t process) {
  std::ifstream status(proc(process) / "status");
  for (std::string word; status >> word;) {
    double kib = 0;
    if (word == "VmRSS:" && status >> kib) return kib / 1024;
  }
  return 0;
}

Nanoseconds cpu_time(pid_t process) {
  Nanoseconds sum{};
  for (const auto& thread : std::filesystem::directory_iterator(proc(process) / "task")) {
    std::ifstream schedstat(thread.path() / "schedstat");
    std::int64_t on_cpu = 0;
    if (schedstat >> on_cpu) sum += Nanoseconds(on_cpu);
  }
  return sum;
}

double load_average() {
  std::ifstream loadavg("/proc/loadavg");
  double load = 0;
  loadavg >> load;
  return load;
}

}  // namespace berth::bench
