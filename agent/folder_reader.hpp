// Reads the manifest folder, and keeps a copy of each file's last good version.
//
// Blocking: called on the blocking pool.
#pragma once

#include <map>
#include <string>

#include "agent/manifest_folder.hpp"

namespace berth::agent {

// `path` may also be a single file. Symbolic links are followed; folders inside are not entered.
[[nodiscard]] FolderContent read_folder(const std::string& path);

// Makes `folder` hold exactly these files (0600: they may hold Secrets). An error says which.
[[nodiscard]] Result<bool> write_copies(const std::string& folder,
                                        const std::map<std::string, std::string>& texts);

}  // namespace berth::agent
