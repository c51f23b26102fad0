// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/memory_cgroups.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <sstream>

#include "base/directory_stream.hpp"
#include "eviction/proc_files.hpp"
#include "node/file_io.hpp"

namespace berth::agent {
namespace {

using eviction::CgroupMemory;
using eviction::CgroupPlace;
using eviction::CgroupVersion;

std::optional<std::string> text_if_any(const std::string& path) {
  auto text = node::read_file(path);
  if (!text) return std::nullopt;
  return std::move(*text);
}

bool lists_memory(const std::string& controllers) {
  std::istringstream words(controllers);
  for (std::string word; words >> word;)
    if (word == "memory") return true;
  return false;
}

bool has_memory_controller(const std::string& tree) {
  const auto controllers = text_if_any(tree + "/cgroup.controllers");
  return controllers && lists_memory(*controllers);
}

// Trees of version 1 are named after their controllers: "memory", rarely "cpu,memory".
std::string v1_tree(const std::string& mount) {
  const auto names = node::list_directory(mount);
  if (!names) return {};
  for (const std::string& name : *names) {
    std::istringstream controllers(name);
    for (std::string controller; std::getline(controllers, controller, ',');)
      if (controller == "memory" && node::path_exists(mount + "/" + name + "/memory.stat"))
        return mount + "/" + name;
  }
  return {};
}

bool is_root(const std::string& path) {
  return path.empty() || path == "/";
}

bool is_directory(DIR* stream, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
  struct stat status {};
  return ::fstatat(::dirfd(stream), entry.d_name, &status, 0) == 0 && S_ISDIR(status.st_mode);
}

std::vector<std::string> directories_below(const std::string& directory) {
  std::vector<std::string> names;
  const DirectoryStream stream(::opendir(directory.c_str()));
  while (const dirent* entry = stream ? ::readdir(stream.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != ".." && is_directory(stream.get(), *entry)) names.emplace_back(name);
  }
  return names;
}

// False if the cgroup was removed before it could be read.
bool add_processes(const std::string& directory, std::int64_t& count) {
  const auto listed = text_if_any(directory + "/cgroup.procs");
  if (!listed) return false;
  count += std::ranges::count(*listed, '\n');
  for (const std::string& name : directories_below(directory))
    add_processes(directory + "/" + name, count);
  return true;
}

std::optional<std::int64_t> working_set_of(const CgroupMemory& memory) {
  return eviction::memory_reading(memory, std::nullopt, std::nullopt).working_set;
}

}  // namespace

MemoryCgroups::MemoryCgroups(const std::string& mount) {
  if (has_memory_controller(mount)) {
    tree_ = mount;
  } else if (auto tree = v1_tree(mount); !tree.empty()) {
    version_ = CgroupVersion::kV1;
    tree_ = std::move(tree);
  } else if (has_memory_controller(mount + "/unified")) {
    tree_ = mount + "/unified";
  }
}

std::string MemoryCgroups::directory(const std::string& path) const {
  return is_root(path) ? tree_ : tree_ + path;
}

CgroupMemory MemoryCgroups::parse(const std::string& path, bool with_limit) const {
  if (!visible()) return {};
  const bool v1 = version_ == CgroupVersion::kV1;
  const std::string at = directory(path) + "/";
  eviction::CgroupMemoryTexts texts{
      .usage = text_if_any(at + (v1 ? "memory.usage_in_bytes" : "memory.current")),
      .stat = text_if_any(at + "memory.stat")};
  if (with_limit && !is_root(path))
    texts.limit = text_if_any(at + (v1 ? "memory.limit_in_bytes" : "memory.max"));
  return eviction::parse_cgroup_memory(texts, version_,
                                       is_root(path) ? CgroupPlace::kRoot : CgroupPlace::kBelow);
}

CgroupMemory MemoryCgroups::memory(const std::string& path) const {
  return parse(path, true);
}

std::optional<std::int64_t> MemoryCgroups::working_set(const std::string& path) const {
  return working_set_of(parse(path, false));
}

namespace {

// The container's id, from the name of its cgroup: with containerd the id alone or, as a unit of
// the service manager, "cri-containerd-<id>.scope"; with CRI-O "crio-<id>" or "crio-<id>.scope".
// Empty for "crio-conmon-<id>", which has the process that monitors the container.
std::string container_of(std::string cgroup) {
  constexpr std::string_view kScope = ".scope";
  if (cgroup.starts_with("crio-conmon-")) return {};
  const bool scope = cgroup.ends_with(kScope);
  if (scope) cgroup.erase(cgroup.size() - kScope.size());
  return scope || cgroup.starts_with("crio-") ? cgroup.substr(cgroup.rfind('-') + 1) : cgroup;
}

}  // namespace

std::map<std::string, std::int64_t> MemoryCgroups::working_sets_below(
    const std::string& path) const {
  std::map<std::string, std::int64_t> sets;
  if (!visible()) return sets;
  const std::string prefix = is_root(path) ? "" : path;
  for (const std::string& name : directories_below(directory(path))) {
    const auto id = container_of(name);
    if (id.empty()) continue;
    if (const auto used = working_set(prefix + "/" + name)) sets[id] = *used;
  }
  return sets;
}

std::optional<std::int64_t> MemoryCgroups::processes(const std::string& path) const {
  std::int64_t count = 0;
  if (!visible() || !add_processes(directory(path), count)) return std::nullopt;
  return count;
}

std::optional<eviction::StallReading> MemoryCgroups::stall(const std::string& path,
                                                           std::string_view resource,
                                                           std::optional<WallTime> now) const {
  if (!visible() || version_ == CgroupVersion::kV1 || is_root(path)) return std::nullopt;
  const auto text = text_if_any(directory(path) + "/" + std::string(resource) + ".pressure");
  if (!text) return std::nullopt;
  return eviction::parse_pressure(*text, now);
}

}  // namespace berth::agent
