// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/manifest_copies.hpp"

#include <md5.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "node/file_io.hpp"
#include "node/path_segment.hpp"
#include "node/volumes/mounts.hpp"

namespace berth::agent {
namespace {

namespace fs = std::filesystem;

using Texts = std::map<std::string, std::string>;

// No manifest has this ending, so no copy of one under its own name has.
constexpr std::string_view kRenamed = ".copy";
constexpr std::string_view kHeading = "# copy of ";

std::string digest_of(const std::string& name) {
  std::array<char, MD5_DIGEST_STRING_LENGTH> digest{};
  MD5Data(reinterpret_cast<const std::uint8_t*>(name.data()), name.size(), digest.data());
  return digest.data();
}

// A name may contain a line feed.
std::string heading_of(const std::string& name) {
  std::string line(kHeading);
  for (const char c : name) {
    if (c == '\n')
      line += "\\n";
    else if (c == '\\')
      line += "\\\\";
    else
      line += c;
  }
  return line + "\n";
}

std::string named_in(std::string_view heading) {
  std::string name;
  bool escaped = false;
  for (const char c : heading.substr(kHeading.size())) {
    if (escaped)
      name += c == 'n' ? '\n' : c;
    else if (c != '\\')
      name += c;
    escaped = !escaped && c == '\\';
  }
  return name;
}

// Adds one copy; one that states its manifest's name replaces an earlier berthd's.
void add_copy(const std::string& copy, std::string text, Texts& renamed, Texts& plain) {
  const auto end = text.find('\n');
  if (copy.ends_with(kRenamed) && text.starts_with(kHeading) && end != std::string::npos) {
    std::string name = named_in(std::string_view(text).substr(0, end));
    renamed.insert_or_assign(std::move(name), text.substr(end + 1));
  } else {
    plain.emplace(valid_text(copy), std::move(text));
  }
}

Texts copies_in(const std::string& folder) {
  Texts renamed;
  Texts plain;
  std::error_code bad;
  for (fs::directory_iterator entry(folder, bad), end; !bad && entry != end; entry.increment(bad)) {
    std::error_code unknown;
    if (!entry->is_regular_file(unknown)) continue;
    auto text = node::read_file(entry->path().string());
    add_copy(entry->path().filename().string(), text ? std::move(*text) : std::string(), renamed,
             plain);
  }
  renamed.merge(plain);
  return renamed;
}

// The manifest's name is also the one that an earlier berthd gave its copy. Too long a name, or one
// that leads elsewhere, is none.
void remove_named(const std::string& folder, const std::string& file) {
  if (file.empty() || file == "." || file == ".." || file.find('/') != std::string::npos) return;
  std::error_code ignored;
  fs::remove(fs::path(folder) / file, ignored);
}

Result<node::Nothing> write_copy(const std::string& folder, const std::string& file,
                                 const std::string& text) {
  const std::string copy = copy_name(file);
  const bool plain = copy == file;
  auto written =
      node::replace_file(folder + "/" + copy, plain ? text : heading_of(file) + text, 0600);
  if (written && !plain) remove_named(folder, file);
  return written;
}

Result<bool> make_folder(const std::string& folder) {
  std::error_code bad;
  fs::create_directories(folder, bad);
  if (bad) return fail(ErrorCode::kUnknown, "creating " + folder + ": " + bad.message());
  return true;
}

// A tmpfs is mounted on the folder.
Result<bool> make_folder_in_memory(const std::string& folder) {
  if (auto made = make_folder(folder); !made) return made;
  if (!node::is_mount_point(folder)) {
    auto mounted = node::mount_tmpfs(folder, {.private_to_root = true});
    if (!mounted) return fail(mounted.error());
  }
  if (!node::is_on_tmpfs(folder))
    return fail(ErrorCode::kInvalid, folder + " is mounted, and not a tmpfs: unmount it");
  return true;
}

Result<bool> remove_folder_in_memory(const std::string& folder) {
  if (auto gone = node::unmount(folder); !gone) return fail(gone.error());
  std::error_code ignored;
  fs::remove(folder, ignored);
  return true;
}

// Makes the files of one folder be `wanted`; `there` are the files that it has.
class CopiesOfFolder {
 public:
  CopiesOfFolder(std::string folder, Texts& there, std::vector<CopyFailure>& failures)
      : folder_(std::move(folder)), there_(there), failures_(failures) {}

  void fail_all(const Error& error) {
    failures_.push_back({.folder = folder_, .why = error.message});
  }

  void write(const Texts& wanted) {
    std::error_code ignored;
    fs::permissions(folder_, fs::perms::owner_all, ignored);
    for (const auto& [file, text] : wanted) {
      const auto before = there_.find(file);
      if (before != there_.end() && before->second == text) continue;
      const auto written = write_copy(folder_, file, text);
      if (written) {
        there_.insert_or_assign(file, text);
      } else {
        failures_.push_back({.folder = folder_,
                             .file = file,
                             .text = std::hash<std::string>{}(text),
                             .why = written.error().message});
      }
    }
    std::erase_if(there_, [&](const auto& copy) {
      if (wanted.contains(copy.first)) return false;
      remove_named(folder_, copy_name(copy.first));
      remove_named(folder_, copy.first);
      return true;
    });
  }

 private:
  std::string folder_;
  Texts& there_;
  std::vector<CopyFailure>& failures_;
};

void write_in_memory(const std::string& folder, const Texts& wanted, Copies& copies) {
  Texts& there = copies.there.in_memory;
  if (there == wanted) return;
  CopiesOfFolder in_memory(folder, there, copies.failures);
  const auto ready =
      wanted.empty() ? remove_folder_in_memory(folder) : make_folder_in_memory(folder);
  if (!ready)
    in_memory.fail_all(ready.error());
  else if (wanted.empty())
    there.clear();
  else
    in_memory.write(wanted);
}

void write_on_disk(const std::string& folder, const Texts& wanted, Copies& copies) {
  if (copies.there.on_disk == wanted) return;
  CopiesOfFolder on_disk(folder, copies.there.on_disk, copies.failures);
  const auto ready = make_folder(folder);
  if (ready)
    on_disk.write(wanted);
  else
    on_disk.fail_all(ready.error());
}

}  // namespace

Copies read_copies(const CopyFolders& folders) {
  return {
      .there = {.on_disk = copies_in(folders.on_disk), .in_memory = copies_in(folders.in_memory)}};
}

Copies write_copies(const CopyFolders& folders, LastGoodTexts there, const LastGoodTexts& wanted) {
  Copies copies{.there = std::move(there)};
  write_in_memory(folders.in_memory, wanted.in_memory, copies);
  write_on_disk(folders.on_disk, wanted.on_disk, copies);
  return copies;
}

std::vector<CopyFailure> new_failures(const Copies& before, const Copies& now) {
  std::vector<CopyFailure> fresh;
  std::ranges::copy_if(now.failures, std::back_inserter(fresh), [&](const CopyFailure& failure) {
    return std::ranges::find(before.failures, failure) == before.failures.end();
  });
  return fresh;
}

std::string copy_name(const std::string& file) {
  const bool ours = file.ends_with(kRenamed);
  if (!ours && node::is_path_segment(file)) return file;
  return node::PathSegment(file, "." + digest_of(file) + std::string(kRenamed)).str();
}

}  // namespace berth::agent
