// SPDX-License-Identifier: Apache-2.0

// Records which part of berthd made no progress, in a file that outlives the process: the service
// manager's watchdog aborts berthd, and the next one reports why.
//
// Blocking, a few bytes. Called on the watchdog's thread: it may be the loop that hangs.
#pragma once

#include <string>

namespace berth::agent {

// Replaces the note; an empty `late` removes it, since every part makes progress again. A failure
// to write it is ignored: the journal has the same line.
void write_late_note(const std::string& file, const std::string& late);

// Returns the note that the previous berthd left, and removes it; empty if there is none.
[[nodiscard]] std::string consume_late_note(const std::string& file);

}  // namespace berth::agent
