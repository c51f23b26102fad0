#include "node/volumes.hpp"

#include <sys/mount.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "node/pod_paths.hpp"

namespace berth::node {
namespace {

constexpr mode_t kEmptyDirMode = 0777;  // any user of any container
constexpr mode_t kCreatedDirectoryMode = 0755;
constexpr mode_t kCreatedFileMode = 0644;

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

Result<Nothing> set_up_volume(const NodePaths& paths, const api::Pod& pod,
                              const api::Volume& volume) {
  if (volume.hostPath) return check_host_path(*volume.hostPath);
  if (volume.emptyDir && volume.emptyDir->medium.empty()) {
    const auto directory = empty_dir_path(paths, pod.metadata.uid, volume.name);
    if (is_directory(directory)) return Nothing{};
    return ensure_directory_mode(directory, kEmptyDirMode);
  }
  if (volume.emptyDir) {
    return fail(ErrorCode::kUnimplemented, "emptyDir on medium " + volume.emptyDir->medium +
                                               " is not supported by this version");
  }
  return fail(ErrorCode::kUnimplemented,
              "only emptyDir and hostPath volumes are supported by this version");
}

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

}  // namespace

Result<Nothing> set_up_volumes(const NodePaths& paths, const api::Pod& pod) {
  for (const auto& volume : pod.spec.volumes) {
    auto done = set_up_volume(paths, pod, volume);
    if (done) continue;
    return fail(done.error().code, fmt::format("MountVolume.SetUp failed for volume \"{}\" : {}",
                                               volume.name, done.error().message));
  }
  return Nothing{};
}

Result<Nothing> check_host_path(const api::HostPathVolumeSource& source) {
  const std::string type = source.type.value_or("");
  if (type.empty()) return Nothing{};
  const auto known = std::find_if(std::begin(kPathTypes), std::end(kPathTypes),
                                  [&](const PathType& entry) { return type == entry.name; });
  if (known == std::end(kPathTypes)) {
    return fail(ErrorCode::kInvalid, type + " is an invalid volume type");
  }
  if (type == "DirectoryOrCreate" && !path_exists(source.path)) {
    return make_directories(source.path, kCreatedDirectoryMode);
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

Result<Nothing> unmount_below(const std::string& directory) {
  const auto table = read_file("/proc/self/mountinfo");
  if (!table) return fail(table.error());
  std::vector<std::string> points;
  std::istringstream lines(*table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string id, parent, device, root, point;
    fields >> id >> parent >> device >> root >> point;
    point = unescaped(point);
    if (point.starts_with(directory + "/")) points.push_back(point);
  }
  // Later mounts lie above earlier ones.
  for (auto point = points.rbegin(); point != points.rend(); ++point) {
    if (::umount2(point->c_str(), UMOUNT_NOFOLLOW) != 0 && errno != EINVAL && errno != ENOENT) {
      return system_failure("unmounting", *point, errno);
    }
  }
  return Nothing{};
}

}  // namespace berth::node
