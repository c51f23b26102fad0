// SPDX-License-Identifier: Apache-2.0

// Reads the manifest folder, and persists copies of each file's last good version.
//
// Blocking: called on the blocking pool.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "agent/sources/manifest_folder.hpp"
#include "lifecycle/in_hand.hpp"

namespace berth::agent {

// `path` may also be a single file. Follows symbolic links; does not enter subfolders.
[[nodiscard]] FolderContent read_folder(const std::string& path);

// By file name: hash of the text that was decoded last.
using TextHashes = std::map<std::string, std::size_t>;

// Decodes the files whose text differs from `known`, which can take seconds, and returns the new
// hashes. A text at which berthd has died twice becomes a problem instead. `in_hand` may be null.
[[nodiscard]] TextHashes decode_changed(FolderContent& content, const api::ManifestOptions& options,
                                        const TextHashes& known, lifecycle::InHand* in_hand);

struct CopiesChange {
  std::map<std::string, std::string> write{};  // texts by file name
  std::vector<std::string> remove{};

  [[nodiscard]] bool empty() const { return write.empty() && remove.empty(); }
};
// The changes that turn the content `there` into `wanted`. Pure.
[[nodiscard]] CopiesChange copies_change(const std::map<std::string, std::string>& there,
                                         const std::map<std::string, std::string>& wanted);
// The files are 0600. An error names the file.
[[nodiscard]] Result<bool> write_copies(const std::string& folder, const CopiesChange& change);
// The same on a tmpfs, which is mounted on the folder as long as it has any content; `any`: whether
// it has after `change`.
[[nodiscard]] Result<bool> write_copies_in_memory(const std::string& folder,
                                                  const CopiesChange& change, bool any);

}  // namespace berth::agent
