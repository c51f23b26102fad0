#include "node/sub_paths.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/descriptor.hpp"
#include "node/mounts.hpp"
#include "node/pod_paths.hpp"

namespace berth::node {
namespace {

constexpr mode_t kTargetDirectoryMode = 0750;
// Of a rename that meets the look-up: the kernel asks to look again.
constexpr int kLookAgain = 16;

// As Go prints it.
std::string errno_text(int number) {
  std::string text = std::generic_category().message(number);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] += 'a' - 'A';
  return text;
}

// Nothing outside of `top` is reached, whatever links say.
Descriptor open_beneath(const Descriptor& top, const std::string& path, std::uint64_t flags) {
  struct open_how how {};
  how.flags = flags | O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  for (int attempt = 0; attempt < kLookAgain; ++attempt) {
    const long fd = ::syscall(SYS_openat2, top.get(), path.c_str(), &how, sizeof(how));
    if (fd >= 0) return Descriptor(static_cast<int>(fd));
    if (errno != EAGAIN && errno != EINTR) break;
  }
  return {};
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  std::istringstream text(path);
  for (std::string part; std::getline(text, part, '/');) {
    if (!part.empty() && part != ".") parts.push_back(part);
  }
  return parts;
}

// The directory at `path` below `top`; what misses is made, with the mode of `top`.
bool make_beneath(const Descriptor& top, const std::string& path) {
  struct stat status {};
  if (::fstat(top.get(), &status) != 0) return false;
  const mode_t mode = status.st_mode & 02777;
  Descriptor above = open_beneath(top, ".", O_DIRECTORY);
  std::string walked;
  for (const auto& part : parts_of(path)) {
    walked += (walked.empty() ? "" : "/") + part;
    Descriptor next = open_beneath(top, walked, O_DIRECTORY);
    if (!next.is_open()) {
      if (errno != ENOENT || !above.is_open()) return false;
      if (::mkdirat(above.get(), part.c_str(), mode) != 0) return false;
      // What was made just now, not what a container may have put there since.
      const Descriptor made(
          ::openat(above.get(), part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (!made.is_open() || ::fchmod(made.get(), mode) != 0) return false;
      next = open_beneath(top, walked, O_DIRECTORY);
    }
    above = std::move(next);
  }
  return above.is_open();
}

// An empty file or directory to mount on; what an earlier instance had there goes.
Result<Nothing> make_target(const std::string& target, bool directory) {
  if (auto unmounted = unmount(target); !unmounted) return unmounted;
  const auto parent = target.substr(0, target.rfind('/'));
  if (auto made = make_directories(parent, kTargetDirectoryMode); !made) return made;
  if (directory) {
    if (auto removed = is_directory(target) ? Nothing{} : remove_file(target); !removed) {
      return removed;
    }
    return make_directories(target, kTargetDirectoryMode);
  }
  if (is_directory(target) && ::rmdir(target.c_str()) != 0) {
    return system_failure("removing", target, errno);
  }
  return write_file(target, "", 0640);
}

std::string volume_path(const NodePaths& paths, const api::Pod& pod, const std::string& name) {
  for (const auto& volume : pod.spec.volumes) {
    if (volume.name != name) continue;
    return volume.hostPath ? volume.hostPath->path
                           : volume_directory(paths, pod.metadata.uid, volume);
  }
  return {};
}

std::unexpected<Error> failed(std::string_view what, const api::VolumeMount& mount,
                              const api::Container& container) {
  return fail(ErrorCode::kInvalid, fmt::format("failed to {} for volumeMount \"{}\" of container "
                                               "\"{}\"",
                                               what, mount.name, container.name));
}

Result<std::string> mount_one(const NodePaths& paths, const api::Pod& pod,
                              const api::Container& container, std::size_t index,
                              const std::string& path) {
  const auto& mount = container.volumeMounts.at(index);
  const std::string volume = volume_path(paths, pod, mount.name);
  const std::string place = path.empty() ? "." : path;
  const Descriptor top(::open(volume.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  // Of the volume's own path, which the pod names, the kubelet tells what stat said.
  if (!top.is_open() && errno != ENOTDIR) {
    return fail(ErrorCode::kInvalid, fmt::format("stat {}: {}", volume, errno_text(errno)));
  }
  if (!top.is_open()) return failed("prepare subPath", mount, container);
  Descriptor part = open_beneath(top, place, 0);
  if (!part.is_open() && errno == ENOENT) {
    if (!make_beneath(top, path)) {
      return failed("create subPath directory", mount, container);
    }
    part = open_beneath(top, place, 0);
  }
  struct stat status {};
  if (!part.is_open() || ::fstat(part.get(), &status) != 0) {
    return failed("prepare subPath", mount, container);
  }
  std::string target = sub_path_target(paths, pod.metadata.uid, mount.name, container.name, index);
  auto done = make_target(target, S_ISDIR(status.st_mode));
  if (done) done = bind_descriptor(part.get(), target);
  if (!done) return failed("prepare subPath", mount, container);
  return target;
}

// An unmounted target is an empty directory or file; anything else is not ours to delete.
Result<Nothing> remove_target(const std::string& path) {
  if (::rmdir(path.c_str()) == 0 || errno == ENOENT) return Nothing{};
  if (errno == ENOTDIR) return remove_file(path);
  return system_failure("removing", path, errno);
}

Result<Nothing> remove_level(const std::string& directory, int levels_below) {
  const auto names = list_directory(directory);
  if (!names) return fail(names.error());
  for (const auto& name : *names) {
    const std::string path = directory + "/" + name;
    auto removed = levels_below == 0 ? remove_target(path) : remove_level(path, levels_below - 1);
    if (!removed) return removed;
  }
  return remove_target(directory);
}

}  // namespace

Result<SubPaths> mount_sub_paths(const NodePaths& paths, const api::Pod& pod,
                                 const api::Container& container, const SubPaths& wanted) {
  SubPaths mounted;
  for (const auto& [index, path] : wanted) {
    auto target = mount_one(paths, pod, container, index, path);
    if (!target) return fail(target.error());
    mounted[index] = std::move(*target);
  }
  return mounted;
}

Result<Nothing> remove_sub_paths(const NodePaths& paths, const std::string& uid) {
  const std::string directory = sub_paths_directory(paths, uid);
  if (!is_directory(directory)) return Nothing{};
  if (auto unmounted = unmount_below(directory); !unmounted) return unmounted;
  // By volume, by container, by mount.
  return remove_level(directory, 2);
}

}  // namespace berth::node
