// Reads the manifest folder, and keeps what is to outlive berthd of each file's last good version.
//
// Blocking: called on the blocking pool.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "agent/manifest_folder.hpp"
#include "lifecycle/in_hand.hpp"

namespace berth::agent {

// `path` may also be a single file. Symbolic links are followed; folders inside are not entered.
[[nodiscard]] FolderContent read_folder(const std::string& path);

// By file name, of the text that was decoded last.
using TextHashes = std::map<std::string, std::size_t>;

// Decodes the files whose text is another one than `known` says, which can take seconds, and
// returns what is known then. A text that two berthds have died at is a problem instead. `in_hand`
// may be null.
[[nodiscard]] TextHashes decode_changed(FolderContent& content, const api::ManifestOptions& options,
                                        const TextHashes& known, lifecycle::InHand* in_hand);

struct CopiesChange {
  std::map<std::string, std::string> write{};  // texts by file name
  std::vector<std::string> remove{};

  [[nodiscard]] bool empty() const { return write.empty() && remove.empty(); }
};
// What makes a folder that holds `there` hold `wanted`. Pure.
[[nodiscard]] CopiesChange copies_change(const std::map<std::string, std::string>& there,
                                         const std::map<std::string, std::string>& wanted);
// The files are 0600. An error says which.
[[nodiscard]] Result<bool> write_copies(const std::string& folder, const CopiesChange& change);
// The same on a tmpfs, which is mounted on the folder as long as there is something to keep; after
// `change` that is so if `any` says it.
[[nodiscard]] Result<bool> write_copies_in_memory(const std::string& folder,
                                                  const CopiesChange& change, bool any);

}  // namespace berth::agent
