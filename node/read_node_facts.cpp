// SPDX-License-Identifier: Apache-2.0

#include "node/read_node_facts.hpp"

#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "base/text.hpp"
#include "node/dns.hpp"
#include "node/file_io.hpp"
#include "node/local_addresses.hpp"

namespace berth::node {
namespace {

std::string trimmed(std::string text) {
  const auto end = text.find_last_not_of(" \t\r\n");
  text.erase(end == std::string::npos ? 0 : end + 1);
  return text;
}

std::string text_of(const std::string& path) {
  return trimmed(read_file(path).value_or(""));
}

std::string first_text(std::initializer_list<const char*> paths) {
  for (const char* path : paths) {
    if (auto text = text_of(path); !text.empty()) return text;
  }
  return "";
}

std::int64_t number_of(const std::string& path) {
  const auto text = text_of(path);
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// A line of /proc/meminfo, "MemTotal:  16384 kB", in bytes.
std::int64_t memory_line(const std::string& meminfo, std::string_view name) {
  std::istringstream lines(meminfo);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ':') continue;
    std::istringstream fields(line.substr(name.size() + 1));
    std::int64_t kilobytes = 0;
    fields >> kilobytes;
    return kilobytes * 1024;
  }
  return 0;
}

// Directories named "hugepages-2048kB".
std::vector<HugePages> huge_pages() {
  const std::string top = "/sys/kernel/mm/hugepages";
  constexpr std::string_view kPrefix = "hugepages-";
  std::vector<HugePages> list;
  for (const auto& name : list_directory(top).value_or(std::vector<std::string>{})) {
    if (!name.starts_with(kPrefix)) continue;
    std::int64_t kilobytes = 0;
    std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), kilobytes);
    if (kilobytes <= 0) continue;
    list.push_back(
        {.page_size = kilobytes * 1024, .count = number_of(top + "/" + name + "/nr_hugepages")});
  }
  std::sort(list.begin(), list.end(),
            [](const HugePages& a, const HugePages& b) { return a.page_size < b.page_size; });
  return list;
}

// The capacity of the file system that the directory is on, or will be on once it is created.
std::int64_t file_system_capacity(const std::string& path) {
  std::filesystem::path directory = path;
  while (!is_directory(directory.string()) && directory.has_relative_path()) {
    directory = directory.parent_path();
  }
  struct statvfs status {};
  if (::statvfs(directory.c_str(), &status) != 0) return 0;
  return static_cast<std::int64_t>(status.f_blocks) * static_cast<std::int64_t>(status.f_frsize);
}

std::string os_image() {
  for (const char* path : {"/etc/os-release", "/usr/lib/os-release"}) {
    std::istringstream lines(read_file(path).value_or(""));
    for (std::string line; std::getline(lines, line);) {
      constexpr std::string_view kKey = "PRETTY_NAME=";
      if (!line.starts_with(kKey)) continue;
      auto name = line.substr(kKey.size());
      if (name.size() >= 2 && (name.front() == '"' || name.front() == '\'')) {
        name = name.substr(1, name.size() - 2);
      }
      return valid_text(std::move(name));
    }
  }
  return "Linux";
}

std::string go_architecture(const std::string& machine) {
  if (machine == "x86_64") return "amd64";
  if (machine == "aarch64") return "arm64";
  if (machine == "i686" || machine == "i386") return "386";
  if (machine.starts_with("armv")) return "arm";
  return machine;  // riscv64, s390x, ppc64le are the same
}

// True if any visible cgroup has the file; the root of version 2 does not.
bool has_swap_controller(const NodePaths& paths, int version) {
  if (version == 1) return path_exists(paths.cgroup_mount + "/memory/memory.memsw.limit_in_bytes");
  std::istringstream own(read_file("/proc/self/cgroup").value_or(""));
  for (std::string line; std::getline(own, line);) {
    if (!line.starts_with("0::")) continue;
    if (path_exists(paths.cgroup_mount + line.substr(3) + "/memory.swap.max")) return true;
  }
  for (const auto& name : list_directory(paths.cgroup_mount).value_or(std::vector<std::string>{})) {
    if (path_exists(paths.cgroup_mount + "/" + name + "/memory.swap.max")) return true;
  }
  return false;
}

std::vector<std::string> thermal_throttle_paths(std::int64_t cpus) {
  std::vector<std::string> paths;
  for (std::int64_t cpu = 0; cpu < cpus; ++cpu) {
    auto path = fmt::format("/sys/devices/system/cpu/cpu{}/thermal_throttle", cpu);
    if (path_exists(path)) paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace

Result<NodeFacts> read_node_facts(const NodePaths& paths) {
  NodeFacts facts;
  struct statfs cgroup_mount {};
  if (::statfs(paths.cgroup_mount.c_str(), &cgroup_mount) != 0) {
    return system_failure("reading the cgroup file system at", paths.cgroup_mount, errno);
  }
  facts.cgroup_version = cgroup_mount.f_type == CGROUP2_SUPER_MAGIC ? 2 : 1;
  facts.swap_controller_available = has_swap_controller(paths, facts.cgroup_version);

  const auto meminfo = read_file("/proc/meminfo");
  if (!meminfo) return fail(meminfo.error());
  facts.memory = memory_line(*meminfo, "MemTotal");
  facts.swap = memory_line(*meminfo, "SwapTotal");
  facts.cpus = ::sysconf(_SC_NPROCESSORS_ONLN);
  if (facts.memory <= 0 || facts.cpus <= 0) {
    return fail(ErrorCode::kUnknown, "/proc/meminfo has no MemTotal, or there are no CPUs");
  }
  facts.huge_pages = huge_pages();
  facts.ephemeral_storage = file_system_capacity(paths.root);
  facts.max_pids =
      std::min(number_of("/proc/sys/kernel/pid_max"), number_of("/proc/sys/kernel/threads-max"));

  struct utsname names {};
  if (::uname(&names) == 0) {
    facts.hostname = names.nodename;
    facts.kernel_version = names.release;
    facts.architecture = go_architecture(names.machine);
  }
  facts.confinement = read_host_confinement();
  facts.machine_id = first_text({"/etc/machine-id", "/var/lib/dbus/machine-id"});
  facts.system_uuid = first_text({"/sys/class/dmi/id/product_uuid", "/proc/device-tree/system-id",
                                  "/proc/device-tree/vm,uuid"});
  if (facts.system_uuid.empty()) facts.system_uuid = facts.machine_id;
  facts.boot_id = text_of("/proc/sys/kernel/random/boot_id");
  facts.os_image = os_image();
  facts.addresses = local_addresses();
  facts.extra_masked_paths = thermal_throttle_paths(facts.cpus);
  return facts;
}

HostConfinement read_host_confinement(const std::string& root) {
  // Both checks as in the kubelet and the runtimes.
  const bool apparmor = path_exists(root + "/sys/kernel/security/apparmor") &&
                        text_of(root + "/sys/module/apparmor/parameters/enabled").starts_with('Y');
  const bool selinux = path_exists(root + "/sys/fs/selinux/enforce") &&
                       text_of(root + "/proc/self/attr/current") != "kernel";
  return {.apparmor = apparmor, .selinux = selinux};
}

Result<cri::DnsConfig> read_host_dns(const NodePaths& paths) {
  if (paths.resolv_conf.empty()) return cri::DnsConfig{};
  const auto text = read_file(paths.resolv_conf);
  if (!text) return fail(wrap("resolvConf", text.error()));
  return parse_resolv_conf(*text);
}

}  // namespace berth::node
