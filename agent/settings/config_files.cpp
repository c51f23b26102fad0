// SPDX-License-Identifier: Apache-2.0

#include "agent/settings/config_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <expected>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

namespace berth::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".yaml";
// The kubelet's own ending first.
constexpr std::array<std::string_view, 3> kMistakable = {".conf", ".yml", ".json"};

ConfigProblem unreadable(const std::string& file, const std::string& why) {
  return {.file = file, .message = "cannot be read: " + why};
}

std::expected<std::string, ConfigProblem> read_text(const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  std::ostringstream text;
  if (input) text << input.rdbuf();
  // An empty file sets failbit, but that is no failure.
  if (!input.is_open() || input.bad())
    return std::unexpected(unreadable(file, std::strerror(errno)));
  return text.str();
}

class Reading {
 public:
  void take(const std::string& file, ConfigRole role) {
    auto text = read_text(file);
    if (text)
      out_.texts.push_back({.file = file, .text = std::move(*text), .role = role});
    else
      out_.problems.push_back(std::move(text.error()));
  }

  void take_folder(const std::string& folder) {
    std::error_code error;
    std::vector<std::string> names;
    auto entry = fs::directory_iterator(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error))
      names.push_back(entry->path().filename().string());
    if (error && error != std::errc::no_such_file_or_directory)
      out_.problems.push_back(unreadable(folder, error.message()));
    std::ranges::sort(names);
    for (const auto& name : names)
      if (!name.starts_with('.')) take_drop_in((fs::path(folder) / name).string());
  }

  ConfigFiles result() && { return std::move(out_); }

 private:
  void take_drop_in(const std::string& file) {
    const auto has = [&file](std::string_view ending) { return file.ends_with(ending); };
    if (!has(kEnding)) {
      if (std::ranges::any_of(kMistakable, has))
        out_.warnings.push_back(file + " is not read: the name of a drop-in ends in .yaml");
      return;
    }
    std::error_code error;
    const auto status = fs::status(file, error);  // of what a link leads to
    if (fs::is_regular_file(status))
      take(file, ConfigRole::kDropIn);
    else
      out_.problems.push_back(unreadable(file, error                ? error.message()
                                               : fs::exists(status) ? "it is no regular file"
                                                                    : std::strerror(ENOENT)));
  }

  ConfigFiles out_{};
};

}  // namespace

ConfigFiles read_config_files(const std::string& main_file, MainFile main) {
  Reading reading;
  if (main == MainFile::kRequired || access(main_file.c_str(), F_OK) == 0)
    reading.take(main_file, ConfigRole::kMain);
  reading.take_folder(main_file + ".d");
  return std::move(reading).result();
}

}  // namespace berth::agent
