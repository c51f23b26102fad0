// SPDX-License-Identifier: Apache-2.0

// Files and directories, with errors that name the path. Blocking: for the pool's threads.
//
// Codes: kNotFound (ENOENT, ENOTDIR), kAlreadyExists, kPermission, else kUnknown.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace berth::node {

struct Nothing {
  bool operator==(const Nothing&) const = default;
};

// "<what> <path>: <errno's text>".
[[nodiscard]] std::unexpected<Error> system_failure(std::string_view what, const std::string& path,
                                                    int error_number);

[[nodiscard]] Result<std::string> read_file(const std::string& path);
// Reads at most the last `bytes` bytes.
[[nodiscard]] Result<std::string> read_file_tail(const std::string& path, std::size_t bytes);
// Writes into an existing file, in one write, as kernel files require.
[[nodiscard]] Result<Nothing> write_existing(const std::string& path, std::string_view text);
// Creates or replaces a file with exactly this mode, regardless of the umask.
[[nodiscard]] Result<Nothing> write_file(const std::string& path, std::string_view text,
                                         mode_t mode);
// Writes `.new` in the same folder and renames it over the file, so that readers find the old text
// or the new one, even after a crash or on a full disk. One at a time in a folder; a power loss may
// still leave the file empty.
[[nodiscard]] Result<Nothing> replace_file(const std::string& path, std::string_view text,
                                           mode_t mode);

// Creates the directory and its missing parents; a new last one gets exactly this mode.
[[nodiscard]] Result<Nothing> make_directories(const std::string& path, mode_t mode);

// Sorted names in a directory; empty if it does not exist.
[[nodiscard]] Result<std::vector<std::string>> list_directory(const std::string& path);
// Removes a whole tree, without following links. Succeeds if it is already gone.
[[nodiscard]] Result<Nothing> remove_tree(const std::string& path);
// Removes a file or link. Succeeds if it is already gone.
[[nodiscard]] Result<Nothing> remove_file(const std::string& path);

[[nodiscard]] bool is_directory(const std::string& path);
[[nodiscard]] bool path_exists(const std::string& path);

}  // namespace berth::node
