// SPDX-License-Identifier: Apache-2.0

// Reads the manifest folder: only files with a manifest's name, and of those only the ones that may
// have changed since the reading before.
//
// Blocking: called on the blocking pool.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "agent/sources/folder_content.hpp"
#include "api/manifest/manifest_limits.hpp"
#include "base/clock_types.hpp"

namespace berth::agent {

// What identifies a content; of a link, its target's. Times are in nanoseconds.
struct FileStamp {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t modified = 0;
  std::int64_t changed = 0;

  bool operator==(const FileStamp&) const = default;
};

struct FileRead {
  FileStamp stamp{};
  SharedText text{};
  bool settled = false;  // any later change changes the stamp
};
// By the file's name, in its own bytes.
using FilesRead = std::map<std::string, FileRead>;

struct FolderQuestion {
  std::string path{};  // may also be a single file
  // Whether files of this name (valid text) are manifests; others are not opened.
  std::function<bool(const std::string& name)> wanted{};
  WallTime begun{};  // not after the reading begins; if unset, all is read again the next time
  std::size_t most_bytes = api::kManifestFolderBytesLimit;
};

struct FolderReading {
  FolderContent content{};
  FilesRead files{};
};

// Follows symbolic links; does not enter subfolders. `before`: what the reading before returned.
// Files are read in the order of their names' bytes: of two whose names become equal as valid text
// the first counts, and those beyond `most_bytes` are left out.
[[nodiscard]] FolderReading read_folder(const FolderQuestion& question, const FilesRead& before);

}  // namespace berth::agent
