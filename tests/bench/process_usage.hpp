// SPDX-License-Identifier: Apache-2.0

// A process's resource use, according to the kernel.
#pragma once

#include <sys/types.h>

#include "base/clock_types.hpp"

namespace berth::bench {

// In MiB. `anonymous` is the process's own: not shared, and reclaimable only by swap. Pages of
// files (code, mostly) are shared, and come and go with the page cache: `resident` counts them
// fully, `proportional` by the share of each process that maps them.
struct MemoryUsage {
  double anonymous = 0;     // RssAnon
  double proportional = 0;  // Pss
  double resident = 0;      // VmRSS
  double peak = 0;          // VmHWM: peak resident size
};

// Throws std::runtime_error if the kernel does not report it: 0 would look like a good figure.
[[nodiscard]] MemoryUsage memory_of(pid_t process);

// CPU time, to the nanosecond: of all threads, including ended ones.
[[nodiscard]] Nanoseconds cpu_time(pid_t process);

// The machine's load of the last minute.
[[nodiscard]] double load_average();

}  // namespace berth::bench
