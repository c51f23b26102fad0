// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/machine_look.hpp"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <utility>

#include "agent/doctor/listening_socket.hpp"
#include "base/real_clock.hpp"
#include "base/text.hpp"
#include "eviction/statfs_reading.hpp"
#include "node/file_io.hpp"

namespace berth::agent {
namespace {

namespace fs = std::filesystem;

// Trimmed at its end; empty if it cannot be read.
std::string text_of(const std::string& path) {
  std::string text = node::read_file(path).value_or("");
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

// The value of a line "NAME:   value" in a file of the kernel.
std::optional<std::string> field_of(const std::string& path, std::string_view name) {
  std::istringstream lines(text_of(path));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ':') continue;
    const auto begin = line.find_first_not_of(" \t", name.size() + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return std::nullopt;
}

template <class Number>
std::optional<Number> number_in(const std::optional<std::string>& text, int base) {
  if (!text) return std::nullopt;
  Number number{};
  const auto [end, error] =
      std::from_chars(text->data(), text->data() + text->size(), number, base);
  if (error != std::errc{} || end == text->data()) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> capabilities_of(const std::string& status, std::string_view set) {
  return number_in<std::uint64_t>(field_of(status, set), 16);
}

CgroupFacts look_at_cgroups(const std::string& mount) {
  CgroupFacts facts{.mount = mount};
  const fs::path root = mount;
  std::error_code error;
  if (fs::exists(root / "cgroup.controllers", error)) {
    facts.layout = CgroupLayout::kV2;
    std::istringstream names(text_of(root / "cgroup.controllers"));
    for (std::string name; names >> name;) facts.controllers.insert(name);
    return facts;
  }
  // Trees of version 1 are named after their controllers: "cpu,cpuacct".
  for (const auto& tree : fs::directory_iterator(root, error)) {
    std::error_code unreadable;
    if (!fs::exists(tree.path() / "cgroup.procs", unreadable)) continue;
    std::istringstream names(tree.path().filename().string());
    for (std::string name; std::getline(names, name, ',');) {
      if (name == "unified" || name == "systemd") continue;
      facts.controllers.insert(name);
      facts.layout = CgroupLayout::kV1;
    }
  }
  return facts;
}

// Microseconds. While nothing corrects the clock, the kernel's estimate of its error grows up to
// this value. STA_UNSYNC means something else: chrony may leave it set, to keep the kernel from
// setting the hardware clock.
constexpr long kLargestError = 16'000'000;

// Reading needs no privilege, but a sandbox may refuse the call altogether.
ClockFacts look_at_clock(int (*ask)(timex*)) {
  ClockFacts facts{.now = RealClock().wall_now()};
  timex state{};
  if (ask(&state) < 0) {
    facts.refusal = std::string("adjtimex: ") + std::strerror(errno);
  } else {
    facts.synchronised = state.maxerror < kLargestError;
  }
  return facts;
}

std::optional<FileSystemFacts> look_at_file_system(fs::path folder) {
  if (folder.empty()) return std::nullopt;
  struct statvfs found {};
  while (::statvfs(folder.c_str(), &found) != 0) {
    if (!folder.has_relative_path()) return std::nullopt;
    folder = folder.parent_path();
  }
  struct statfs type {};
  struct stat place {};
  if (::statfs(folder.c_str(), &type) != 0 || ::stat(folder.c_str(), &place) != 0)
    return std::nullopt;
  const auto magic = static_cast<std::int64_t>(type.f_type);
  return FileSystemFacts{
      .path = folder.string(),
      .device = std::to_string(major(place.st_dev)) + ":" + std::to_string(minor(place.st_dev)),
      .in_memory = magic == TMPFS_MAGIC || magic == RAMFS_MAGIC,
      .reading = eviction::file_system_reading({.f_frsize = found.f_frsize,
                                                .f_blocks = found.f_blocks,
                                                .f_bavail = found.f_bavail,
                                                .f_files = found.f_files,
                                                .f_ffree = found.f_ffree},
                                               std::nullopt)};
}

// Whether the process is in any container: by its pid namespaces, which everybody can read, else by
// its mount namespace. A mount namespace that may not be read proves nothing.
bool runs_in_container(const std::string& proc, std::int64_t pid) {
  const std::string process = proc + "/" + std::to_string(pid);
  std::istringstream pids(field_of(process + "/status", "NSpid").value_or(""));
  std::int64_t number = 0;
  int namespaces = 0;
  while (pids >> number) ++namespaces;
  if (namespaces > 1) return true;
  std::error_code refused;
  const auto own = fs::read_symlink(process + "/ns/mnt", refused);
  const auto machines = fs::read_symlink(proc + "/1/ns/mnt", refused);
  return !own.empty() && !machines.empty() && own != machines;
}

constexpr std::array<std::string_view, 3> kEmbedders = {"k3s-server", "k3s-agent", "kubelite"};

OtherAgents look_for_agents(const std::string& proc,
                            const std::map<std::int32_t, ProcessFacts>& listeners) {
  OtherAgents others;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(proc, error)) {
    const auto pid = number_in<std::int64_t>(entry.path().filename().string(), 10);
    if (!pid) continue;
    ProcessFacts process{.pid = *pid, .name = valid_text(text_of(entry.path() / "comm"))};
    const bool embedder = std::ranges::find(kEmbedders, process.name) != kEmbedders.end();
    if ((!embedder && process.name != "kubelet") || runs_in_container(proc, *pid)) continue;
    (embedder ? others.embedders : others.kubelets).push_back(std::move(process));
  }
  std::ranges::sort(others.kubelets, {}, &ProcessFacts::pid);
  std::ranges::sort(others.embedders, {}, &ProcessFacts::pid);
  for (const std::int32_t port : kKubeletPorts) {
    const auto listener = listeners.find(port);
    if (listener == listeners.end() || listener->second.pid == ::getpid()) continue;
    const std::int64_t pid = listener->second.pid;
    if (pid == 0 || !runs_in_container(proc, pid)) others.ports.insert(*listener);
  }
  return others;
}

}  // namespace

MachineFacts look_at_machine(const MachineQuestion& question) {
  const std::string& proc = question.proc;
  std::set<std::int32_t> ports(kKubeletPorts.begin(), kKubeletPorts.end());
  if (question.http_port != 0) ports.insert(question.http_port);
  const auto listeners = who_listens(proc, ports);
  MachineFacts facts{
      .kernel = text_of(proc + "/sys/kernel/osrelease"),
      .cgroups = look_at_cgroups(question.cgroup_mount),
      .counts_stalls = !text_of(proc + "/pressure/memory").empty(),
      .granted = capabilities_of(proc + "/1/status", "CapBnd"),
      .clock = look_at_clock(question.ask_clock == nullptr ? ::adjtimex : question.ask_clock),
      .disks = {.root = look_at_file_system(question.root_folder),
                .images = look_at_file_system(question.image_folder),
                .logs = look_at_file_system(question.log_folder)},
      .others = look_for_agents(proc, listeners),
      .has_system_bus = ::access(question.system_bus.c_str(), F_OK) == 0};
  facts.capabilities =
      question.as_berthd ? capabilities_of(proc + "/self/status", "CapEff") : facts.granted;
  if (const auto kib = number_in<std::int64_t>(field_of(proc + "/meminfo", "SwapTotal"), 10))
    facts.swap = *kib * 1024;
  if (const auto taken = listeners.find(question.http_port); taken != listeners.end())
    facts.http_port_taken = taken->second;
  return facts;
}

}  // namespace berth::agent
