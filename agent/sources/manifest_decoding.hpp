// SPDX-License-Identifier: Apache-2.0

// Decodes the manifest folder's files.
//
// Takes seconds for a large file, so berthd does it on the pool's threads. ManifestFolder, which is
// used on the loop, takes a DecodedFolder and nothing else: it has no text that it could decode.
// Pure, but for the record of what is in hand.
#pragma once

#include <expected>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "agent/sources/folder_content.hpp"
#include "agent/sources/last_good.hpp"
#include "api/manifest/manifest.hpp"
#include "lifecycle/in_hand.hpp"

namespace berth::agent {

// A manifest file that is valid, and what of it is to be persisted.
struct GoodFile {
  explicit GoodFile(api::ManifestFile decoded);

  api::ManifestFile file;
  LastGoodTexts texts{};
};
using DecodedFile = std::expected<GoodFile, std::vector<api::ManifestProblem>>;

// The file is as it was: its text is the known one, or is still being written.
struct FileStays {};
struct FileUnread {
  std::string why{};
  bool left_out = false;  // as in FolderFile
};
struct FileDecoded {
  SharedText text{};
  DecodedFile file;
};
using FileNews = std::variant<FileStays, FileUnread, FileDecoded>;

// FolderContent with its manifests decoded.
struct DecodedFolder {
  std::string path{};
  bool exists = false;
  bool single_file = false;
  std::string unreadable{};
  std::map<std::string, FileNews> files{};  // manifests only, by name
  std::vector<std::string> others{};
  std::vector<std::string> refused{};
};

// By file name: the text that was used last.
using KnownTexts = std::map<std::string, SharedText>;

// Decodes the files whose text differs from `known`. A text at which berthd has died twice becomes
// a problem instead. `in_hand` may be null.
[[nodiscard]] DecodedFolder decode_changed(FolderContent content,
                                           const api::ManifestOptions& options,
                                           const KnownTexts& known, lifecycle::InHand* in_hand);

// Leaves out files that somebody wrote while they were read; they are read again once they are
// closed. Has no effect under the kubelet's rules, which read what is there.
void leave_out_unfinished(const std::set<std::string>& names, api::ManifestRules rules,
                          DecodedFolder& folder);

}  // namespace berth::agent
