// SPDX-License-Identifier: Apache-2.0

#include "node/volumes/volume_ownership.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace berth::node {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kReadWrite = 0660;
constexpr mode_t kReadOnly = 0440;
constexpr mode_t kDirectory = S_ISGID | 0110;

Result<Nothing> give_one(const std::string& path, gid_t group, mode_t mask) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return system_failure("looking at", path, errno);
  if (::lchown(path.c_str(), static_cast<uid_t>(-1), group) != 0) {
    return system_failure("changing the group of", path, errno);
  }
  if (S_ISLNK(status.st_mode)) return Nothing{};
  const mode_t mode = (status.st_mode & 07777) | mask | (S_ISDIR(status.st_mode) ? kDirectory : 0);
  // After the change of group, which clears the setgid bit.
  if (::chmod(path.c_str(), mode) != 0) return system_failure("changing the mode of", path, errno);
  return Nothing{};
}

}  // namespace

std::optional<std::int64_t> fs_group(const api::Pod& pod) {
  return pod.spec.securityContext ? pod.spec.securityContext->fsGroup : std::nullopt;
}

Result<Nothing> give_to_group(const std::string& path, std::int64_t group, bool read_only) {
  const auto gid = static_cast<gid_t>(group);
  const mode_t mask = read_only ? kReadOnly : kReadWrite;
  if (auto given = give_one(path, gid, mask); !given) return given;
  std::error_code failure;
  fs::recursive_directory_iterator entry(path, failure);
  for (; !failure && entry != fs::recursive_directory_iterator(); entry.increment(failure)) {
    if (auto given = give_one(entry->path().string(), gid, mask); !given) return given;
  }
  if (failure) return system_failure("listing", path, failure.value());
  return Nothing{};
}

}  // namespace berth::node
