// SPDX-License-Identifier: Apache-2.0

#include "agent/root_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace berth::agent {

Result<std::unique_ptr<RootLock>> RootLock::take(const std::string& root) {
  std::error_code bad;
  std::filesystem::create_directories(root, bad);
  const auto path = root + "/berthd.lock";
  constexpr int kFlags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  Descriptor file(::open(path.c_str(), kFlags, 0600));
  if (!file.is_open()) {
    const int error = errno;
    std::string what = path + ": " + std::strerror(error);
    if (error == EROFS)
      what +=
          "; berthd keeps its state there: mount the file system read-write, or set "
          "rootDirectory (--root-dir)";
    if (error == ELOOP) what += "; berthd follows no link there: remove it";
    return fail(ErrorCode::kPermission, what);
  }
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0)
    return std::unique_ptr<RootLock>(new RootLock(std::move(file)));
  if (errno != EWOULDBLOCK) return fail(ErrorCode::kUnknown, path + ": " + std::strerror(errno));
  return fail(ErrorCode::kAlreadyExists, "another berthd uses the root directory " + root +
                                             "; stop it, or set rootDirectory (--root-dir)");
}

}  // namespace berth::agent
