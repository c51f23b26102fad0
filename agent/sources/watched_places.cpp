// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/watched_places.hpp"

#include <sys/inotify.h>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <system_error>

namespace berth::agent {
namespace {

namespace fs = std::filesystem;

// Everything that can change what a name, or the directory itself, refers to.
constexpr std::uint32_t kNameEvents = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                                      IN_DELETE_SELF | IN_MOVE_SELF | IN_MASK_ADD;
constexpr std::uint32_t kContentEvents = kNameEvents | IN_CLOSE_WRITE | IN_ATTRIB | IN_MODIFY;

// The kernel's own limit (path_resolution(7)).
constexpr int kMostLinks = 40;
// In a folder with more linked files, changes of the others are found by the periodic reading.
constexpr int kMostLinkedFiles = 1000;

class Walk {
 public:
  Walk(int inotify, WatchFor what, WatchedPlaces& places)
      : inotify_(inotify), what_(what), places_(places) {}

  // The final directory, if it is one. `file`: the file of the folder that leads to it.
  std::optional<fs::path> follow(fs::path at, const fs::path& path, const std::string& file) {
    std::deque<std::string> rest(path.begin(), path.end());
    for (int links = 0; !rest.empty();) {
      const std::string name = rest.front();
      rest.pop_front();
      if (name.empty() || name == "." || name == "/") continue;
      if (name == "..") {
        at = at.parent_path();
        continue;
      }
      if (!watch(at, name, file)) return std::nullopt;
      std::error_code gone;
      const fs::file_status found = fs::symlink_status(at / name, gone);
      if (fs::is_directory(found)) {
        at /= name;
      } else if (fs::is_symlink(found) && ++links <= kMostLinks) {
        const fs::path target = fs::read_symlink(at / name, gone);
        rest.insert(rest.begin(), target.begin(), target.end());
        if (target.is_absolute()) at = "/";
      } else {
        if (what_ != WatchFor::kName && fs::exists(found))
          inotify_add_watch(inotify_, at.c_str(), kContentEvents);
        return std::nullopt;
      }
    }
    return at;
  }

 private:
  bool watch(const fs::path& directory, const std::string& name, const std::string& file) {
    const int watch = inotify_add_watch(inotify_, directory.c_str(), kNameEvents);
    if (watch >= 0) places_.names[watch][name].insert(file);
    return watch >= 0;
  }

  int inotify_;
  WatchFor what_;
  WatchedPlaces& places_;
};

}  // namespace

std::set<int> WatchedPlaces::watches() const {
  std::set<int> all;
  if (folder >= 0) all.insert(folder);
  for (const auto& [watch, in_it] : names) all.insert(watch);
  return all;
}

WatchedPlaces watch_places(int inotify, const std::string& path, WatchFor what) {
  WatchedPlaces places;
  Walk walk(inotify, what, places);
  std::error_code bad;
  const fs::path whole = fs::absolute(path, bad);
  const auto folder = walk.follow("/", whole, whole.filename().string());
  if (!folder || what == WatchFor::kName) return places;
  places.folder = inotify_add_watch(inotify, folder->c_str(), kContentEvents);
  if (what != WatchFor::kNewFiles) return places;
  int left = kMostLinkedFiles;
  for (fs::directory_iterator entry(*folder, bad), end; !bad && entry != end && left > 0;
       entry.increment(bad)) {
    std::error_code gone;
    if (!entry->is_symlink(gone)) continue;
    const std::string name = entry->path().filename().string();
    static_cast<void>(walk.follow(*folder, name, name));
    --left;
  }
  return places;
}

}  // namespace berth::agent
