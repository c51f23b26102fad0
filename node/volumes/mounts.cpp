// SPDX-License-Identifier: Apache-2.0

#include "node/volumes/mounts.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include <cerrno>
#include <sstream>
#include <vector>

#include <fmt/format.h>

namespace berth::node {
namespace {

struct MountEntry {
  std::string point{};
  bool shared = false;
};

// mountinfo writes blanks and backslashes as three octal digits.
std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

// In the kernel's order: later mounts hide earlier ones.
Result<std::vector<MountEntry>> mount_table() {
  const auto table = read_file("/proc/self/mountinfo");
  if (!table) return fail(table.error());
  std::vector<MountEntry> mounts;
  std::istringstream lines(*table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string id, parent, device, root, point, options, field;
    fields >> id >> parent >> device >> root >> point >> options;
    MountEntry mount{.point = unescaped(point)};
    while (fields >> field && field != "-") mount.shared |= field.starts_with("shared:");
    mounts.push_back(std::move(mount));
  }
  return mounts;
}

bool covers(const std::string& point, const std::string& path) {
  return point == "/" || point == path || path.starts_with(point + "/");
}

Result<Nothing> change_mount(const char* source, const std::string& target, unsigned long flags,
                             const char* what) {
  if (::mount(source, target.c_str(), nullptr, flags, nullptr) == 0) return Nothing{};
  return system_failure(what, target, errno);
}

}  // namespace

bool is_mount_point(const std::string& path) {
  struct statx status {};
  const int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
  if (::statx(AT_FDCWD, path.c_str(), flags, STATX_BASIC_STATS, &status) != 0) return false;
  return (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

bool is_on_tmpfs(const std::string& path) {
  struct statfs status {};
  return ::statfs(path.c_str(), &status) == 0 && status.f_type == TMPFS_MAGIC;
}

Result<Nothing> mount_tmpfs(const std::string& path, const TmpfsOptions& options) {
  std::string text = "mode=1777";
  if (options.group) text = fmt::format("mode=3777,gid={}", *options.group);
  if (options.private_to_root) text = "mode=0700";
  if (options.bytes && *options.bytes > 0) text += fmt::format(",size={}", *options.bytes);
  for (const auto& data : {text + ",noswap", text}) {
    if (::mount("tmpfs", path.c_str(), "tmpfs", 0, data.c_str()) == 0) return Nothing{};
    if (errno != EINVAL) break;  // any other error does not concern noswap
  }
  return system_failure("mounting a tmpfs on", path, errno);
}

Result<Nothing> bind_descriptor(int fd, const std::string& target) {
  const std::string source = fmt::format("/proc/self/fd/{}", fd);
  return change_mount(source.c_str(), target, MS_BIND, "bind-mounting on");
}

Result<Nothing> share_mounts_below(const std::string& top, const std::string& path) {
  const auto folder = OwnFolder::open(top, path);
  if (!folder) return fail(folder.error());
  const std::string real = real_path(folder->path());  // as the kernel lists it
  const auto mounts = mount_table();
  if (!mounts) return fail(mounts.error());
  const MountEntry* above = nullptr;
  for (const auto& mount : *mounts) {
    if (!covers(mount.point, real)) continue;
    if (above == nullptr || mount.point.size() >= above->point.size()) above = &mount;
  }
  if (above != nullptr && above->shared) return Nothing{};
  if (above == nullptr || above->point != real) {
    auto bound = change_mount(folder->path().c_str(), folder->path(), MS_BIND | MS_REC,
                              "bind-mounting on itself");
    if (!bound) return bound;
  }
  // What is mounted there by now, and not what it is mounted on.
  const auto mounted = OwnFolder::open(top, path);
  if (!mounted) return fail(mounted.error());
  return change_mount(nullptr, mounted->path(), MS_SHARED | MS_REC, "sharing the mounts below");
}

Result<Nothing> unmount(const std::string& path) {
  while (is_mount_point(path)) {
    if (::umount2(path.c_str(), UMOUNT_NOFOLLOW) == 0) continue;
    if (errno == EBUSY && ::umount2(path.c_str(), UMOUNT_NOFOLLOW | MNT_DETACH) == 0) continue;
    return system_failure("unmounting", path, errno);
  }
  return Nothing{};
}

Result<Nothing> unmount_below(const OwnFolder& folder) {
  const std::string top = real_path(folder.path());
  const auto mounts = mount_table();
  if (!mounts) return fail(mounts.error());
  for (auto mount = mounts->rbegin(); mount != mounts->rend(); ++mount) {
    const std::string& point = mount->point;
    if (!point.starts_with(top + "/")) continue;
    const auto above =
        OwnFolder::open(folder.path(), folder.path() + folder_of(point).substr(top.size()));
    if (!above && above.error().code == ErrorCode::kNotFound) continue;
    if (!above) return fail(above.error());
    const std::string path = above->at(name_of(point));
    if (::umount2(path.c_str(), UMOUNT_NOFOLLOW) != 0 && errno != EINVAL && errno != ENOENT) {
      return system_failure("unmounting", path, errno);
    }
  }
  return Nothing{};
}

}  // namespace berth::node
