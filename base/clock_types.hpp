// SPDX-License-Identifier: Apache-2.0

// The two clocks' times, as types that do not mix: steady time for every duration and timer, wall
// time only for what is shown, stored or received from others (a container's finishedAt). Decisions
// take `now` as one of these; only a Clock reads them from the machine.
#pragma once

#include <chrono>

namespace berth {

using Nanoseconds = std::chrono::nanoseconds;
using SteadyTime = std::chrono::time_point<std::chrono::steady_clock, Nanoseconds>;
using WallTime = std::chrono::time_point<std::chrono::system_clock, Nanoseconds>;

}  // namespace berth
