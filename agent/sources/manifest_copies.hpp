// SPDX-License-Identifier: Apache-2.0

// Copies of each manifest file's last good version, in files.
//
// A copy has its manifest's name, if that is a plain one. Any other name (a space, a letter beyond
// ASCII, more than 255 bytes once it is valid text) becomes a shorter, plain one with a digest, and
// the copy's first line states the real one. Copies of an earlier berthd, which all have their
// manifest's name, are read as well.
//
// Blocking: called on the blocking pool.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "agent/sources/last_good.hpp"

namespace berth::agent {

struct CopyFolders {
  std::string on_disk{};
  std::string in_memory{};  // mount point of a tmpfs
};

// A copy that could not be written.
struct CopyFailure {
  std::string folder{};
  std::string file{};    // the manifest's name; empty if none of the folder could be written
  std::size_t text = 0;  // a hash of what was to be written
  std::string why{};

  bool operator==(const CopyFailure&) const = default;
};

struct Copies {
  LastGoodTexts there{};  // what the folders hold
  std::vector<CopyFailure> failures{};
};

[[nodiscard]] Copies read_copies(const CopyFolders& folders);
// Writes what differs from `there`. What fails keeps nothing else from being written, and is tried
// again by the next call with what this one returned. The files are 0600. Secrets are written to a
// tmpfs, which is mounted as long as there are any.
[[nodiscard]] Copies write_copies(const CopyFolders& folders, LastGoodTexts there,
                                  const LastGoodTexts& wanted);

// The failures that were not among those before.
[[nodiscard]] std::vector<CopyFailure> new_failures(const Copies& before, const Copies& now);

// The name of a manifest's copy.
[[nodiscard]] std::string copy_name(const std::string& file);

}  // namespace berth::agent
