// SPDX-License-Identifier: Apache-2.0

// Last good versions of manifest files, as persisted: what a file that is broken while berthd is
// down continues from.
//
// The objects are kept, not the text: a comment or unknown field could contain something that must
// not be on disk. Secrets are separate: they are kept in memory (a tmpfs) and lost with a reboot,
// the rest is on disk. Pure.
#pragma once

#include <map>
#include <string>

#include "api/manifest/manifest.hpp"

namespace berth::agent {

// By the manifest file's name; a file without objects of a kind is not in that map.
struct LastGoodTexts {
  std::map<std::string, std::string> on_disk{};
  std::map<std::string, std::string> in_memory{};  // Secrets

  void add(const api::ManifestFile& file);

  bool operator==(const LastGoodTexts&) const = default;
};

// The files as they were, of both parts; an earlier berthd, which kept the text, has all on disk.
[[nodiscard]] std::map<std::string, std::string> joined(const LastGoodTexts& texts);

}  // namespace berth::agent
