#include "node/log_rotation.hpp"

#include <algorithm>
#include <set>

namespace berth::node {

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
  std::set<std::string> all;  // by name, which is by age
  for (const std::string& file : files)
    if (file.starts_with(log + ".")) all.insert(file);
  std::vector<std::string> rotated;
  for (const std::string& file : all) {
    const bool compressed_already =
        !file.ends_with(kCompressedLog) && all.contains(file + std::string(kCompressedLog));
    if (file.ends_with(kUnfinishedLog) || compressed_already)
      rotation.remove.push_back(file);
    else
      rotated.push_back(file);
  }
  // Beside the current file and the one that it becomes now.
  const auto kept = static_cast<std::size_t>(std::max(policy.max_files - 2, 0));
  const std::size_t excess = rotated.size() - std::min(rotated.size(), kept);
  for (std::size_t i = 0; i < rotated.size(); ++i) {
    if (i < excess)
      rotation.remove.push_back(rotated[i]);
    else if (!rotated[i].ends_with(kCompressedLog))
      rotation.compress.push_back(rotated[i]);
  }
  // A clock that was set back must not overwrite an earlier log.
  const std::string base = log + "." + std::string(stamp);
  rotation.rename_to = base;
  for (int i = 2; all.contains(rotation.rename_to) ||
                  all.contains(rotation.rename_to + std::string(kCompressedLog));
       ++i)
    rotation.rename_to = base + "-" + std::to_string(i);
  return rotation;
}

}  // namespace berth::node
