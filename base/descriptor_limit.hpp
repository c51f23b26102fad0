// How near a process is to the number of descriptors it may open (RLIMIT_NOFILE).
//
// What strangers can make it open (their connections) stops short of the limit, so that what it
// opens itself (files, the runtime's socket) goes on; and what anybody can make it open stops
// earlier, so that operators come through. Any thread; the limit is asked for each time, as
// prlimit(2) changes it while a process runs.
#pragma once

#include <cstdint>

namespace berth {

// For whom the last descriptors are kept: an eighth of the limit for the process itself, 4 at least
// and 64 at most; as many again for its operators.
enum class KeptFor : std::uint8_t { kItself, kItselfAndOperators };

// Whether `number`, which was opened just now and so is the lowest free one, is among those.
[[nodiscard]] bool is_kept_descriptor(int number, KeptFor whom);

}  // namespace berth
