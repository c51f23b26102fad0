#include "agent/log_stream.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "agent/log_query.hpp"

namespace berth::agent {
namespace {

constexpr std::size_t kPiece = 64 * 1024;

std::unexpected<Error> failed(const std::string& path) {
  const int error = errno;
  return fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnknown,
              "log file " + path + ": " + std::strerror(error));
}

}  // namespace

struct LogStream::File {
  explicit File(std::string file_path) : path(std::move(file_path)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close_file(); }

  void close_file() {
    if (fd >= 0) static_cast<void>(::close(fd));
    fd = -1;
  }

  Result<std::int64_t> open_file() {
    close_file();
    fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    offset = 0;
    struct stat status {};
    if (fd < 0 || fstat(fd, &status) != 0) return failed(path);
    return status.st_size;
  }

  Result<std::string> read_at(std::int64_t from, std::size_t bytes) const {
    std::string piece(bytes, '\0');
    const auto size = ::pread(fd, piece.data(), bytes, from);
    if (size < 0) return failed(path);
    piece.resize(static_cast<std::size_t>(size));
    return piece;
  }

  // Backwards from the end, a piece more at a time, until enough lines are in view.
  Result<bool> seek_tail(std::int64_t size, std::int64_t lines) {
    std::string view;
    auto from = size;
    while (true) {
      if (const auto start = tail_start(view, lines)) {
        offset = from + static_cast<std::int64_t>(*start);
        return true;
      }
      if (from == 0) return true;
      const auto step = std::min<std::int64_t>(from, kPiece);
      from -= step;
      auto piece = read_at(from, static_cast<std::size_t>(step));
      if (!piece) return fail(piece.error());
      view.insert(0, *piece);
      offset = 0;
    }
  }

  // Whether another file has the name now.
  [[nodiscard]] bool rotated() const {
    struct stat mine {};
    struct stat named {};
    if (fstat(fd, &mine) != 0 || stat(path.c_str(), &named) != 0) return false;
    return mine.st_ino != named.st_ino || mine.st_dev != named.st_dev || named.st_size < offset;
  }

  Result<std::string> next_piece() {
    for (bool again = true;; again = false) {
      auto piece = read_at(offset, kPiece);
      if (!piece) return piece;
      offset += static_cast<std::int64_t>(piece->size());
      if (!piece->empty() || !again || !rotated()) return piece;
      // What was written to the old file between the reading and the renaming.
      piece = read_at(offset, kPiece);
      if (!piece || !piece->empty()) {
        if (piece) offset += static_cast<std::int64_t>(piece->size());
        return piece;
      }
      const auto opened = open_file();
      if (!opened) return fail(opened.error());
    }
  }

  std::string path;
  int fd = -1;
  std::int64_t offset = 0;
};

LogStream::LogStream(BlockingPool& pool, std::shared_ptr<File> file)
    : pool_(pool), file_(std::move(file)) {}
LogStream::~LogStream() = default;

boost::asio::awaitable<Result<std::unique_ptr<LogStream>>> LogStream::open(
    BlockingPool& pool, std::string path, std::optional<std::int64_t> tail_lines) {
  auto file = std::make_shared<File>(std::move(path));
  std::function<Result<bool>()> work = [file, tail_lines]() -> Result<bool> {
    const auto size = file->open_file();
    if (!size) return fail(size.error());
    if (!tail_lines) return true;
    return file->seek_tail(*size, *tail_lines);
  };
  const auto opened = co_await pool.run(std::move(work));
  if (!opened) co_return fail(opened.error());
  co_return std::unique_ptr<LogStream>(new LogStream(pool, std::move(file)));
}

boost::asio::awaitable<Result<std::string>> LogStream::read() {
  std::function<Result<std::string>()> work = [file = file_] { return file->next_piece(); };
  auto piece = co_await pool_.run(std::move(work));
  co_return piece;
}

}  // namespace berth::agent
