// What a process uses, as the kernel counts it.
#pragma once

#include <sys/types.h>

#include "base/clock_types.hpp"

namespace berth::bench {

// VmRSS, in MiB.
[[nodiscard]] double resident_mib(pid_t process);

// Time on a processor, all threads that there are now, to the nanosecond (the ticks of `stat` are
// 10 ms, too coarse for an idle minute).
[[nodiscard]] Nanoseconds cpu_time(pid_t process);

// The machine's load of the last minute.
[[nodiscard]] double load_average();

}  // namespace berth::bench
