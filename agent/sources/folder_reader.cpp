// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/folder_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/descriptor.hpp"
#include "base/text.hpp"

namespace berth::agent {
namespace {

namespace fs = std::filesystem;

// As git's index does it with "racily clean" entries: a file that changed shortly before it was
// read may change again within the same tick of its file system's clock, which leaves the stamp as
// it was. So a text counts as current only if its file's times are older than its reading by more
// than any tick: 2 s with FAT, 1 s with old file systems, some ms else. A clock that was set back
// makes the times younger, never older. ctime cannot be set by anybody but the kernel.
constexpr std::chrono::seconds kTick{3};

std::unexpected<Error> cannot_be_read(int error) {
  const auto code = error == ENOENT   ? ErrorCode::kNotFound
                    : error == EACCES ? ErrorCode::kPermission
                                      : ErrorCode::kUnknown;
  return fail(code, std::string("cannot be read: ") + std::strerror(error));
}

std::int64_t nanoseconds_of(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

Result<FileStamp> stamp_of(const Descriptor& file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return cannot_be_read(errno);
  return FileStamp{.device = status.st_dev,
                   .inode = status.st_ino,
                   .size = status.st_size,
                   .modified = nanoseconds_of(status.st_mtim),
                   .changed = nanoseconds_of(status.st_ctim)};
}

// Reads one byte beyond the limit, so that decoding sees that the file is too large.
Result<std::string> text_of(const Descriptor& file) {
  std::string text;
  std::string piece(64 * 1024, '\0');
  while (text.size() <= api::kManifestBytesLimit) {
    const auto size = ::read(file.get(), piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return cannot_be_read(errno);
    if (size == 0) break;
    text.append(piece, 0, static_cast<std::size_t>(size));
  }
  return text;
}

std::string bytes_of(const std::string& name) {
  std::string bytes;
  for (const char c : name) bytes += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return bytes;
}

// One reading of the folder.
class Reader {
 public:
  Reader(const FolderQuestion& question, const FilesRead& before)
      : question_(question), before_(before) {
    reading_.content.path = question.path;
  }

  FolderReading read() {
    std::error_code bad;
    const auto status = fs::status(question_.path, bad);
    if (status.type() == fs::file_type::not_found) return std::move(reading_);
    reading_.content.exists = true;
    if (fs::is_directory(status)) {
      read_entries();
    } else if (fs::is_regular_file(status)) {
      reading_.content.single_file = true;
      read_entry(question_.path);
    } else {
      reading_.content.unreadable = bad ? bad.message() : "neither a folder nor a file";
    }
    return std::move(reading_);
  }

 private:
  // If the listing fails, nothing of it is used: no file is opened.
  void read_entries() {
    std::error_code bad;
    std::vector<fs::path> entries;
    for (fs::directory_iterator entry(question_.path, bad), end; !bad && entry != end;
         entry.increment(bad))
      entries.push_back(entry->path());
    if (bad) {
      reading_.content.unreadable = bad.message();
      reading_.files = before_;
      return;
    }
    std::ranges::sort(entries, {}, [](const fs::path& entry) { return entry.native(); });
    for (const fs::path& entry : entries) read_entry(entry);
  }

  void read_entry(const fs::path& path) {
    FolderContent& content = reading_.content;
    const std::string name = valid_text(path.filename().string());
    if (!question_.wanted(name)) {
      content.others.push_back(name);
      return;
    }
    std::error_code why;
    const auto status = fs::status(path, why);
    if (fs::is_regular_file(status)) {
      if (is_first(path, name)) content.files.push_back(read_file(path, name));
    } else if (status.type() == fs::file_type::not_found) {
      // A dangling link: counts as missing, but is worth reporting.
      if (fs::is_symlink(fs::symlink_status(path, why))) content.others.push_back(name);
    } else if (why) {
      // It may be a manifest: it is there, so its pods stay.
      if (is_first(path, name))
        content.files.push_back({.name = name, .content = cannot_be_read(why.value())});
    } else {
      content.others.push_back(name);
    }
  }

  bool is_first(const fs::path& path, const std::string& name) {
    if (names_.insert(name).second) return true;
    reading_.content.refused.push_back(
        fmt::format("two files get the name {}, because bytes that are no text are written as "
                    "text: the one named {} is not read; rename it",
                    name, bytes_of(path.filename().string())));
    return false;
  }

  FolderFile read_file(const fs::path& path, const std::string& name) {
    FolderFile file{.name = name};
    // A FIFO in the folder must not block the reader.
    const Descriptor opened(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (!opened.is_open()) {
      file.content = cannot_be_read(errno);
      return file;
    }
    auto stamp = stamp_of(opened);
    if (!stamp) {
      file.content = fail(std::move(stamp.error()));
      return file;
    }
    read_opened(opened, *stamp, path.filename().string(), file);
    return file;
  }

  void read_opened(const Descriptor& opened, const FileStamp& stamp, const std::string& raw,
                   FolderFile& file) {
    const auto size = static_cast<std::size_t>(std::max<off_t>(stamp.size, 0));
    if (std::min(size, api::kManifestBytesLimit) > room()) return leave_out(file);
    const auto before = before_.find(raw);
    const bool known = before != before_.end();
    FileRead now{.stamp = stamp};
    if (known && before->second.settled && before->second.stamp == stamp) {
      now = before->second;
    } else {
      auto text = text_of(opened);
      if (!text) {
        file.content = fail(std::move(text.error()));
        return;
      }
      // The text that is held already serves, if it is the same.
      if (known && before->second.text.str() == *text)
        now.text = before->second.text;
      else
        now.text = std::move(*text);
      const auto after = stamp_of(opened);
      now.settled = after && *after == stamp && is_settled(stamp);
    }
    // It grew, or its file system states no size.
    if (now.text.str().size() > room()) return leave_out(file);
    held_ += now.text.str().size();
    file.content = now.text;
    reading_.files.emplace(raw, std::move(now));
  }

  [[nodiscard]] bool is_settled(const FileStamp& stamp) const {
    const std::int64_t begun = (question_.begun - kTick).time_since_epoch().count();
    return std::max(stamp.modified, stamp.changed) < begun;
  }

  [[nodiscard]] std::size_t room() const {
    return question_.most_bytes - std::min(question_.most_bytes, held_);
  }

  void leave_out(FolderFile& file) const {
    file.left_out = true;
    file.content = fail(
        ErrorCode::kInvalid,
        fmt::format("is not read: with it the manifests have more than {} bytes, the most that "
                    "berthd holds of a folder",
                    question_.most_bytes));
  }

  const FolderQuestion& question_;
  const FilesRead& before_;
  FolderReading reading_{};
  std::set<std::string> names_{};
  std::size_t held_ = 0;
};

}  // namespace

FolderReading read_folder(const FolderQuestion& question, const FilesRead& before) {
  return Reader(question, before).read();
}

}  // namespace berth::agent
