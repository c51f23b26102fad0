// SPDX-License-Identifier: Apache-2.0

// When a container's log is rotated, and what happens to the rotated files: the kubelet's rules
// (reference: container_log_manager).
//
// The newest rotated file stays uncompressed, so that its readers can finish; the older ones are
// compressed, and `max_files` of all of them (including the current one) are kept. The caller
// removes, compresses, renames, and then has the runtime reopen the log. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock_types.hpp"

namespace berth::node {

inline constexpr std::string_view kCompressedLog = ".gz";
inline constexpr std::string_view kUnfinishedLog = ".tmp";  // of an interrupted compression

// Named after KubeletConfiguration's containerLogMaxSize and containerLogMaxFiles, with its
// defaults.
struct LogRotationPolicy {
  std::int64_t max_bytes = std::int64_t{10} << 20U;  // negative: no rotation
  std::int32_t max_files = 5;

  bool operator==(const LogRotationPolicy&) const = default;
};

enum class LogCare : std::uint8_t { kNone, kReopen, kRotate };

// What to do with the log of a running container. `bytes`: its size, unset if it does not exist.
[[nodiscard]] LogCare log_care(std::optional<std::int64_t> bytes, const LogRotationPolicy& policy);

// One check of a log's size, and how long the next check may wait.
struct LogLook {
  SteadyTime at{};
  std::int64_t bytes = 0;
  Nanoseconds pause{};

  [[nodiscard]] SteadyTime next_at() const { return at + pause; }
  bool operator==(const LogLook&) const = default;
};

// The kubelet checks every log once per `interval` (containerLogMonitorInterval). berthd checks a
// growing log again before it could reach the limit at four times its pace since the last check,
// and a log that does not grow less and less often; never before the interval is over, and after
// six intervals at the latest. `last` is unset if the log was not checked before, `bytes` if it
// does not exist.
[[nodiscard]] LogLook next_log_look(const std::optional<LogLook>& last,
                                    std::optional<std::int64_t> bytes,
                                    const LogRotationPolicy& policy, Nanoseconds interval,
                                    SteadyTime now);

// File names in the log's folder, in the order of processing.
struct LogRotation {
  std::vector<std::string> remove{};
  std::vector<std::string> compress{};
  std::string rename_to{};

  bool operator==(const LogRotation&) const = default;
};

// `log`: the current file's name. `files`: all names in its folder. `stamp`: the local time as
// YYYYMMDD-HHMMSS, which orders the rotated files.
[[nodiscard]] LogRotation rotate_log(const std::string& log, const std::vector<std::string>& files,
                                     const LogRotationPolicy& policy, std::string_view stamp);

// The files of a log other than the current one, oldest first; if both a file and its compressed
// form exist, only the file. `files`: all names in its folder.
[[nodiscard]] std::vector<std::string> rotated_logs(const std::string& log,
                                                    const std::vector<std::string>& files);

// The rotation that a file belongs to, compressed or not.
[[nodiscard]] std::string_view rotation_of(std::string_view file);

}  // namespace berth::node
