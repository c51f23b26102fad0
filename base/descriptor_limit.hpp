// SPDX-License-Identifier: Apache-2.0

// Whether a process is close to its limit of open descriptors (RLIMIT_NOFILE).
//
// Near the limit, connections that only operators can open are refused, so that the process can
// still open files and the runtime's socket; those that anybody can open (HTTP) are refused
// earlier, so that operators get through. Any thread. The limit is read each time, because
// prlimit(2) may change it while a process runs.
#pragma once

#include <cstdint>

namespace berth {

// For whom the last descriptors are reserved: an eighth of the limit for the process itself, at
// least 4 and at most 64; as many again for its operators.
enum class KeptFor : std::uint8_t { kItself, kItselfAndOperators };

// Whether `number`, just opened and so the lowest free one, is among the reserved ones.
[[nodiscard]] bool is_kept_descriptor(int number, KeptFor whom);

}  // namespace berth
