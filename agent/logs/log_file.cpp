// SPDX-License-Identifier: Apache-2.0

#include "agent/logs/log_file.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/descriptor.hpp"
#include "base/regular_file.hpp"
#include "node/log_rotation.hpp"
#include "node/own_folder.hpp"

namespace berth::agent {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10U;
constexpr std::size_t kHead = 64;
// Per step of a search: some hundredths of a second's work.
constexpr std::size_t kPiecesAStep = 128;

std::unexpected<Error> failed(const std::string& path, int error) {
  return fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnknown,
              "log file " + path + ": " + std::strerror(error));
}

void give_up(TailSought& sought) {
  sought.given_up = true;
  sought.lines = 0;
}

// A plain file is searched from its end.
struct Backwards {
  TailSearch search;
  std::int64_t end = 0;
  std::int64_t from = 0;  // what follows has been searched
  std::int64_t line = 0;  // where the first complete line in it starts
};

// A compressed file is read twice: first its lines are counted, then those before the last ones are
// skipped.
struct Forwards {
  void count(std::string_view piece) {
    ends += std::ranges::count(piece, '\n');
    last = piece.back();
  }
  [[nodiscard]] std::int64_t there() const { return ends + (last == '\n' ? 0 : 1); }
  // Returns where the rest of the piece begins.
  std::size_t skip_lines(std::string_view piece) {
    std::size_t at = 0;
    for (; *skip > 0; --*skip) {
      const auto end = piece.find('\n', at);
      if (end == std::string_view::npos) return piece.size();
      at = end + 1;
    }
    return at;
  }

  std::int64_t ends = 0;
  char last = '\n';
  std::optional<std::int64_t> skip{};  // lines; unset while they are counted
};

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
  bool over = false;  // nothing more of it is read
  std::optional<Backwards> backwards{};
  Forwards forwards{};
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
  if (handle_->over) return "";
  if (!handle_->pending.empty()) return std::exchange(handle_->pending, {});
  if (handle_->gzip) return handle_->decompress(kPiece);
  auto piece = handle_->read_at(handle_->offset, kPiece);
  if (piece) handle_->offset += static_cast<std::int64_t>(piece->size());
  return piece;
}

Result<bool> LogFile::seek_tail(TailSought& sought) {
  return !handle_->gzip ? seek_tail_backwards(sought) : seek_tail_compressed(sought);
}

Result<bool> LogFile::seek_tail_backwards(TailSought& sought) {
  auto& seek = handle_->backwards;
  if (!seek) {
    struct stat status {};
    if (::fstat(handle_->file.get(), &status) != 0) return failed(handle_->path, errno);
    seek.emplace(Backwards{.search = TailSearch(sought.lines),
                           .end = status.st_size,
                           .from = status.st_size,
                           .line = status.st_size});
  }
  for (std::size_t i = 0; seek->from > 0 && sought.lines > 0; ++i) {
    if (sought.bytes <= 0) {
      handle_->offset = seek->line;
      give_up(sought);
      return true;
    }
    if (i == kPiecesAStep) return false;
    const auto step = std::min<std::int64_t>(seek->from, kPiece);
    seek->from -= step;
    sought.bytes -= step;
    const auto piece = handle_->read_at(seek->from, static_cast<std::size_t>(step));
    if (!piece) return fail(piece.error());
    if (const auto start = seek->search.before(*piece)) {
      handle_->offset = seek->from + static_cast<std::int64_t>(*start);
      sought.lines = 0;
      return true;
    }
    const auto line_end = piece->find('\n');
    if (line_end != std::string::npos)
      seek->line = seek->from + static_cast<std::int64_t>(line_end) + 1;
  }
  handle_->offset = sought.lines > 0 ? 0 : seek->end;
  sought.lines = seek->search.missing();
  return true;
}

Result<bool> LogFile::seek_tail_compressed(TailSought& sought) {
  Forwards& seek = handle_->forwards;
  for (std::size_t i = 0; i < kPiecesAStep; ++i) {
    if (sought.decompressed <= 0) {
      handle_->over = true;
      give_up(sought);
      return true;
    }
    const auto piece = handle_->decompress(kPiece);
    if (!piece) return fail(piece.error());
    sought.decompressed -= static_cast<std::int64_t>(piece->size());
    if (!seek.skip && !piece->empty()) {
      seek.count(*piece);
      continue;
    }
    if (!seek.skip) {
      if (gzrewind(handle_->gzip.get()) != 0) return failed(handle_->path, EIO);
      seek.skip = std::max<std::int64_t>(seek.there() - sought.lines, 0);
      if (*seek.skip > 0) continue;
    } else {
      const std::size_t at = seek.skip_lines(*piece);
      if (*seek.skip > 0 && !piece->empty()) continue;
      handle_->pending = piece->substr(at);
    }
    sought.lines = std::max<std::int64_t>(sought.lines - seek.there(), 0);
    return true;
  }
  return false;
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
