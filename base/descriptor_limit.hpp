// How near a process is to the number of descriptors it may open (RLIMIT_NOFILE).
//
// What strangers can make it open (their connections) stops short of the limit, so that what it
// opens itself (files, the runtime's socket) goes on. Any thread; the limit is asked for each time,
// as prlimit(2) changes it while a process runs.
#pragma once

namespace berth {

// Whether `number`, which was opened just now and so is the lowest free one, is among the last that
// are kept: an eighth of the limit, 4 at least and 64 at most.
[[nodiscard]] bool is_kept_descriptor(int number);

}  // namespace berth
