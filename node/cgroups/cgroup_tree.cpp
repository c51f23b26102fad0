// SPDX-License-Identifier: Apache-2.0

#include "node/cgroups/cgroup_tree.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "node/cgroups/cpu_shares.hpp"

namespace berth::node {
namespace {

namespace fs = std::filesystem;

// The controllers that limit pods; those that the root lacks are skipped.
constexpr std::array<std::string_view, 5> kControllers = {"cpu", "cpuset", "memory", "hugetlb",
                                                          "pids"};
constexpr const char* kHybridTree = "unified";  // version 2 mounted beside version 1, without
                                                // controllers

std::set<std::string> words_of(const std::string& path) {
  std::set<std::string> words;
  std::istringstream text(read_file(path).value_or(""));
  for (std::string word; text >> word;) words.insert(word);
  return words;
}

// "2MB", as in the kernel's file names.
std::string page_size_name(std::int64_t bytes) {
  if (bytes % (std::int64_t{1} << 30) == 0) return fmt::format("{}GB", bytes >> 30);
  if (bytes % (std::int64_t{1} << 20) == 0) return fmt::format("{}MB", bytes >> 20);
  return fmt::format("{}KB", bytes >> 10);
}

bool has_cpus(const std::string& cpuset) {
  const auto own = read_file(cpuset + "/cpuset.cpus");
  return own && own->find_first_not_of(" \n") != std::string::npos;
}

// A new cpuset of version 1 has no CPUs and accepts no process until CPUs are assigned to it.
Result<Nothing> inherit_cpuset(const std::string& parent, const std::string& child) {
  for (const char* file : {"/cpuset.cpus", "/cpuset.mems"}) {
    const auto own = read_file(child + file);
    if (!own || own->find_first_not_of(" \n") != std::string::npos) continue;
    const auto inherited = read_file(parent + file);
    if (!inherited) return fail(inherited.error());
    if (auto written = write_existing(child + file, *inherited); !written) return written;
  }
  return Nothing{};
}

// Trees of version 1 are named after their controllers: "cpu,cpuacct".
bool serves(const std::string& root, std::string_view controller) {
  std::string_view names(root);
  names.remove_prefix(names.rfind('/') + 1);
  while (!names.empty()) {
    const auto comma = names.find(',');
    if (names.substr(0, comma) == controller) return true;
    if (comma == std::string_view::npos) break;
    names.remove_prefix(comma + 1);
  }
  return false;
}

void collect_directories(const std::string& top, std::vector<std::string>& out) {
  std::error_code failure;
  for (fs::directory_iterator entry(top, failure); !failure && entry != fs::directory_iterator();
       entry.increment(failure)) {
    if (entry->is_directory(failure) && !entry->is_symlink(failure)) {
      collect_directories(entry->path().string(), out);
    }
  }
  out.push_back(top);  // after its descendants
}

}  // namespace

CgroupTree::CgroupTree(std::string mount, int version, std::vector<std::int64_t> page_sizes)
    : mount_(std::move(mount)), version_(version), page_sizes_(std::move(page_sizes)) {
  if (version_ == 2) {
    roots_.push_back(mount_);
    return;
  }
  for (const auto& name : list_directory(mount_).value_or(std::vector<std::string>{})) {
    const std::string root = mount_ + "/" + name;
    std::error_code failure;
    // "cpu" may be a link to "cpu,cpuacct": one tree, found under its own name.
    if (name == kHybridTree || fs::is_symlink(root, failure)) continue;
    if (path_exists(root + "/cgroup.procs")) roots_.push_back(root);
  }
}

std::vector<std::string> CgroupTree::directories(const CgroupName& name) const {
  std::vector<std::string> list;
  const std::string path = name.empty() ? "" : cgroupfs_path(name);
  for (const auto& root : roots_) list.push_back(root + path);
  return list;
}

bool CgroupTree::exists(const CgroupName& name) const {
  const auto list = directories(name);
  if (list.empty() || !std::all_of(list.begin(), list.end(), is_directory)) return false;
  if (version_ != 2) return true;
  const auto available = words_of(mount_ + "/cgroup.controllers");
  const auto enabled = words_of(list.front() + "/cgroup.controllers");
  return std::all_of(kControllers.begin(), kControllers.end(), [&](std::string_view controller) {
    const std::string word(controller);
    return !available.contains(word) || enabled.contains(word);
  });
}

Result<Nothing> CgroupTree::create(const CgroupName& name) const {
  if (roots_.empty()) {
    return fail(ErrorCode::kNotFound,
                "no cgroup controllers are mounted below " + mount_ + "; mount them there");
  }
  if (version_ == 2) return create_v2(name);
  for (const auto& root : roots_) {
    if (auto made = create_v1(root, name); !made) return made;
  }
  return Nothing{};
}

// Mostly only the last directory is missing, and only a cpuset has anything to inherit.
Result<Nothing> CgroupTree::create_v1(const std::string& root, const CgroupName& name) const {
  if (name.empty()) return Nothing{};
  const std::string directory = root + cgroupfs_path(name);
  if (!serves(root, "cpuset")) return make_directories(directory, 0755);
  const CgroupName above(name.begin(), std::prev(name.end()));
  const std::string parent = above.empty() ? root : root + cgroupfs_path(above);
  if (!has_cpus(parent)) {
    if (auto made = create_v1(root, above); !made) return made;
  }
  if (auto made = make_directories(directory, 0755); !made) return made;
  return inherit_cpuset(parent, directory);
}

Result<Nothing> CgroupTree::create_v2(const CgroupName& name) const {
  std::string directory = mount_;
  for (const auto& component : name) {
    const auto available = words_of(directory + "/cgroup.controllers");
    const auto enabled = words_of(directory + "/cgroup.subtree_control");
    for (const auto controller : kControllers) {
      const std::string word(controller);
      if (!available.contains(word) || enabled.contains(word)) continue;
      auto handed_down = write_existing(directory + "/cgroup.subtree_control", "+" + word);
      if (!handed_down) {
        return fail(wrap("handing controller " + word + " down to the cgroups below " + directory,
                         handed_down.error()));
      }
    }
    directory += "/" + component;
    if (auto made = make_directories(directory, 0755); !made) return made;
  }
  return Nothing{};
}

Result<Nothing> CgroupTree::write(const CgroupName& name, const std::string& file,
                                  const std::string& text) const {
  const std::string controller = file.substr(0, file.find('.'));
  for (const auto& root : roots_) {
    if (version_ != 2 && !serves(root, controller)) continue;
    const std::string path = root + cgroupfs_path(name) + "/" + file;
    if (!path_exists(path)) continue;  // another controller's tree, or a missing one
    if (auto written = write_existing(path, text); !written) return written;
  }
  return Nothing{};
}

CgroupTree::Writes CgroupTree::writes_of(const CgroupValues& values, bool close_huge_pages) const {
  Writes writes;
  const bool v2 = version_ == 2;
  if (values.cpu_shares) {
    writes.emplace_back(
        v2 ? "cpu.weight" : "cpu.shares",
        std::to_string(v2 ? weight_from_shares(*values.cpu_shares) : *values.cpu_shares));
  }
  const std::int64_t quota = values.cpu_quota.value_or(0);
  if (v2 && (values.cpu_quota || values.cpu_period)) {
    writes.emplace_back("cpu.max", fmt::format("{} {}", quota > 0 ? std::to_string(quota) : "max",
                                               values.cpu_period.value_or(kDefaultQuotaPeriod)));
  } else if (!v2) {
    // The period first: a quota is checked against it.
    if (values.cpu_period) {
      writes.emplace_back("cpu.cfs_period_us", std::to_string(*values.cpu_period));
    }
    if (quota != 0) writes.emplace_back("cpu.cfs_quota_us", std::to_string(quota));
  }
  if (values.memory_limit && *values.memory_limit > 0) {
    writes.emplace_back(v2 ? "memory.max" : "memory.limit_in_bytes",
                        std::to_string(*values.memory_limit));
  }
  if (values.pids_limit) writes.emplace_back("pids.max", std::to_string(*values.pids_limit));
  for (const std::int64_t size : page_sizes_) {
    const auto given = values.hugepage_limits.find(size);
    if (given == values.hugepage_limits.end() && !close_huge_pages) continue;
    const std::int64_t limit = given == values.hugepage_limits.end() ? 0 : given->second;
    writes.emplace_back(
        fmt::format("hugetlb.{}.{}", page_size_name(size), v2 ? "max" : "limit_in_bytes"),
        std::to_string(limit));
  }
  return writes;
}

std::vector<std::string> CgroupTree::missing(const CgroupName& name, const CgroupValues& values,
                                             bool close_huge_pages) const {
  std::set<std::string> controllers;
  for (const auto& [file, text] : writes_of(values, close_huge_pages))
    controllers.insert(file.substr(0, file.find('.')));
  std::set<std::string> out;
  for (const auto& root : roots_) {
    const auto available = words_of(root + "/cgroup.controllers");
    const std::string directory = root + cgroupfs_path(name);
    const bool is_there = is_directory(directory);
    if (version_ == 2 && !is_there) out.insert(directory);
    const auto enabled = words_of(directory + "/cgroup.controllers");
    for (const std::string& controller : controllers) {
      if (version_ != 2) {
        if (serves(root, controller) && !is_there) out.insert(directory);
      } else if (is_there && available.contains(controller) && !enabled.contains(controller)) {
        out.insert(fmt::format("controller {} in {}", controller, directory));
      }
    }
  }
  return {out.begin(), out.end()};
}

Result<Nothing> CgroupTree::apply(const CgroupName& name, const CgroupValues& values,
                                  bool close_huge_pages) const {
  for (const auto& [file, text] : writes_of(values, close_huge_pages)) {
    if (auto written = write(name, file, text); !written) return written;
  }
  return Nothing{};
}

std::vector<std::string> CgroupTree::roots_with_unified() const {
  auto roots = roots_;
  const std::string hybrid = mount_ + "/" + kHybridTree;
  if (version_ != 2 && path_exists(hybrid + "/cgroup.procs")) roots.push_back(hybrid);
  return roots;
}

std::vector<std::string> CgroupTree::with_descendants(const CgroupName& name) const {
  std::vector<std::string> found;
  for (const auto& root : roots_with_unified()) {
    const std::string top = root + cgroupfs_path(name);
    if (is_directory(top)) collect_directories(top, found);
  }
  return found;
}

std::vector<pid_t> CgroupTree::processes(const CgroupName& name) const {
  std::set<pid_t> pids;
  for (const auto& directory : with_descendants(name)) {
    std::istringstream text(read_file(directory + "/cgroup.procs").value_or(""));
    for (pid_t pid = 0; text >> pid;) pids.insert(pid);
  }
  return {pids.begin(), pids.end()};
}

std::size_t CgroupTree::kill_all(const CgroupName& name) const {
  std::size_t killed = 0;
  for (const pid_t pid : processes(name)) {
    // 0 is a process of another pid namespace; killing it would kill our own group.
    if (pid > 1 && pid != ::getpid() && ::kill(pid, SIGKILL) == 0) ++killed;
  }
  if (killed > 0) thaw(name);
  return killed;
}

// runc freezes a container for a moment, to signal all of its processes for one. If runc is killed
// then, because the caller of the runtime has died, the container stays frozen; under version 1 its
// processes survive SIGKILL until they are thawed.
void CgroupTree::thaw(const CgroupName& name) const {
  for (const auto& directory : with_descendants(name))
    for (const auto& [file, thawed] :
         {std::pair("/freezer.state", "THAWED"), {"/cgroup.freeze", "0"}})
      static_cast<void>(write_existing(directory + file, thawed));  // most trees have neither file
}

Result<Nothing> CgroupTree::remove(const CgroupName& name) const {
  if (name.empty()) return fail(ErrorCode::kInvalid, "the root cgroup cannot be removed");
  Result<Nothing> result = Nothing{};
  for (const auto& directory : with_descendants(name)) {
    if (::rmdir(directory.c_str()) == 0 || errno == ENOENT) continue;
    // The remaining cgroups are removed all the same; the first failure is returned.
    if (result) result = system_failure("removing cgroup", directory, errno);
  }
  return result;
}

std::vector<std::string> CgroupTree::children(const CgroupName& name) const {
  std::set<std::string> names;
  for (const auto& top : directories(name)) {
    std::error_code failure;
    for (fs::directory_iterator entry(top, failure); !failure && entry != fs::directory_iterator();
         entry.increment(failure)) {
      if (entry->is_directory(failure)) names.insert(entry->path().filename().string());
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace berth::node
