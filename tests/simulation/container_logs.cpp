// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/container_logs.hpp"

#include <zlib.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <vector>

#include <fmt/core.h>

#include "tests/simulation/invariants/invariants.hpp"
#include "tests/simulation/invariants/pod_facts.hpp"

namespace berth::simulation {
namespace {

constexpr std::int64_t kMostLines = 300;
constexpr std::size_t kLineBytes = 10;

std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    names.push_back(entry.path().filename());
  return names;
}

// The oldest first.
std::vector<std::string> kept_of(const std::string& log, const std::string& directory) {
  auto kept = node::rotated_logs(log, names_in(directory));
  kept.push_back(log);
  return kept;
}

// Whether or not it is compressed.
std::string text_of(const std::string& path) {
  std::string text;
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return text;
  std::array<char, 4096> piece{};
  for (int got = 0; (got = gzread(file, piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(got));
  gzclose(file);
  return text;
}

std::int64_t line_at(const std::string& text, std::size_t place) {
  std::int64_t number = -1;
  std::from_chars(text.data() + place, text.data() + place + kLineBytes - 1, number);
  return number;
}

}  // namespace

void ContainerLogs::sandbox_created(const SandboxRecord& sandbox) {
  directories_[sandbox.id.str()] = sandbox.config.log_directory;
}

// Containers that a kubelet left have their logs elsewhere.
void ContainerLogs::started(const Instance& instance) {
  const auto& directory = directories_[instance.sandbox.str()];
  if (!directory.starts_with(folder())) return;
  const std::filesystem::path path = directory + "/" + instance.config.log_path;
  std::filesystem::create_directories(path.parent_path());
  // Nothing may be left of an earlier instance with the same number and uid.
  for (const std::string& name : kept_of(path.filename(), path.parent_path()))
    std::filesystem::remove(path.parent_path() / name);
  OpenLog& log = open_[instance.id.str()];
  log.directory = path.parent_path();
  log.file = path.filename();
  log.stream.open(path, std::ios::app);
  log.container = called(instance);
}

void ContainerLogs::exited(const Instance& instance) {
  open_.erase(instance.id.str());
}

void ContainerLogs::log_reopened(const Instance& instance) {
  const auto log = open_.find(instance.id.str());
  if (log == open_.end()) return;
  log->second.stream.close();
  log->second.stream.open(log->second.directory + "/" + log->second.file, std::ios::app);
}

void ContainerLogs::write(Random& random) {
  for (auto& [id, log] : open_) {
    const auto lines = random.chance(300) ? 0 : random.between(1, kMostLines);
    for (std::int64_t i = 0; i < lines; ++i)
      log.stream << fmt::format("{:0{}}\n", log.lines++, kLineBytes - 1);
    log.stream.flush();
    check_kept(log);
  }
}

// The files are ordered by their timestamps, which are wrong when the clock is.
void ContainerLogs::check_kept(const OpenLog& log) {
  if (invariants_.disturbances().wall_jumped()) return;
  const auto kept = kept_of(log.file, log.directory);
  if (std::ssize(kept) > policy().max_files)
    invariants_.violated(
        fmt::format("{} files of the log of {} are kept", kept.size(), log.container));
  std::string text;
  for (const std::string& name : kept) text += text_of(log.directory + "/" + name);
  if (text.empty()) return;
  std::int64_t next = line_at(text, 0);
  for (std::size_t place = 0; place < text.size(); place += kLineBytes, ++next) {
    if (line_at(text, place) == next) continue;
    return invariants_.violated(fmt::format("line {} of the log of {} is followed by line {}",
                                            next - 1, log.container, line_at(text, place)));
  }
  if (next != log.lines)
    invariants_.violated(fmt::format("the log of {} ends before line {}, and {} were written",
                                     log.container, next, log.lines));
}

}  // namespace berth::simulation
