// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/folder_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "base/descriptor.hpp"
#include "base/text.hpp"
#include "node/file_io.hpp"
#include "node/volumes/mounts.hpp"

namespace berth::agent {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> cannot_be_read(int error) {
  const auto code = error == ENOENT   ? ErrorCode::kNotFound
                    : error == EACCES ? ErrorCode::kPermission
                                      : ErrorCode::kUnknown;
  return fail(code, std::string("cannot be read: ") + std::strerror(error));
}

// Reads one byte beyond the limit, so that decoding sees that the file is too large.
Result<std::string> read_file(const std::string& path) {
  // A FIFO in the folder must not block the reader.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) return cannot_be_read(errno);
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

void read_entries(const std::string& path, FolderContent& content) {
  std::error_code bad;
  for (fs::directory_iterator entry(path, bad), end; !bad && entry != end; entry.increment(bad)) {
    const auto name = valid_text(entry->path().filename().string());
    std::error_code why;
    const auto status = fs::status(entry->path(), why);
    if (fs::is_regular_file(status)) {
      content.files.push_back({.name = name, .content = read_file(entry->path().string())});
    } else if (status.type() == fs::file_type::not_found) {
      // A dangling link: counts as missing, but is worth reporting.
      if (fs::is_symlink(fs::symlink_status(entry->path(), why))) content.others.push_back(name);
    } else if (why) {
      // It may be a manifest: it is there, so its pods stay.
      content.files.push_back({.name = name, .content = cannot_be_read(why.value())});
    } else {
      content.others.push_back(name);
    }
  }
  if (bad) content.unreadable = bad.message();
}

}  // namespace

FolderContent read_folder(const std::string& path) {
  FolderContent content{.path = path};
  std::error_code bad;
  const auto status = fs::status(path, bad);
  if (status.type() == fs::file_type::not_found) return content;
  content.exists = true;
  if (fs::is_directory(status)) {
    read_entries(path, content);
  } else if (fs::is_regular_file(status)) {
    content.single_file = true;
    content.files.push_back(
        {.name = valid_text(fs::path(path).filename().string()), .content = read_file(path)});
  } else {
    content.unreadable = bad ? bad.message() : "neither a folder nor a file";
  }
  return content;
}

TextHashes decode_changed(FolderContent& content, const api::ManifestOptions& options,
                          const TextHashes& known, lifecycle::InHand* in_hand) {
  TextHashes hashes;
  for (FolderFile& file : content.files) {
    if (!file.content || !api::is_manifest_name(file.name, options.rules)) continue;
    if (file.being_written && options.rules == api::ManifestRules::kBerth) continue;
    const std::size_t hash = std::hash<std::string>{}(*file.content);
    hashes.emplace(file.name, hash);
    const auto before = known.find(file.name);
    if (before != known.end() && before->second == hash) continue;
    const std::string handled_as = fmt::format("{:016x} {}", hash, file.name);
    if (in_hand != nullptr && in_hand->deadly(handled_as)) {
      file.decoded = std::unexpected(std::vector{api::ManifestProblem{
          .file = file.name,
          .problem = {.message = "berthd has died twice in a row while it read this file, and does "
                                 "not try a third time: edit it, or restart berthd to try "
                                 "again"}}});
      continue;
    }
    const lifecycle::Handling handling(in_hand, handled_as);
    file.decoded = decode_file(file.name, *file.content, options);
  }
  return hashes;
}

CopiesChange copies_change(const std::map<std::string, std::string>& there,
                           const std::map<std::string, std::string>& wanted) {
  CopiesChange change;
  for (const auto& [name, text] : wanted) {
    const auto before = there.find(name);
    if (before == there.end() || before->second != text) change.write.emplace(name, text);
  }
  for (const auto& [name, text] : there) {
    if (!wanted.contains(name)) change.remove.push_back(name);
  }
  return change;
}

Result<bool> write_copies(const std::string& folder, const CopiesChange& change) {
  std::error_code bad;
  fs::create_directories(folder, bad);
  if (bad) return fail(ErrorCode::kUnknown, "creating " + folder + ": " + bad.message());
  fs::permissions(folder, fs::perms::owner_all, bad);
  // One file that cannot be written does not keep the others from being written.
  Result<bool> done = true;
  for (const auto& [name, text] : change.write) {
    auto written = node::replace_file(folder + "/" + name, text, 0600);
    if (!written) done = fail(std::move(written.error()));
  }
  for (const auto& name : change.remove) {
    std::error_code ignored;
    fs::remove(fs::path(folder) / name, ignored);
  }
  return done;
}

Result<bool> write_copies_in_memory(const std::string& folder, const CopiesChange& change,
                                    bool any) {
  std::error_code bad;
  if (!any) {
    if (auto gone = node::unmount(folder); !gone) return fail(gone.error());
    fs::remove(folder, bad);
    return true;
  }
  fs::create_directories(folder, bad);
  if (bad) return fail(ErrorCode::kUnknown, "creating " + folder + ": " + bad.message());
  if (!node::is_mount_point(folder)) {
    auto mounted = node::mount_tmpfs(folder, {.private_to_root = true});
    if (!mounted) return fail(mounted.error());
  }
  if (!node::is_on_tmpfs(folder))
    return fail(ErrorCode::kInvalid, folder + " is mounted, and not a tmpfs: unmount it");
  return write_copies(folder, change);
}

}  // namespace berth::agent
