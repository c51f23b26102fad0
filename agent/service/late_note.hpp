// SPDX-License-Identifier: Apache-2.0

// Which part of berthd made no progress, in a file that outlives the process: the service manager's
// watchdog aborts berthd, and the next one reports why.
//
// Blocking, a few bytes. From the watchdog's thread: the loop may be what hangs.
#pragma once

#include <string>

namespace berth::agent {

// Replaces the note; empty: everybody makes progress again, and the note is removed. A note that
// cannot be written is left out: the journal has the same line.
void write_late_note(const std::string& file, const std::string& late);

// What the previous berthd left, and removes it. Empty: nothing.
[[nodiscard]] std::string take_late_note(const std::string& file);

}  // namespace berth::agent
