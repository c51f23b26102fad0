// SPDX-License-Identifier: Apache-2.0

#include "node/log_rotation.hpp"

#include <algorithm>
#include <charconv>
#include <compare>
#include <cstddef>
#include <utility>

namespace berth::node {
namespace {

// If two rotations happen in one second, the later one has a number.
struct Age {
  std::string_view stamp{};
  int number = 0;

  auto operator<=>(const Age&) const = default;
};

constexpr std::size_t kStamp = 15;  // YYYYMMDD-HHMMSS

Age age_of(std::string_view log, std::string_view file) {
  if (file.ends_with(kUnfinishedLog)) file.remove_suffix(kUnfinishedLog.size());
  const std::string_view name = rotation_of(file).substr(log.size() + 1);
  Age age{.stamp = name.substr(0, kStamp)};
  if (name.size() > kStamp && name[kStamp] == '-')
    std::from_chars(name.data() + kStamp + 1, name.data() + name.size(), age.number);
  return age;
}

// All but the current file, by age.
std::vector<std::string> older_files(const std::string& log,
                                     const std::vector<std::string>& files) {
  std::vector<std::string> older;
  for (const std::string& file : files)
    if (file.starts_with(log + ".")) older.push_back(file);
  std::ranges::sort(older, {}, [&](const std::string& file) {
    return std::pair(age_of(log, file), std::string_view(file));
  });
  return older;
}

}  // namespace

LogCare log_care(std::optional<std::int64_t> bytes, const LogRotationPolicy& policy) {
  if (policy.max_bytes < 0) return LogCare::kNone;
  if (!bytes) return LogCare::kReopen;
  return *bytes >= policy.max_bytes ? LogCare::kRotate : LogCare::kNone;
}

LogLook next_log_look(const std::optional<LogLook>& last, std::optional<std::int64_t> bytes,
                      const LogRotationPolicy& policy, Nanoseconds interval, SteadyTime now) {
  constexpr double kFaster = 4;
  constexpr int kMostIntervals = 6;
  LogLook look{.at = now, .bytes = bytes.value_or(0), .pause = interval};
  if (!last || !bytes || *bytes < last->bytes || now <= last->at) return look;
  look.pause = std::min(2 * last->pause, kMostIntervals * interval);
  const auto grown = static_cast<double>(*bytes - last->bytes);
  const auto left = static_cast<double>(policy.max_bytes - *bytes);
  const auto waited = static_cast<double>((now - last->at).count());
  if (grown * static_cast<double>(look.pause.count()) * kFaster > left * waited)
    look.pause = Nanoseconds(static_cast<Nanoseconds::rep>(left * waited / (grown * kFaster)));
  look.pause = std::max(look.pause, interval);
  return look;
}

LogRotation rotate_log(const std::string& log, const std::vector<std::string>& files,
                       const LogRotationPolicy& policy, std::string_view stamp) {
  LogRotation rotation;
  const std::vector<std::string> all = older_files(log, files);
  const auto is_there = [&](const std::string& file) {
    return std::ranges::find(all, file) != all.end();
  };
  std::vector<std::string> rotated;
  for (const std::string& file : all) {
    const bool compressed_already =
        !file.ends_with(kCompressedLog) && is_there(file + std::string(kCompressedLog));
    if (file.ends_with(kUnfinishedLog) || compressed_already)
      rotation.remove.push_back(file);
    else
      rotated.push_back(file);
  }
  // Two of `max_files` are the current file and the one that it becomes now.
  const auto kept = static_cast<std::size_t>(std::max(policy.max_files - 2, 0));
  const std::size_t excess = rotated.size() - std::min(rotated.size(), kept);
  for (std::size_t i = 0; i < rotated.size(); ++i) {
    if (i < excess)
      rotation.remove.push_back(rotated[i]);
    else if (!rotated[i].ends_with(kCompressedLog))
      rotation.compress.push_back(rotated[i]);
  }
  // After the clock was set back, an earlier log must not be overwritten.
  const std::string base = log + "." + std::string(stamp);
  rotation.rename_to = base;
  for (int i = 2;
       is_there(rotation.rename_to) || is_there(rotation.rename_to + std::string(kCompressedLog));
       ++i)
    rotation.rename_to = base + "-" + std::to_string(i);
  return rotation;
}

std::vector<std::string> rotated_logs(const std::string& log,
                                      const std::vector<std::string>& files) {
  std::vector<std::string> rotated;
  for (const std::string& file : older_files(log, files)) {
    if (file.ends_with(kUnfinishedLog)) continue;
    // The file sorts before its compressed form.
    if (rotated.empty() || rotation_of(rotated.back()) != rotation_of(file))
      rotated.push_back(file);
  }
  return rotated;
}

std::string_view rotation_of(std::string_view file) {
  if (file.ends_with(kCompressedLog)) file.remove_suffix(kCompressedLog.size());
  return file;
}

}  // namespace berth::node
