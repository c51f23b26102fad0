// What a path leads through, as inotify watches it: the folder at its end, and each directory in
// which a name decides where it leads.
//
// A path is walked part by part, as the kernel does it, and each directory is watched before a name
// is looked up in it, so that nothing falls between. A link sends the walk on to its target; the
// links in the folder are walked as well, since what they lead to is content of the folder (the way
// ConfigMaps are projected). A part that is missing is waited for by its name. Something that is
// mounted on the way makes other places of it, though inotify does not tell.
//
// Blocks as long as the file system does: called on the blocking pool.
#pragma once

#include <map>
#include <set>
#include <string>

namespace berth::agent {

enum class WatchFor {
  kNewFiles,  // a file's content is new as a whole: manifests, behind links as well
  kGrowth,    // bytes were added: logs
  kName,      // the path leads elsewhere, or nowhere; what is in it does not matter
};

struct WatchedPlaces {
  int folder = -1;  // its watch; -1: there is none
  // By watch, then by name in that directory: files of the folder that the name leads to.
  std::map<int, std::map<std::string, std::set<std::string>>> names{};

  bool operator==(const WatchedPlaces&) const = default;
  [[nodiscard]] std::set<int> watches() const;
};

// What cannot be watched (a limit of the kernel's, a permission) is left out.
[[nodiscard]] WatchedPlaces watch_places(int inotify, const std::string& path, WatchFor what);

}  // namespace berth::agent
