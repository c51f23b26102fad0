// Mounts on the host, made and taken away for pods.
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

// Whether something is mounted right here (a file or a directory).
[[nodiscard]] bool is_mount_point(const std::string& path);

// Whether what is there is in memory.
[[nodiscard]] bool is_on_tmpfs(const std::string& path);

struct TmpfsOptions {
  std::optional<std::int64_t> bytes{};  // none: the kernel's default, half of the memory
  std::optional<std::int64_t> group{};  // whose it is, with all rights; setgid
  bool private_to_root = false;         // nobody else may enter
};

// A tmpfs that everybody may write to (1777) unless told otherwise, out of swap where the kernel
// can do that (6.4).
[[nodiscard]] Result<Nothing> mount_tmpfs(const std::string& path, const TmpfsOptions& options);

// What an open descriptor refers to appears at `target`, which is there already and of its kind.
[[nodiscard]] Result<Nothing> bind_descriptor(int fd, const std::string& target);

// What is mounted at or below the path is seen elsewhere, and the other way round: a container
// can only share a volume's mounts if the host does.
[[nodiscard]] Result<Nothing> share_mounts_below(const std::string& directory);

// Not mounted is fine. What is still in use goes as soon as it is not.
[[nodiscard]] Result<Nothing> unmount(const std::string& path);

// Unmounts whatever is mounted below the folder, the deepest first, and nothing that a link in it
// leads to.
[[nodiscard]] Result<Nothing> unmount_below(const OwnFolder& folder);

}  // namespace berth::node
