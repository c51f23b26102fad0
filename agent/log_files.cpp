#include "agent/log_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>

#include "base/descriptor.hpp"
#include "base/regular_file.hpp"
#include "node/own_folder.hpp"

namespace berth::agent {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10U;

std::unexpected<Error> failed(const std::string& doing, int error) {
  return fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnknown,
              doing + ": " + std::strerror(error));
}

struct CloseGzip {
  void operator()(gzFile file) const { static_cast<void>(gzclose(file)); }
};
using Gzip = std::unique_ptr<gzFile_s, CloseGzip>;

Result<bool> write_compressed(int from, const std::string& path, mode_t mode) {
  // A pipe in its place would hold whoever opens it.
  Descriptor to(::open(path.c_str(),
                       O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode));
  if (!to.is_open()) return failed("creating " + node::real_path(path), errno);
  static_cast<void>(::fchmod(to.get(), mode));
  Gzip gzip(gzdopen(to.get(), "wb"));
  if (!gzip) return failed("compressing " + node::real_path(path), ENOMEM);
  static_cast<void>(to.release());  // gzclose closes it
  std::vector<char> piece(kPiece);
  for (;;) {
    const ssize_t size = ::read(from, piece.data(), piece.size());
    if (size < 0) return failed("reading the log that becomes " + node::real_path(path), errno);
    if (size == 0) break;
    if (gzwrite(gzip.get(), piece.data(), static_cast<unsigned>(size)) != size)
      return failed("writing " + node::real_path(path), errno);
  }
  if (gzclose(gzip.release()) != Z_OK) return failed("writing " + node::real_path(path), errno);
  return true;
}

}  // namespace

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
    return failed("renaming " + node::real_path(from), errno);
  return true;
}

Result<bool> rename_back(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  return failed("renaming " + node::real_path(from), errno);
}

Result<bool> compress_file(const std::string& path) {
  const auto opened = open_regular_file(path, O_RDONLY);
  if (!opened) return fail(wrap("opening " + node::real_path(path), opened.error()));
  const Descriptor& source = *opened;
  struct stat status {};
  if (fstat(source.get(), &status) != 0)
    return failed("looking at " + node::real_path(path), errno);
  const std::string unfinished = path + std::string(node::kUnfinishedLog);
  auto written = write_compressed(source.get(), unfinished, status.st_mode & 0777U);
  if (written) written = rename_file(unfinished, path + std::string(node::kCompressedLog));
  if (!written) {
    static_cast<void>(::unlink(unfinished.c_str()));
    return written;
  }
  if (::unlink(path.c_str()) != 0) return failed("removing " + node::real_path(path), errno);
  return true;
}

Result<std::string> make_way(const std::string& folder, const std::string& file,
                             const node::LogRotationPolicy& policy, const std::string& stamp) {
  std::vector<std::string> files;
  std::error_code trouble;
  for (std::filesystem::directory_iterator entry(folder, trouble), end; !trouble && entry != end;
       entry.increment(trouble))
    files.push_back(entry->path().filename().string());
  if (trouble) return failed("listing " + node::real_path(folder), trouble.value());
  const auto rotation = node::rotate_log(file, files, policy, stamp);
  for (const std::string& name : rotation.remove) {
    const std::string path = folder + "/" + name;
    if (::unlink(path.c_str()) != 0 && errno != ENOENT)
      return failed("removing " + node::real_path(path), errno);
  }
  for (const std::string& name : rotation.compress) {
    const auto compressed = compress_file(folder + "/" + name);
    if (!compressed) return fail(compressed.error());
  }
  const auto renamed = rename_file(folder + "/" + file, folder + "/" + rotation.rename_to);
  if (!renamed) return fail(renamed.error());
  return rotation.rename_to;
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
