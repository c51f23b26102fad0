// SPDX-License-Identifier: Apache-2.0

#include "agent/settings/config_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <expected>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/descriptor.hpp"

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
  // A FIFO must not block the reader.
  const Descriptor input(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!input.is_open() || ::fstat(input.get(), &status) != 0)
    return std::unexpected(unreadable(file, std::strerror(errno)));
  if (!S_ISREG(status.st_mode)) return std::unexpected(unreadable(file, "it is no regular file"));
  std::string text;
  std::string piece(std::size_t{64} << 10U, '\0');
  while (true) {
    const auto size = ::read(input.get(), piece.data(), piece.size());
    if (size == 0) return text;
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return std::unexpected(unreadable(file, std::strerror(errno)));
    text.append(piece, 0, static_cast<std::size_t>(size));
    if (text.size() > api::kManifestBytesLimit)
      return std::unexpected(unreadable(file, "it is larger than a manifest may be, 10 MiB"));
  }
}

// A dangling link counts as existing: it was meant to lead somewhere.
bool is_there(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

class FileReading {
 public:
  void read(const std::string& file, ConfigRole role) {
    auto text = read_text(file);
    if (text)
      out_.texts.push_back({.file = file, .text = std::move(*text), .role = role});
    else
      out_.problems.push_back(std::move(text.error()));
  }

  void read_drop_ins_of(const std::string& main_file) {
    const std::string folder = main_file + ".d";
    std::error_code error;
    std::vector<std::string> names;
    auto entry = fs::directory_iterator(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error))
      names.push_back(entry->path().filename().string());
    if (error && is_there(folder)) out_.problems.push_back(unreadable(folder, error.message()));
    std::ranges::sort(names);
    for (const auto& name : names)
      if (!name.starts_with('.')) read_drop_in((fs::path(folder) / name).string());
  }

  ConfigFiles result() && { return std::move(out_); }

 private:
  void read_drop_in(const std::string& file) {
    const auto has = [&file](std::string_view ending) { return file.ends_with(ending); };
    std::error_code error;
    if (!has(kEnding)) {
      if (std::ranges::any_of(kMistakable, has))
        out_.warnings.push_back(file + " is not read: the name of a drop-in ends in .yaml");
      else if (fs::is_directory(file, error))
        out_.warnings.push_back(file + " is not read: drop-ins lie in no folder below");
      return;
    }
    read(file, ConfigRole::kDropIn);
  }

  ConfigFiles out_{};
};

}  // namespace

ConfigFiles read_config_files(const std::string& main_file, MainFile main) {
  FileReading reading;
  if (main == MainFile::kRequired || is_there(main_file))
    reading.read(main_file, ConfigRole::kMain);
  reading.read_drop_ins_of(main_file);
  return std::move(reading).result();
}

ConfigFiles read_drop_ins(const std::string& main_file) {
  FileReading reading;
  reading.read_drop_ins_of(main_file);
  return std::move(reading).result();
}

}  // namespace berth::agent
