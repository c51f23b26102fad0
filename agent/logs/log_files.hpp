// SPDX-License-Identifier: Apache-2.0

// File operations of log rotation. Blocking: for the pool.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace berth::agent {

// "DOING: the system's error"; kNotFound for ENOENT.
[[nodiscard]] std::unexpected<Error> file_failure(const std::string& doing, int error);

// Each file's size; `std::nullopt` if it does not exist, or cannot be inspected.
[[nodiscard]] std::vector<std::optional<std::int64_t>> file_sizes(
    const std::vector<std::string>& paths);

[[nodiscard]] Result<bool> rename_file(const std::string& from, const std::string& to);

// Renames `from` back to its old name; false if another file has that name by now: then both stay.
[[nodiscard]] Result<bool> rename_back(const std::string& from, const std::string& to);

// The local time as YYYYMMDD-HHMMSS.
[[nodiscard]] std::string local_stamp(std::int64_t unix_seconds);

}  // namespace berth::agent
