// SPDX-License-Identifier: Apache-2.0

#include "agent/logs/log_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "node/own_folder.hpp"

namespace berth::agent {
std::unexpected<Error> file_failure(const std::string& doing, int error) {
  return fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnknown,
              doing + ": " + std::strerror(error));
}

std::vector<std::optional<std::int64_t>> file_sizes(const std::vector<std::string>& paths) {
  std::vector<std::optional<std::int64_t>> sizes;
  sizes.reserve(paths.size());
  for (const std::string& path : paths) {
    struct stat status {};
    sizes.push_back(stat(path.c_str(), &status) == 0 ? std::optional(status.st_size)
                                                     : std::nullopt);
  }
  return sizes;
}

Result<bool> rename_file(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0)
    return file_failure("renaming " + node::real_path(from), errno);
  return true;
}

Result<bool> rename_back(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  return file_failure("renaming " + node::real_path(from), errno);
}

std::string local_stamp(std::int64_t unix_seconds) {
  const std::time_t time = unix_seconds;
  std::tm local{};
  localtime_r(&time, &local);
  std::array<char, 32> text{};
  const auto size = std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", &local);
  return {text.data(), size};
}

}  // namespace berth::agent
