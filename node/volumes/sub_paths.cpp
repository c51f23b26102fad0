// SPDX-License-Identifier: Apache-2.0

#include "node/volumes/sub_paths.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/descriptor.hpp"
#include "base/open_beneath.hpp"
#include "node/own_folder.hpp"
#include "node/pod_paths.hpp"
#include "node/volumes/directories_beneath.hpp"
#include "node/volumes/mounts.hpp"

namespace berth::node {
namespace {

constexpr mode_t kTargetDirectoryMode = 0750;
constexpr mode_t kTargetFileMode = 0640;

// In Go's wording.
std::string errno_text(int number) {
  std::string text = std::generic_category().message(number);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] += 'a' - 'A';
  return text;
}

// Cannot reach anything outside `top`, regardless of links.
Descriptor look_up(const Descriptor& top, const std::string& path, std::uint64_t flags) {
  return open_beneath(top, path, flags | O_PATH, Links::kBeneath);
}

// Creates missing directories, with the mode of `top`.
bool make_with_mode_of(const Descriptor& top, const std::string& path) {
  struct stat status {};
  return ::fstat(top.get(), &status) == 0 &&
         make_directories_beneath(top, path, status.st_mode & 02777);
}

// An unmounted target is an empty directory or file; we may not delete anything else.
Result<Nothing> remove_target(const std::string& path) {
  if (::rmdir(path.c_str()) == 0 || errno == ENOENT) return Nothing{};
  if (errno == ENOTDIR) return remove_file(path);
  return system_failure("removing", path, errno);
}

// Creates an empty file or directory to mount on; replaces the target of an earlier instance.
Result<Nothing> make_target(const OwnFolder& folder, const std::string& name, bool directory) {
  const std::string target = folder.at(name);
  if (auto unmounted = unmount(target); !unmounted) return unmounted;
  if (auto removed = remove_target(target); !removed) return removed;
  if (!directory) return write_file(target, "", kTargetFileMode);
  const auto made = folder.make_below(name, kTargetDirectoryMode);
  return made ? Result<Nothing>(Nothing{}) : fail(made.error());
}

// Mounts the file or directory that `part` refers to at `path`.
Result<Nothing> mount_at(const NodePaths& paths, const std::string& path, const Descriptor& part,
                         bool directory) {
  const auto folder = OwnFolder::make(paths.root, folder_of(path), kTargetDirectoryMode);
  if (!folder) return fail(folder.error());
  if (auto made = make_target(*folder, name_of(path), directory); !made) return made;
  const std::string target = folder->at(name_of(path));
  const Descriptor held(::open(target.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (!held.is_open()) return system_failure("opening", target, errno);
  return bind_descriptor(part.get(), fmt::format("/proc/self/fd/{}", held.get()));
}

const api::Volume* find_volume(const api::Pod& pod, const std::string& name) {
  const auto found = std::ranges::find(pod.spec.volumes, name, &api::Volume::name);
  return found == pod.spec.volumes.end() ? nullptr : &*found;
}

struct OpenVolume {
  std::string path{};
  Descriptor top{};  // closed on failure, with errno
};

// A path of the node may contain links, set by the operator; berth's own paths must not.
OpenVolume open_volume(const NodePaths& paths, const api::Pod& pod, const std::string& name) {
  const api::Volume* volume = find_volume(pod, name);
  constexpr int kFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  if (volume == nullptr || volume->hostPath) {
    const std::string path = volume == nullptr ? std::string() : volume->hostPath->path;
    return {.path = path, .top = Descriptor(::open(path.c_str(), kFlags))};
  }
  const std::string path = volume_directory(paths, pod.metadata.uid, *volume);
  const auto folder = OwnFolder::open(paths.root, path);
  if (!folder) {
    errno = folder.error().code == ErrorCode::kNotFound ? ENOENT : ENOTDIR;
    return {.path = path};
  }
  return {.path = path, .top = Descriptor(::open(folder->path().c_str(), kFlags))};
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
  const auto [volume, top] = open_volume(paths, pod, mount.name);
  const std::string place = path.empty() ? "." : path;
  // For the volume's own path, which the pod specifies, the kubelet includes stat's error.
  if (!top.is_open() && errno != ENOTDIR) {
    return fail(ErrorCode::kInvalid, fmt::format("stat {}: {}", volume, errno_text(errno)));
  }
  if (!top.is_open()) return failed("prepare subPath", mount, container);
  Descriptor part = look_up(top, place, 0);
  if (!part.is_open() && errno == ENOENT) {
    if (!make_with_mode_of(top, path)) {
      return failed("create subPath directory", mount, container);
    }
    part = look_up(top, place, 0);
  }
  struct stat status {};
  if (!part.is_open() || ::fstat(part.get(), &status) != 0) {
    return failed("prepare subPath", mount, container);
  }
  std::string target = sub_path_target(paths, pod.metadata.uid, mount.name, container.name, index);
  const auto done = mount_at(paths, target, part, S_ISDIR(status.st_mode));
  if (!done) return failed("prepare subPath", mount, container);
  return target;
}

// Removes through the descriptor, level by level: a link in the way is removed, not its target.
Result<Nothing> remove_level(const NodePaths& paths, const std::string& directory,
                             int levels_below) {
  const auto above = OwnFolder::open(paths.root, folder_of(directory));
  if (!above) return fail(above.error());
  const std::string place = above->at(name_of(directory));
  const auto folder = OwnFolder::open(paths.root, directory);
  if (levels_below < 0 || !folder) return remove_target(place);
  const auto names = list_directory(folder->path());
  if (!names) return fail(names.error());
  for (const auto& name : *names) {
    auto removed = remove_level(paths, directory + "/" + name, levels_below - 1);
    if (!removed) return removed;
  }
  return remove_target(place);
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
  const auto folder = OwnFolder::open(paths.root, directory);
  if (!folder) return Nothing{};
  if (auto unmounted = unmount_below(*folder); !unmounted) return unmounted;
  // Levels: by volume, by container, by mount.
  return remove_level(paths, directory, 2);
}

}  // namespace berth::node
