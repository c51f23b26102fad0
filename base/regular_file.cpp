// SPDX-License-Identifier: Apache-2.0

#include "base/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace berth {
namespace {

constexpr const char* kNoFile = "it is not a regular file";

std::unexpected<Error> failed(int error) {
  if (error == ELOOP || error == ENXIO || error == EISDIR)
    return fail(ErrorCode::kInvalid, kNoFile);
  const auto code = error == ENOENT || error == ENOTDIR ? ErrorCode::kNotFound
                    : error == EACCES || error == EPERM ? ErrorCode::kPermission
                                                        : ErrorCode::kUnknown;
  return fail(code, std::generic_category().message(error));
}

}  // namespace

Result<Descriptor> open_regular_file(const std::string& path, int flags) {
  Descriptor file(::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY));
  if (!file.is_open()) return failed(errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return failed(errno);
  if (!S_ISREG(status.st_mode)) return fail(ErrorCode::kInvalid, kNoFile);
  return file;
}

}  // namespace berth
