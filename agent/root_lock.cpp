#include "agent/root_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace berth::agent {

Result<std::unique_ptr<RootLock>> RootLock::take(const std::string& root) {
  std::error_code bad;
  std::filesystem::create_directories(root, bad);
  const auto path = root + "/berthd.lock";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return fail(ErrorCode::kPermission, path + ": " + std::strerror(errno));
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return std::unique_ptr<RootLock>(new RootLock(fd));
  const bool taken = errno == EWOULDBLOCK;
  const std::string why = std::strerror(errno);
  static_cast<void>(::close(fd));
  if (!taken) return fail(ErrorCode::kUnknown, path + ": " + why);
  return fail(ErrorCode::kAlreadyExists, "another berthd uses the root directory " + root +
                                             "; stop it, or set rootDirectory (--root-dir)");
}

RootLock::~RootLock() {
  static_cast<void>(::close(fd_));
}

}  // namespace berth::agent
