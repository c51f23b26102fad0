// SPDX-License-Identifier: Apache-2.0

#include "node/volumes/atomic_writer.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <random>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/algorithm/string/erase.hpp>

#include "node/file_io.hpp"
#include "node/own_folder.hpp"
#include "node/volumes/volume_ownership.hpp"

namespace berth::node {
namespace {

namespace fs = std::filesystem;

constexpr const char* kData = "..data";
constexpr const char* kNewData = "..data_tmp";
constexpr mode_t kDirectoryMode = 0755;

// The target of a link; empty if it is not a link.
std::string link_target(const std::string& path) {
  std::error_code not_a_link;
  const auto target = fs::read_symlink(path, not_a_link);
  return not_a_link ? std::string() : target.string();
}

std::string first_part(const std::string& path) {
  return path.substr(0, path.find('/'));
}

std::set<std::string> shown_names(const Payload& payload) {
  std::set<std::string> names;
  for (const auto& [path, file] : payload) names.insert(first_part(path));
  return names;
}

// "." for the folder itself.
std::string folder_within(const std::string& path) {
  return path.contains('/') ? folder_of(path) : ".";
}

// Whether the folder holds exactly these files with these bytes.
bool holds(const OwnFolder& data, const Payload& payload) {
  for (const auto& [path, file] : payload) {
    const auto folder = data.open_below(folder_within(path));
    if (!folder) return false;
    // One byte more than expected shows that a file is longer. Somebody may have replaced it: a
    // link or a device is not read.
    const auto text = read_file_tail(folder->at(name_of(path)), file.data.size() + 1);
    if (!text || *text != file.data) return false;
  }
  const std::string top = data.path();
  std::error_code failure;
  fs::recursive_directory_iterator entry(top, failure);
  for (; !failure && entry != fs::recursive_directory_iterator(); entry.increment(failure)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) continue;
    if (!payload.contains(entry->path().lexically_relative(top).string())) return false;
  }
  return !failure;
}

// Each attempt writes to a directory of its own. Without its name, attempts that fail alike have
// equal errors: one event, and one record.
Error without(Error error, const std::string& name) {
  boost::erase_all(error.message, name);
  return error;
}

// Held from its making on: its name may lead elsewhere soon after.
struct DataFolder {
  std::string name{};
  OwnFolder folder;
};

Result<DataFolder> hold_new(const OwnFolder& volume, std::string name) {
  auto folder = volume.open_below(name);
  if (!folder) return fail(without(folder.error(), "/" + name));
  // Independent of the umask.
  if (::chmod(folder->path().c_str(), kDirectoryMode) != 0)
    return system_failure("changing the mode of a directory in", volume.path(), errno);
  return DataFolder{.name = std::move(name), .folder = std::move(*folder)};
}

// "..2026_01_31_12_00_00.123456789"
Result<DataFolder> make_data_directory(const OwnFolder& volume, WallTime now) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(now));
  std::tm utc{};
  char text[32];
  if (::gmtime_r(&seconds, &utc) == nullptr ||
      std::strftime(text, sizeof(text), "..%Y_%m_%d_%H_%M_%S.", &utc) == 0) {
    return fail(ErrorCode::kInvalid, "the clock shows no date");
  }
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string name = fmt::format("{}{}", text, static_cast<std::uint32_t>(random()));
    if (::mkdirat(volume.descriptor().get(), name.c_str(), kDirectoryMode) == 0)
      return hold_new(volume, std::move(name));
    if (errno != EEXIST) return system_failure("creating a directory in", volume.path(), errno);
  }
  return system_failure("creating a directory in", volume.path(), EEXIST);
}

Result<Nothing> switch_to(const OwnFolder& volume, const std::string& name) {
  const std::string fresh = volume.at(kNewData);
  const std::string data = volume.at(kData);
  if (auto removed = remove_file(fresh); !removed) return removed;
  if (::symlink(name.c_str(), fresh.c_str()) != 0) return system_failure("linking", fresh, errno);
  if (::rename(fresh.c_str(), data.c_str()) != 0) return system_failure("renaming", fresh, errno);
  return Nothing{};
}

// Creates a link for every name; removes stale links, and everything that no link refers to.
Result<Nothing> tidy_up(const OwnFolder& volume, const std::string& current,
                        const std::set<std::string>& names) {
  for (const auto& name : names) {
    const std::string link = volume.at(name);
    const std::string target = std::string(kData) + "/" + name;
    if (::symlink(target.c_str(), link.c_str()) != 0 && errno != EEXIST) {
      return system_failure("linking", link, errno);
    }
  }
  const auto entries = list_directory(volume.path());
  if (!entries) return fail(entries.error());
  for (const auto& entry : *entries) {
    if (entry == kData || entry == current) continue;
    const std::string path = volume.at(entry);
    const bool stale_link =
        !names.contains(entry) && link_target(path) == std::string(kData) + "/" + entry;
    if (!stale_link && !entry.starts_with("..")) continue;
    if (auto removed = remove_tree(path); !removed) return removed;
  }
  return Nothing{};
}

}  // namespace

Result<Nothing> write_files(const OwnFolder& folder, const Payload& payload) {
  for (const auto& [path, file] : payload) {
    const auto within = folder.make_below(folder_within(path), kDirectoryMode);
    if (!within) return fail(within.error());
    auto written = write_file(within->at(name_of(path)), file.data, static_cast<mode_t>(file.mode));
    if (!written) return written;
  }
  return Nothing{};
}

Result<bool> write_payload(const std::string& directory, const Payload& payload,
                           const std::optional<std::int64_t>& group, WallTime now) {
  const auto volume = OwnFolder::open(directory, directory);
  if (!volume) return fail(volume.error());
  const auto names = shown_names(payload);
  const std::string current = link_target(volume->at(kData));
  if (current.starts_with("..") && !current.contains('/')) {
    const auto data = volume->open_below(current);
    if (data && holds(*data, payload)) {
      if (auto tidied = tidy_up(*volume, current, names); !tidied) return fail(tidied.error());
      return false;
    }
  }
  const auto made = make_data_directory(*volume, now);
  if (!made) return fail(made.error());
  auto done = write_files(made->folder, payload);
  // Includes the whole volume: the first time, its own directory is given to the group, too.
  if (done && group) done = give_to_group(*volume, *group, true);
  if (done) done = switch_to(*volume, made->name);
  if (done) done = tidy_up(*volume, made->name, names);
  if (!done) return fail(without(done.error(), "/" + made->name));
  return true;
}

}  // namespace berth::node
