// SPDX-License-Identifier: Apache-2.0

#include "node/file_io.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/descriptor.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"
#include "node/own_folder.hpp"

namespace berth::node {
namespace {

namespace fs = std::filesystem;

ErrorCode code_of(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return ErrorCode::kNotFound;
    case EEXIST:
      return ErrorCode::kAlreadyExists;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::kPermission;
    default:
      return ErrorCode::kUnknown;
  }
}

Result<std::string> read_from(const Descriptor& file, const std::string& path) {
  std::string text;
  char buffer[16384];
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_failure("reading", path, errno);
    if (count == 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

Result<Nothing> write_to(const Descriptor& file, const std::string& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file.get(), text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_failure("writing", path, errno);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return Nothing{};
}

// Returns 0, or errno.
int make_directory(const std::string& path, mode_t mode) {
  return ::mkdir(path.c_str(), mode) == 0 ? 0 : errno;
}

}  // namespace

std::unexpected<Error> system_failure(std::string_view what, const std::string& path,
                                      int error_number) {
  return fail(code_of(error_number), fmt::format("{} {}: {}", what, valid_text(real_path(path)),
                                                 std::generic_category().message(error_number)));
}

Result<std::string> read_file(const std::string& path) {
  // A FIFO without a writer reads as empty, and does not block.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return system_failure("opening", path, errno);
  return read_from(file, path);
}

Result<std::string> read_file_tail(const std::string& path, std::size_t bytes) {
  const auto opened = open_regular_file(path, O_RDONLY);
  if (!opened) return fail(wrap("reading " + path, opened.error()));
  const Descriptor& file = *opened;
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return system_failure("reading", path, errno);
  const auto wanted = static_cast<off_t>(bytes);
  if (status.st_size > wanted && ::lseek(file.get(), status.st_size - wanted, SEEK_SET) < 0) {
    return system_failure("reading", path, errno);
  }
  auto text = read_from(file, path);
  if (text && text->size() > bytes) text->erase(0, text->size() - bytes);
  return text;
}

Result<Nothing> write_existing(const std::string& path, std::string_view text) {
  // As in write_file: a FIFO without a reader is refused.
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return system_failure("opening", path, errno);
  return write_to(file, path, text);
}

Result<Nothing> write_file(const std::string& path, std::string_view text, mode_t mode) {
  // A FIFO without a reader is refused, and does not block.
  const Descriptor file(::open(
      path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode));
  if (!file.is_open()) return system_failure("creating", path, errno);
  if (::fchmod(file.get(), mode) != 0) return system_failure("changing the mode of", path, errno);
  return write_to(file, path, text);
}

Result<Nothing> replace_file(const std::string& path, std::string_view text, mode_t mode) {
  // Not derived from the file's own name, which may already have the maximum length.
  const std::string fresh = (fs::path(path).parent_path() / ".new").string();
  static_cast<void>(::unlink(fresh.c_str()));
  auto written = write_file(fresh, text, mode);
  if (written && ::rename(fresh.c_str(), path.c_str()) != 0)
    written = system_failure("replacing", path, errno);
  if (!written) static_cast<void>(::unlink(fresh.c_str()));
  return written;
}

Result<Nothing> make_directories(const std::string& path, mode_t mode) {
  // Mostly only the last directory is missing.
  int failed = make_directory(path, mode);
  if (failed == ENOENT) {
    std::error_code failure;
    const auto parent = fs::path(path).parent_path();
    if (!parent.empty()) fs::create_directories(parent, failure);
    if (failure) return system_failure("creating", parent.string(), failure.value());
    failed = make_directory(path, mode);
  }
  if (failed == EEXIST && is_directory(path)) return Nothing{};
  if (failed != 0) return system_failure("creating", path, failed);
  if (::chmod(path.c_str(), mode) != 0) return system_failure("changing the mode of", path, errno);
  return Nothing{};
}

Result<std::vector<std::string>> list_directory(const std::string& path) {
  std::vector<std::string> names;
  std::error_code failure;
  fs::directory_iterator entry(path, failure);
  if (failure == std::errc::no_such_file_or_directory) return names;
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
    names.push_back(entry->path().filename().string());
  }
  if (failure) return system_failure("listing", path, failure.value());
  std::sort(names.begin(), names.end());
  return names;
}

Result<Nothing> remove_tree(const std::string& path) {
  std::error_code failure;
  fs::remove_all(path, failure);
  if (failure) return system_failure("removing", path, failure.value());
  return Nothing{};
}

Result<Nothing> remove_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT && errno != ENOTDIR) {
    return system_failure("removing", path, errno);
  }
  return Nothing{};
}

bool is_directory(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool path_exists(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

}  // namespace berth::node
