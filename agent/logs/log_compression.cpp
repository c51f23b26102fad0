// SPDX-License-Identifier: Apache-2.0

#include "agent/logs/log_compression.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <vector>

#include "agent/logs/log_files.hpp"
#include "base/regular_file.hpp"
#include "node/log_rotation.hpp"
#include "node/own_folder.hpp"

namespace berth::agent {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10U;
// Per `go_on`: about a quarter of a second's work.
constexpr std::size_t kPieces = 128;

std::string unfinished(const std::string& path) {
  return path + std::string(node::kUnfinishedLog);
}

}  // namespace

void LogCompression::CloseGzip::operator()(gzFile_s* file) const {
  static_cast<void>(gzclose(file));
}

Result<LogCompression> LogCompression::begin(const std::string& path) {
  auto source = open_regular_file(path, O_RDONLY);
  if (!source) return fail(wrap("opening " + node::real_path(path), source.error()));
  struct stat status {};
  if (fstat(source->get(), &status) != 0)
    return file_failure("looking at " + node::real_path(path), errno);
  LogCompression compression(path, std::move(*source));
  const auto created = compression.create(status.st_mode & 0777U);
  if (!created) return fail(created.error());
  return compression;
}

LogCompression::~LogCompression() {
  if (target_) static_cast<void>(::unlink(unfinished(path_).c_str()));
}

Result<bool> LogCompression::create(mode_t mode) {
  const std::string path = unfinished(path_);
  // Opening a FIFO in its place would wait for a reader.
  Descriptor file(::open(path.c_str(),
                         O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode));
  if (!file.is_open()) return file_failure("creating " + node::real_path(path), errno);
  static_cast<void>(::fchmod(file.get(), mode));
  target_.reset(gzdopen(file.get(), "wb"));
  if (!target_) return file_failure("compressing " + node::real_path(path_), ENOMEM);
  static_cast<void>(file.release());  // gzclose closes it
  return true;
}

Result<bool> LogCompression::go_on() {
  std::vector<char> piece(kPiece);
  for (std::size_t i = 0; i < kPieces; ++i) {
    const ssize_t size = ::read(source_.get(), piece.data(), piece.size());
    if (size < 0) return file_failure("reading " + node::real_path(path_), errno);
    if (size == 0) return finish();
    if (gzwrite(target_.get(), piece.data(), static_cast<unsigned>(size)) != size)
      return file_failure("writing " + node::real_path(unfinished(path_)), errno);
  }
  return false;
}

Result<bool> LogCompression::finish() {
  const std::string written = unfinished(path_);
  const bool closed = gzclose(target_.release()) == Z_OK;
  if (!closed) {
    const int error = errno;
    static_cast<void>(::unlink(written.c_str()));
    return file_failure("writing " + node::real_path(written), error);
  }
  const auto renamed = rename_file(written, path_ + std::string(node::kCompressedLog));
  if (!renamed) {
    static_cast<void>(::unlink(written.c_str()));
    return renamed;
  }
  if (::unlink(path_.c_str()) != 0)
    return file_failure("removing " + node::real_path(path_), errno);
  return true;
}

}  // namespace berth::agent
