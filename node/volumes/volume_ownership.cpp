// SPDX-License-Identifier: Apache-2.0

#include "node/volumes/volume_ownership.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/descriptor.hpp"
#include "base/directory_stream.hpp"

namespace berth::node {
namespace {

constexpr mode_t kReadWrite = 0660;
constexpr mode_t kReadOnly = 0440;
constexpr mode_t kDirectory = S_ISGID | 0110;

struct Gift {
  gid_t group = 0;
  mode_t mask = 0;
};

// Gives what the O_PATH descriptor holds, a link itself included. Returns whether it is a
// directory.
Result<bool> give_one(const Descriptor& held, const std::string& path, const Gift& gift) {
  struct stat status {};
  if (::fstat(held.get(), &status) != 0) return system_failure("looking at", path, errno);
  if (::fchownat(held.get(), "", static_cast<uid_t>(-1), gift.group, AT_EMPTY_PATH) != 0) {
    return system_failure("changing the group of", path, errno);
  }
  if (S_ISLNK(status.st_mode)) return false;
  const bool directory = S_ISDIR(status.st_mode);
  const mode_t mode = (status.st_mode & 07777) | gift.mask | (directory ? kDirectory : 0);
  // After the change of group, which clears the setgid bit. fchmod refuses such a descriptor.
  const std::string itself = fmt::format("/proc/self/fd/{}", held.get());
  if (::chmod(itself.c_str(), mode) != 0) {
    return system_failure("changing the mode of", path, errno);
  }
  return directory;
}

// A directory that is being read.
struct Level {
  std::string path{};
  DirectoryStream entries{};
};

Result<Level> enter(const Descriptor& directory, std::string path) {
  Descriptor listed(::openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!listed.is_open()) return system_failure("listing", path, errno);
  Level level{.path = std::move(path), .entries = DirectoryStream(::fdopendir(listed.get()))};
  if (!level.entries) return system_failure("listing", level.path, errno);
  static_cast<void>(listed.release());  // the stream's from now on
  return level;
}

// The next entry's name; empty at the end.
Result<std::string> next_name(const Level& level) {
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(level.entries.get());
    if (entry == nullptr && errno != 0) return system_failure("listing", level.path, errno);
    if (entry == nullptr) return "";
    const std::string_view name(entry->d_name);
    if (name != "." && name != "..") return std::string(name);
  }
}

}  // namespace

std::optional<std::int64_t> fs_group(const api::Pod& pod) {
  return pod.spec.securityContext ? pod.spec.securityContext->fsGroup : std::nullopt;
}

Result<Nothing> give_to_group(const OwnFolder& folder, std::int64_t group, bool read_only) {
  const Gift gift{.group = static_cast<gid_t>(group), .mask = read_only ? kReadOnly : kReadWrite};
  const std::string top = real_path(folder.path());
  if (auto given = give_one(folder.descriptor(), top, gift); !given) return fail(given.error());
  auto first = enter(folder.descriptor(), top);
  if (!first) return fail(first.error());
  std::vector<Level> levels;  // no recursion: a container decides how deep they are
  levels.push_back(std::move(*first));
  while (!levels.empty()) {
    const Level& level = levels.back();
    const auto name = next_name(level);
    if (!name) return fail(name.error());
    if (name->empty()) {
      levels.pop_back();
      continue;
    }
    std::string path = level.path + "/" + *name;
    // No path that a program could open is longer; each level keeps a descriptor.
    if (path.size() >= PATH_MAX) return system_failure("looking at", path, ENAMETOOLONG);
    const Descriptor entry(
        ::openat(::dirfd(level.entries.get()), name->c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!entry.is_open()) return system_failure("looking at", path, errno);
    const auto is_directory = give_one(entry, path, gift);
    if (!is_directory) return fail(is_directory.error());
    if (!*is_directory) continue;
    auto deeper = enter(entry, std::move(path));
    if (!deeper) return fail(deeper.error());
    levels.push_back(std::move(*deeper));
  }
  return Nothing{};
}

}  // namespace berth::node
