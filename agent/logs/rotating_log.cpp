// SPDX-License-Identifier: Apache-2.0

#include "agent/logs/rotating_log.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "agent/logs/log_files.hpp"

namespace berth::agent {

Result<bool> RotatingLog::go_on() {
  if (!folder_) return begin();
  if (!plan_.compress.empty()) return compress();
  return rename_file(folder_->at(place_.file), folder_->at(plan_.rename_to));
}

Result<bool> RotatingLog::begin() {
  auto folder = node::OwnFolder::open(place_.top, place_.folder);
  if (!folder) return fail(folder.error());
  std::vector<std::string> files;
  std::error_code trouble;
  for (std::filesystem::directory_iterator entry(folder->path(), trouble), end;
       !trouble && entry != end; entry.increment(trouble))
    files.push_back(entry->path().filename().string());
  if (trouble) return file_failure("listing " + place_.folder, trouble.value());
  plan_ = node::rotate_log(place_.file, files, policy_, stamp_);
  for (const std::string& name : plan_.remove) {
    if (::unlink(folder->at(name).c_str()) != 0 && errno != ENOENT)
      return file_failure("removing " + node::real_path(folder->at(name)), errno);
  }
  folder_ = std::move(*folder);
  return false;
}

Result<bool> RotatingLog::compress() {
  if (!compression_) {
    auto begun = LogCompression::begin(folder_->at(plan_.compress.front()));
    if (!begun) return fail(begun.error());
    compression_.emplace(std::move(*begun));
  }
  const auto finished = compression_->go_on();
  if (!finished) return finished;
  if (*finished) {
    compression_.reset();
    plan_.compress.erase(plan_.compress.begin());
  }
  return false;
}

}  // namespace berth::agent
