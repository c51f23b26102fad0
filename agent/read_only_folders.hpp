// Which of the folders that berthd writes to are on file systems that are mounted read-only.
//
// Blocks as long as the file systems do: called on the blocking pool.
#pragma once

#include <string>
#include <vector>

#include "agent/settings.hpp"

namespace berth::agent {

// By their paths as configured; of one that is not there yet, the folder that it would be made in
// counts.
[[nodiscard]] std::vector<std::string> read_only_folders(const Paths& paths);

}  // namespace berth::agent
