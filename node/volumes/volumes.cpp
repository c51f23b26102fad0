// SPDX-License-Identifier: Apache-2.0

#include "node/volumes/volumes.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/descriptor.hpp"
#include "node/cgroups/cgroup_values.hpp"
#include "node/own_folder.hpp"
#include "node/pod_paths.hpp"
#include "node/volumes/atomic_writer.hpp"
#include "node/volumes/directories_beneath.hpp"
#include "node/volumes/mounts.hpp"
#include "node/volumes/volume_ownership.hpp"
#include "node/volumes/volume_payload.hpp"

namespace berth::node {
namespace {

constexpr mode_t kVolumeMode = 0777;  // for any user of any container
constexpr mode_t kBetweenMode = 0755;
constexpr mode_t kCreatedDirectoryMode = 0755;
constexpr mode_t kCreatedFileMode = 0644;
constexpr const char* kOnMemory = "Memory";

struct PathType {
  const char* name;
  mode_t format;
  const char* words;
};

constexpr PathType kPathTypes[] = {
    {"DirectoryOrCreate", S_IFDIR, "a directory"}, {"Directory", S_IFDIR, "a directory"},
    {"FileOrCreate", S_IFREG, "a file"},           {"File", S_IFREG, "a file"},
    {"Socket", S_IFSOCK, "a socket file"},         {"CharDevice", S_IFCHR, "a character device"},
    {"BlockDevice", S_IFBLK, "a block device"},
};

// A setgid bit of the parent directory is inherited, as for any new directory; otherwise the mode
// does not depend on our umask. Links may lead to the path, but it is no link itself: somebody
// would have put that there since.
Result<Nothing> create_host_directory(const std::string& path) {
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  if (failure) return system_failure("creating", path, failure.value());
  const Descriptor made(::open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!made.is_open() || ::fstat(made.get(), &status) != 0)
    return system_failure("reading", path, errno);
  const std::string itself = fmt::format("/proc/self/fd/{}", made.get());
  if (::chmod(itself.c_str(), kCreatedDirectoryMode | (status.st_mode & S_ISGID)) != 0) {
    return system_failure("changing the mode of", path, errno);
  }
  return Nothing{};
}

bool shares_mounts(const api::Pod& pod, const std::string& volume) {
  const auto shares = [&volume](const api::VolumeMount& mount) {
    return mount.name == volume && mount.mountPropagation.value_or("None") != "None";
  };
  for (const auto* list : {&pod.spec.initContainers, &pod.spec.containers}) {
    for (const auto& container : *list) {
      if (std::ranges::any_of(container.volumeMounts, shares)) return true;
    }
  }
  return false;
}

// Processes the pod's volumes.
class SetUp {
 public:
  SetUp(const NodeView& node, const api::Pod& pod, const Objects& objects, WallTime now)
      : node_(node), paths_(node.config.paths), pod_(pod), objects_(objects), now_(now) {}

  Result<Nothing> volume(const api::Volume& volume) {
    if (volume.hostPath) return check_host_path(*volume.hostPath);
    if (volume.emptyDir) return empty_dir(volume);
    if (has_payload(volume)) return files(volume);
    return fail(ErrorCode::kUnimplemented, "volumes of this kind are not supported");
  }

 private:
  // Created once and completely: later changes of owner and mode by containers are kept.
  Result<Nothing> empty_dir(const api::Volume& volume) {
    const std::string directory = empty_dir_path(paths_, pod_.metadata.uid, volume.name);
    const std::string& medium = volume.emptyDir->medium;
    Result<Nothing> done = Nothing{};
    if (medium == kOnMemory) {
      done = memory_directory(directory, volume.emptyDir->sizeLimit);
    } else if (medium.empty()) {
      done = disk_directory(directory);
    } else {
      return fail(ErrorCode::kUnimplemented, fmt::format("unknown storage medium \"{}\"", medium));
    }
    return done && shares_mounts(pod_, volume.name) ? share_mounts_below(paths_.root, directory)
                                                    : done;
  }

  Result<Nothing> disk_directory(const std::string& directory) {
    const auto above = folder_above(directory);
    if (!above) return fail(above.error());
    const std::string place = above->at(name_of(directory));
    if (OwnFolder::open(paths_.root, directory)) return Nothing{};
    // No volume can have this name. Remains of a crash are reused.
    const std::string name = name_of(directory) + ".unfinished";
    const auto unfinished =
        OwnFolder::make(paths_.root, folder_of(directory) + "/" + name, kVolumeMode);
    if (!unfinished) return fail(unfinished.error());
    auto done = set_mode(*unfinished, kVolumeMode);
    const auto group = fs_group(pod_);
    if (done && group) done = give_to_group(*unfinished, *group, false);
    if (done && ::rename(above->at(name).c_str(), place.c_str()) != 0) {
      return system_failure("renaming", above->at(name), errno);
    }
    return done;
  }

  Result<Nothing> memory_directory(const std::string& directory,
                                   const std::optional<api::Quantity>& size_limit) {
    return on_memory(directory, {.bytes = memory_volume_bytes(node_, pod_, size_limit),
                                 .group = fs_group(pod_)});
  }

  // Ensures that a tmpfs is mounted.
  Result<Nothing> on_memory(const std::string& directory, const TmpfsOptions& options) {
    const auto above = folder_above(directory);
    if (!above) return fail(above.error());
    if (is_mount_point(above->at(name_of(directory)))) return Nothing{};
    const auto folder = OwnFolder::make(paths_.root, directory, kVolumeMode);
    return folder ? mount_tmpfs(folder->path(), options) : fail(folder.error());
  }

  // Secrets never reach a disk; as in the kubelet, files derived from the pod are on a tmpfs, too.
  Result<Nothing> files(const api::Volume& volume) {
    auto payload = volume_payload(pod_, volume, objects_, node_.allocatable);
    if (!payload) return fail(payload.error());
    const std::string directory = volume_directory(paths_, pod_.metadata.uid, volume);
    if (!volume.configMap) {
      auto mounted =
          on_memory(directory, {.bytes = memory_volume_bytes(node_, pod_, std::nullopt)});
      if (!mounted) return mounted;
    }
    const auto folder = OwnFolder::make(paths_.root, directory, kVolumeMode);
    if (!folder) return fail(folder.error());
    const auto written = write_payload(folder->path(), *payload, fs_group(pod_), now_);
    if (!written) return fail(written.error());
    return make_mount_points(*folder, nested_mount_points(pod_, volume.name));
  }

  // For volumes that are mounted inside this one, where a container may have placed links.
  static Result<Nothing> make_mount_points(const OwnFolder& folder,
                                           const std::vector<std::string>& points) {
    for (const auto& point : points) {
      if (make_directories_beneath(folder.descriptor(), point, kCreatedDirectoryMode)) continue;
      const int error = errno;
      const std::string place = real_path(folder.at(point));
      if (error == EXDEV)
        return fail(ErrorCode::kInvalid, place + ": a link leads out of the volume");
      return system_failure("creating", place, error);
    }
    return Nothing{};
  }

  [[nodiscard]] Result<OwnFolder> folder_above(const std::string& directory) const {
    return OwnFolder::make(paths_.root, folder_of(directory), kBetweenMode);
  }

  static Result<Nothing> set_mode(const OwnFolder& folder, mode_t mode) {
    const std::string path = folder.path();
    if (::chmod(path.c_str(), mode) == 0) return Nothing{};
    return system_failure("changing the mode of", path, errno);
  }

  const NodeView& node_;
  const NodePaths& paths_;
  const api::Pod& pod_;
  const Objects& objects_;
  WallTime now_;
};

}  // namespace

std::vector<VolumeFailure> set_up_volumes(const NodeView& node, const api::Pod& pod,
                                          const Objects& objects, WallTime now) {
  std::vector<VolumeFailure> failures;
  SetUp set_up(node, pod, objects, now);
  for (const auto& volume : pod.spec.volumes) {
    if (!is_mounted(pod, volume.name)) continue;
    const auto done = set_up.volume(volume);
    if (done) continue;
    failures.push_back({.volume = volume.name,
                        .message = fmt::format("MountVolume.SetUp failed for volume \"{}\" : {}",
                                               volume.name, done.error().message)});
  }
  return failures;
}

std::optional<std::int64_t> memory_volume_bytes(const NodeView& node, const api::Pod& pod,
                                                const std::optional<api::Quantity>& size_limit) {
  std::optional<std::int64_t> bytes;
  const auto at_most = [&bytes](std::int64_t limit) {
    if (limit > 0 && (!bytes || limit < *bytes)) bytes = limit;
  };
  const auto memory = node.allocatable.find("memory");
  if (memory != node.allocatable.end()) at_most(memory->second.value());
  at_most(pod_cgroup_values(node.config, pod).memory_limit.value_or(0));
  if (size_limit) at_most(size_limit->value());
  return bytes;
}

Result<Nothing> check_host_path(const api::HostPathVolumeSource& source) {
  // The kernel and the runtime would only see the part before the NUL.
  if (source.path.contains('\0'))
    return fail(ErrorCode::kInvalid, fmt::format("stat {}: invalid argument", source.path));
  const std::string type = source.type.value_or("");
  if (type.empty()) return Nothing{};
  const auto known = std::find_if(std::begin(kPathTypes), std::end(kPathTypes),
                                  [&](const PathType& entry) { return type == entry.name; });
  if (known == std::end(kPathTypes)) {
    return fail(ErrorCode::kInvalid, type + " is an invalid volume type");
  }
  if (type == "DirectoryOrCreate" && !path_exists(source.path)) {
    return create_host_directory(source.path);
  }
  if (type == "FileOrCreate" && !path_exists(source.path)) {
    return write_file(source.path, "", kCreatedFileMode);
  }
  struct stat status {};
  const bool right =
      ::stat(source.path.c_str(), &status) == 0 && (status.st_mode & S_IFMT) == known->format;
  if (right) return Nothing{};
  return fail(ErrorCode::kInvalid,
              fmt::format("hostPath type check failed: {} is not {}", source.path, known->words));
}

}  // namespace berth::node
