// SPDX-License-Identifier: Apache-2.0

// Which of berthd's folders are on file systems that are mounted read-only.
//
// Blocks as long as the file systems do: called on the blocking pool.
#pragma once

#include <string>
#include <vector>

#include "agent/settings/settings.hpp"

namespace berth::agent {

// Returns configured paths; for a missing folder, the one that it would be created in counts.
[[nodiscard]] std::vector<std::string> read_only_folders(const Paths& paths);

}  // namespace berth::agent
