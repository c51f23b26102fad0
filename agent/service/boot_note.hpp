// SPDX-License-Identifier: Apache-2.0

// Remembers in which boot of the machine berthd ran last, so that the node's event `Rebooted` can
// report another one, as the kubelet's does.
//
// Blocking, a few bytes; at start.
#pragma once

#include <string>

namespace berth::agent {

// Writes the id of the current boot to the file. True if the file had the id of another one.
// Without an id nothing is known and nothing is written; a failure to write is ignored, and the
// next start reports the same reboot again.
[[nodiscard]] bool note_boot(const std::string& file, const std::string& boot_id);

}  // namespace berth::agent
