// What a process uses, as the kernel counts it.
#pragma once

#include <sys/types.h>

#include "base/clock_types.hpp"

namespace berth::bench {

// In MiB. `anonymous` is what nobody else could use and nothing but swap could take: the process's
// own. Pages of files (code, mostly) are shared, and come and go with the page cache: they are in
// `resident` whole, in `proportional` by the share of each process that maps them.
struct MemoryUsage {
  double anonymous = 0;     // RssAnon
  double proportional = 0;  // Pss
  double resident = 0;      // VmRSS
  double peak = 0;          // VmHWM: the most that was ever resident
};

// Throws std::runtime_error where the kernel does not tell: 0 would be a fine figure.
[[nodiscard]] MemoryUsage memory_of(pid_t process);

// Time on a processor, to the nanosecond: of all threads, those that have ended included.
[[nodiscard]] Nanoseconds cpu_time(pid_t process);

// The machine's load of the last minute.
[[nodiscard]] double load_average();

}  // namespace berth::bench
