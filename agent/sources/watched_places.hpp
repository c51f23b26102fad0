// SPDX-License-Identifier: Apache-2.0

// What a path leads through, as inotify watches it: the folder at its end, and each directory in
// which a name decides where it leads.
//
// The path is walked part by part, as the kernel does it, and each directory is watched before a
// name is looked up in it, so that no change is missed in between. The walk follows links to their
// targets; links in the folder are followed as well, since their targets are content of the folder
// (ConfigMaps are projected that way). A missing part is watched for by its name. A mount on the
// way changes the places, though inotify does not report it.
//
// Blocks as long as the file system does: called on the blocking pool.
#pragma once

#include <map>
#include <set>
#include <string>

namespace berth::agent {

enum class WatchFor {
  kNewFiles,  // complete new file contents: manifests, also behind links
  kGrowth,    // appended bytes: logs
  kName,      // the path leads elsewhere, or nowhere; its content does not matter
};

struct WatchedPlaces {
  int folder = -1;  // its watch; -1: none
  // By watch, then by name in that directory: files of the folder that the name leads to.
  std::map<int, std::map<std::string, std::set<std::string>>> names{};

  bool operator==(const WatchedPlaces&) const = default;
  [[nodiscard]] std::set<int> watches() const;
};

// Omits what cannot be watched (a limit of the kernel, a permission).
[[nodiscard]] WatchedPlaces watch_places(int inotify, const std::string& path, WatchFor what);

}  // namespace berth::agent
