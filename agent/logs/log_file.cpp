// SPDX-License-Identifier: Apache-2.0

#include "agent/logs/log_file.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "agent/logs/log_query.hpp"
#include "base/descriptor.hpp"
#include "base/regular_file.hpp"
#include "node/log_rotation.hpp"
#include "node/own_folder.hpp"

namespace berth::agent {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10U;
constexpr std::size_t kHead = 64;

std::unexpected<Error> failed(const std::string& path, int error) {
  return fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnknown,
              "log file " + path + ": " + std::strerror(error));
}

struct CloseGzip {
  void operator()(gzFile file) const { static_cast<void>(gzclose(file)); }
};

}  // namespace

struct LogFile::Handle {
  explicit Handle(std::string file_path) : path(std::move(file_path)) {}

  [[nodiscard]] Result<std::string> read_at(std::int64_t from, std::size_t bytes) const {
    std::string piece(bytes, '\0');
    const auto size = ::pread(file.get(), piece.data(), bytes, from);
    if (size < 0) return failed(path, errno);
    piece.resize(static_cast<std::size_t>(size));
    return piece;
  }

  [[nodiscard]] Result<std::string> decompress(std::size_t bytes) const {
    std::string piece(bytes, '\0');
    const int size = gzread(gzip.get(), piece.data(), static_cast<unsigned>(bytes));
    int trouble = Z_OK;
    const char* words = gzerror(gzip.get(), &trouble);
    // A truncated file yields what it has, and then an error.
    if (size < 0 || (size == 0 && trouble != Z_OK && trouble != Z_STREAM_END))
      return fail(ErrorCode::kUnknown, "log file " + path + ": " + words);
    piece.resize(static_cast<std::size_t>(size));
    return piece;
  }

  std::string path;
  Descriptor file{};
  std::unique_ptr<gzFile_s, CloseGzip> gzip{};  // over a duplicate of the descriptor; null if read
                                                // uncompressed
  std::int64_t offset = 0;
  std::string pending{};  // decompressed, but not read yet
  bool begun = false;
};

LogFile::LogFile(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
LogFile::LogFile(LogFile&&) noexcept = default;
LogFile& LogFile::operator=(LogFile&&) noexcept = default;
LogFile::~LogFile() = default;

Result<LogFile> LogFile::open(const std::string& path) {
  auto handle = std::make_unique<Handle>(node::real_path(path));
  auto opened = open_regular_file(path, O_RDONLY);
  if (!opened) return fail(wrap("log file " + handle->path, std::move(opened.error())));
  handle->file = std::move(*opened);
  if (path.ends_with(node::kCompressedLog)) {
    Descriptor twin(::fcntl(handle->file.get(), F_DUPFD_CLOEXEC, 0));
    if (!twin.is_open()) return failed(path, errno);
    handle->gzip.reset(gzdopen(twin.get(), "rb"));
    if (!handle->gzip) return failed(path, ENOMEM);
    static_cast<void>(twin.release());  // gzclose closes it
  }
  return LogFile(std::move(handle));
}

Result<std::string> LogFile::read() {
  handle_->begun = true;
  if (!handle_->pending.empty()) return std::exchange(handle_->pending, {});
  if (handle_->gzip) return handle_->decompress(kPiece);
  auto piece = handle_->read_at(handle_->offset, kPiece);
  if (piece) handle_->offset += static_cast<std::int64_t>(piece->size());
  return piece;
}

Result<std::int64_t> LogFile::seek_tail(std::int64_t lines) {
  return !handle_->gzip ? seek_tail_backwards(lines) : seek_tail_compressed(lines);
}

Result<std::int64_t> LogFile::seek_tail_backwards(std::int64_t lines) {
  struct stat status {};
  if (::fstat(handle_->file.get(), &status) != 0) return failed(handle_->path, errno);
  TailSearch search(lines);
  std::int64_t from = status.st_size;
  while (from > 0 && lines > 0) {
    const auto step = std::min<std::int64_t>(from, kPiece);
    from -= step;
    const auto piece = handle_->read_at(from, static_cast<std::size_t>(step));
    if (!piece) return fail(piece.error());
    if (const auto start = search.before(*piece)) {
      handle_->offset = from + static_cast<std::int64_t>(*start);
      return 0;
    }
  }
  handle_->offset = lines > 0 ? 0 : status.st_size;
  return search.missing();
}

// Two passes: the first one counts.
Result<std::int64_t> LogFile::seek_tail_compressed(std::int64_t lines) {
  std::int64_t ends = 0;
  char last = '\n';
  while (true) {
    const auto piece = handle_->decompress(kPiece);
    if (!piece) return fail(piece.error());
    if (piece->empty()) break;
    ends += std::ranges::count(*piece, '\n');
    last = piece->back();
  }
  const std::int64_t there = ends + (last == '\n' ? 0 : 1);
  if (gzrewind(handle_->gzip.get()) != 0) return failed(handle_->path, EIO);
  std::int64_t skip = std::max<std::int64_t>(there - lines, 0);
  while (skip > 0) {
    auto piece = handle_->decompress(kPiece);
    if (!piece) return fail(piece.error());
    std::size_t at = 0;
    for (; skip > 0 && at != std::string::npos; --skip) {
      at = piece->find('\n', at);
      if (at == std::string::npos) break;
      ++at;
    }
    if (skip == 0) handle_->pending = piece->substr(at);
    if (piece->empty()) break;
  }
  return std::max<std::int64_t>(lines - there, 0);
}

Result<std::string> LogFile::head() const {
  if (!handle_->gzip) return handle_->read_at(0, kHead);
  if (handle_->begun) return "";
  auto head = handle_->decompress(kHead);
  if (gzrewind(handle_->gzip.get()) != 0) return failed(handle_->path, EIO);
  return head;
}

bool LogFile::is(const std::string& path) const {
  struct stat mine {};
  struct stat named {};
  return ::fstat(handle_->file.get(), &mine) == 0 && ::stat(path.c_str(), &named) == 0 &&
         mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

bool LogFile::was_cut() const {
  struct stat mine {};
  return ::fstat(handle_->file.get(), &mine) == 0 && mine.st_size < handle_->offset;
}

}  // namespace berth::agent
