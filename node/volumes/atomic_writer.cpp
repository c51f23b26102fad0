// SPDX-License-Identifier: Apache-2.0

#include "node/volumes/atomic_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <random>
#include <set>
#include <system_error>

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

// Whether the directory holds exactly these files with these bytes.
bool holds(const std::string& directory, const Payload& payload) {
  for (const auto& [path, file] : payload) {
    // One byte more than expected shows that a file is longer. Somebody may have replaced it: a
    // link or a device is not read.
    const auto text = read_file_tail(directory + "/" + path, file.data.size() + 1);
    if (!text || *text != file.data) return false;
  }
  std::error_code failure;
  fs::recursive_directory_iterator entry(directory, failure);
  for (; !failure && entry != fs::recursive_directory_iterator(); entry.increment(failure)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) continue;
    if (!payload.contains(entry->path().lexically_relative(directory).string())) return false;
  }
  return !failure;
}

// "..2026_01_31_12_00_00.123456789"
Result<std::string> make_data_directory(const std::string& directory, WallTime now) {
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
    const std::string path = directory + "/" + name;
    if (::mkdir(path.c_str(), kDirectoryMode) == 0) {
      if (::chmod(path.c_str(), kDirectoryMode) == 0) return name;
      return system_failure("changing the mode of a directory in", directory, errno);
    }
    if (errno != EEXIST) return system_failure("creating a directory in", directory, errno);
  }
  return system_failure("creating a directory in", directory, EEXIST);
}

// Each attempt writes to a directory of its own. Without its name, attempts that fail alike have
// equal errors: one event, and one record.
Error without(Error error, const std::string& name) {
  boost::erase_all(error.message, name);
  return error;
}

Result<Nothing> write_files(const std::string& directory, const Payload& payload) {
  for (const auto& [path, file] : payload) {
    const std::string target = directory + "/" + path;
    const auto folder = OwnFolder::make(directory, folder_of(target), kDirectoryMode);
    if (!folder) return fail(folder.error());
    auto written =
        write_file(folder->at(name_of(target)), file.data, static_cast<mode_t>(file.mode));
    if (!written) return written;
  }
  return Nothing{};
}

Result<Nothing> switch_to(const std::string& directory, const std::string& name) {
  const std::string fresh = directory + "/" + kNewData;
  const std::string data = directory + "/" + kData;
  if (auto removed = remove_file(fresh); !removed) return removed;
  if (::symlink(name.c_str(), fresh.c_str()) != 0) return system_failure("linking", fresh, errno);
  if (::rename(fresh.c_str(), data.c_str()) != 0) return system_failure("renaming", fresh, errno);
  return Nothing{};
}

// Creates a link for every name; removes stale links, and everything that no link refers to.
Result<Nothing> tidy_up(const std::string& directory, const std::string& current,
                        const std::set<std::string>& names) {
  for (const auto& name : names) {
    const std::string link = directory + "/" + name;
    const std::string target = std::string(kData) + "/" + name;
    if (::symlink(target.c_str(), link.c_str()) != 0 && errno != EEXIST) {
      return system_failure("linking", link, errno);
    }
  }
  const auto entries = list_directory(directory);
  if (!entries) return fail(entries.error());
  for (const auto& entry : *entries) {
    if (entry == kData || entry == current) continue;
    const std::string path = directory + "/" + entry;
    const bool stale_link =
        !names.contains(entry) && link_target(path) == std::string(kData) + "/" + entry;
    if (!stale_link && !entry.starts_with("..")) continue;
    if (auto removed = remove_tree(path); !removed) return removed;
  }
  return Nothing{};
}

}  // namespace

Result<bool> write_payload(const std::string& directory, const Payload& payload,
                           const std::optional<std::int64_t>& group, WallTime now) {
  const auto names = shown_names(payload);
  const std::string current = link_target(directory + "/" + kData);
  const bool valid = current.starts_with("..") && current.find('/') == std::string::npos;
  if (valid && is_directory(directory + "/" + current) &&
      holds(directory + "/" + current, payload)) {
    if (auto tidied = tidy_up(directory, current, names); !tidied) return fail(tidied.error());
    return false;
  }
  auto made = make_data_directory(directory, now);
  if (!made) return fail(made.error());
  auto done = write_files(directory + "/" + *made, payload);
  // Includes the whole volume: the first time, its own directory is given to the group, too.
  if (done && group) done = give_to_group(directory, *group, true);
  if (done) done = switch_to(directory, *made);
  if (done) done = tidy_up(directory, *made, names);
  if (!done) return fail(without(done.error(), "/" + *made));
  return true;
}

}  // namespace berth::node
