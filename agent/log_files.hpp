// A container's log files being rotated. Blocking: for the pool.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "node/log_rotation.hpp"

namespace berth::agent {

// How large each is; none: it is not there, or cannot be looked at.
[[nodiscard]] std::vector<std::optional<std::int64_t>> file_sizes(
    const std::vector<std::string>& paths);

// Removes and compresses the older ones and renames `file` of `folder`; the new name.
[[nodiscard]] Result<std::string> make_way(const std::string& folder, const std::string& file,
                                           const node::LogRotationPolicy& policy,
                                           const std::string& stamp);

[[nodiscard]] Result<bool> rename_file(const std::string& from, const std::string& to);

// `from` gets its old name back; false: another file has that by now, and both stay.
[[nodiscard]] Result<bool> rename_back(const std::string& from, const std::string& to);

// `path` becomes `path`.gz, with the same mode. After a crash either of the two is whole.
[[nodiscard]] Result<bool> compress_file(const std::string& path);

// The local time as YYYYMMDD-HHMMSS.
[[nodiscard]] std::string local_stamp(std::int64_t unix_seconds);

}  // namespace berth::agent
