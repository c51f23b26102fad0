// Last good versions of manifest files, as they outlive berthd: what a file that is broken while
// berthd is down goes on from.
//
// Kept are the objects, not the text: a comment or a field that nobody knows could hold what no
// disk may have. Secrets are apart from the rest: they are kept in memory (a tmpfs) and are gone
// with a reboot, the rest is on disk. Pure.
#pragma once

#include <map>
#include <string>

#include "api/manifest.hpp"

namespace berth::agent {

// By the manifest file's name; a file that has nothing of a kind is not in its map.
struct LastGoodTexts {
  std::map<std::string, std::string> on_disk{};
  std::map<std::string, std::string> in_memory{};  // Secrets

  void add(const api::ManifestFile& file);

  bool operator==(const LastGoodTexts&) const = default;
};

// The files as they were, of both parts; of an earlier berthd, which kept the text, all is on disk.
[[nodiscard]] std::map<std::string, std::string> joined(const LastGoodTexts& texts);

}  // namespace berth::agent
