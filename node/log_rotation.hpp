// When a container's log is rotated, and what becomes of the rotated ones: the kubelet's rules
// (reference: container_log_manager).
//
// The newest rotated file stays as it is, so that who reads it can finish; the older ones are
// compressed, and of all of them (with the current one) `max_files` remain. Whoever carries it out
// removes, compresses, renames, and then has the runtime open the log anew. Pure.
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
inline constexpr std::string_view kUnfinishedLog = ".tmp";  // of a compression that was interrupted

// KubeletConfiguration's containerLogMaxSize and containerLogMaxFiles, with its defaults.
struct LogRotationPolicy {
  std::int64_t max_bytes = std::int64_t{10} << 20U;  // negative: nothing is rotated
  std::int32_t max_files = 5;

  bool operator==(const LogRotationPolicy&) const = default;
};

enum class LogCare : std::uint8_t { kNone, kReopen, kRotate };

// What the log of a running container needs; `bytes`: how large it is, none: it is not there.
[[nodiscard]] LogCare log_care(std::optional<std::int64_t> bytes, const LogRotationPolicy& policy);

// One look at how large a log is, and how long the next one may wait.
struct LogLook {
  SteadyTime at{};
  std::int64_t bytes = 0;
  Nanoseconds pause{};

  [[nodiscard]] SteadyTime next_at() const { return at + pause; }
  bool operator==(const LogLook&) const = default;
};

// The kubelet looks at every log at each `interval` (containerLogMonitorInterval). Here one that
// grows is looked at again before it could reach the limit at four times the pace it has had since
// the last look, and one that does not grow less and less often; never before the interval is over,
// and after six of them at the latest. `last` none: it has not been looked at before; `bytes` none:
// it is not there.
[[nodiscard]] LogLook next_log_look(const std::optional<LogLook>& last,
                                    std::optional<std::int64_t> bytes,
                                    const LogRotationPolicy& policy, Nanoseconds interval,
                                    SteadyTime now);

// File names in the log's folder, in the order in which they are to be dealt with.
struct LogRotation {
  std::vector<std::string> remove{};
  std::vector<std::string> compress{};
  std::string rename_to{};

  bool operator==(const LogRotation&) const = default;
};

// `log`: the current file's name. `files`: all names of its folder. `stamp`: the local time as
// YYYYMMDD-HHMMSS, which orders the rotated files.
[[nodiscard]] LogRotation rotate_log(const std::string& log, const std::vector<std::string>& files,
                                     const LogRotationPolicy& policy, std::string_view stamp);

// What is left of a log beside its current file, the oldest first: of a file and what it was
// compressed to, the file. `files`: all names of its folder.
[[nodiscard]] std::vector<std::string> rotated_logs(const std::string& log,
                                                    const std::vector<std::string>& files);

// Which rotation a file is of, compressed or not.
[[nodiscard]] std::string_view rotation_of(std::string_view file);

}  // namespace berth::node
