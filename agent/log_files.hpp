// What rotating a container's log files does with files. Blocking: for the pool.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace berth::agent {

// "DOING: what the system says"; kNotFound for ENOENT.
[[nodiscard]] std::unexpected<Error> file_failure(const std::string& doing, int error);

// How large each is; none: it is not there, or cannot be looked at.
[[nodiscard]] std::vector<std::optional<std::int64_t>> file_sizes(
    const std::vector<std::string>& paths);

[[nodiscard]] Result<bool> rename_file(const std::string& from, const std::string& to);

// `from` gets its old name back; false: another file has that by now, and both stay.
[[nodiscard]] Result<bool> rename_back(const std::string& from, const std::string& to);

// The local time as YYYYMMDD-HHMMSS.
[[nodiscard]] std::string local_stamp(std::int64_t unix_seconds);

}  // namespace berth::agent
