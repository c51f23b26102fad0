// SPDX-License-Identifier: Apache-2.0

// Mounting and unmounting on the host, for pods.
//
// Blocking; needs CAP_SYS_ADMIN. Nothing here follows a link in the last part of a path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "node/file_io.hpp"
#include "node/own_folder.hpp"

namespace berth::node {

// Whether the path itself (a file or directory) is a mount point.
[[nodiscard]] bool is_mount_point(const std::string& path);

// Whether the path is on a file system in memory.
[[nodiscard]] bool is_on_tmpfs(const std::string& path);

struct TmpfsOptions {
  std::optional<std::int64_t> bytes{};  // unset: the kernel's default, half of the memory
  std::optional<std::int64_t> group{};  // owning group, with all rights; setgid
  bool private_to_root = false;         // only root may enter
};

// Mounts a tmpfs that everybody may write to (1777) unless the options differ, without swap if the
// kernel supports that (6.4).
[[nodiscard]] Result<Nothing> mount_tmpfs(const std::string& path, const TmpfsOptions& options);

// Bind-mounts the file of an open descriptor at `target`, which must exist and be of the same kind.
[[nodiscard]] Result<Nothing> bind_descriptor(int fd, const std::string& target);

// Makes mounts at or below a path propagate in both directions: a container can only share a
// volume's mounts if the host does. The path is that of a folder of our own below `top`: no link in
// it is followed.
[[nodiscard]] Result<Nothing> share_mounts_below(const std::string& top, const std::string& path);

// Succeeds if nothing is mounted at the path. A mount in use is detached lazily.
[[nodiscard]] Result<Nothing> unmount(const std::string& path);

// Unmounts everything mounted below the folder, deepest first, without following links in it.
[[nodiscard]] Result<Nothing> unmount_below(const OwnFolder& folder);

}  // namespace berth::node
