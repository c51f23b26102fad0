// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/disk_walk.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <string_view>
#include <utility>

#include "base/directory_stream.hpp"
#include "base/open_beneath.hpp"

namespace berth::agent {
namespace {

constexpr std::int64_t kBlock = 512;  // the unit of st_blocks, whatever the file system's
constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
// How many files with several names are remembered; beyond that one may be counted twice.
constexpr std::size_t kLinkedMost = 100'000;

DirectoryStream open_stream(const Descriptor& top, const std::string& path, long position) {
  Descriptor directory = open_beneath(top, path.empty() ? "." : path, kDirectory, Links::kNone);
  if (!directory.is_open()) return nullptr;
  DirectoryStream stream(::fdopendir(directory.get()));
  if (!stream) return nullptr;
  static_cast<void>(directory.release());  // the stream's from now on
  if (position != 0) ::seekdir(stream.get(), position);
  return stream;
}

}  // namespace

std::size_t DiskWalk::step(std::size_t entries) {
  if (over_) return 0;
  if (!begun_) begin();
  if (over_ || pending_.empty()) {
    finish();
    return 1;
  }
  const Descriptor top(::open(top_.c_str(), kDirectory));
  std::size_t done = 0;
  while (top.is_open() && !pending_.empty() && done < entries) {
    Pending place = std::move(pending_.back());
    pending_.pop_back();
    done += 1 + walk(top, std::move(place), entries - done);
  }
  if (!top.is_open()) over_ = true;  // removed meanwhile: nothing to report
  if (pending_.empty()) finish();
  return done;
}

void DiskWalk::finish() {
  if (!over_) result_ = eviction::UsedSpace{.bytes = bytes_, .inodes = inodes_};
  over_ = true;
}

void DiskWalk::begin() {
  begun_ = true;
  struct stat self {};
  if (::lstat(top_.c_str(), &self) != 0) {
    over_ = true;
    return;
  }
  device_ = self.st_dev;
  count(self);
  if (S_ISDIR(self.st_mode)) pending_.push_back({});
}

// A directory that was removed or cannot be read counts only by itself.
std::size_t DiskWalk::walk(const Descriptor& top, Pending place, std::size_t entries) {
  const DirectoryStream stream = open_stream(top, place.path, place.position);
  if (!stream) return 0;
  std::size_t done = 0;
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string_view name(entry->d_name);
    if (name == "." || name == "..") continue;
    ++done;
    struct stat found {};
    const bool known =
        ::fstatat(::dirfd(stream.get()), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) == 0;
    if (known && found.st_dev == device_) {
      count(found);
      if (S_ISDIR(found.st_mode))
        pending_.push_back(
            {place.path.empty() ? std::string(name) : place.path + "/" + std::string(name)});
    }
    if (done >= entries) {
      place.position = ::telldir(stream.get());
      pending_.push_back(std::move(place));
      break;
    }
  }
  return done;
}

void DiskWalk::count(const struct stat& entry) {
  if (entry.st_nlink > 1 && !S_ISDIR(entry.st_mode)) {
    if (linked_.contains(entry.st_ino)) return;
    if (linked_.size() < kLinkedMost) linked_.insert(entry.st_ino);
  }
  bytes_ += static_cast<std::int64_t>(entry.st_blocks) * kBlock;
  ++inodes_;
}

}  // namespace berth::agent
