// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/machine_look.hpp"

#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/timex.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <utility>

#include "agent/doctor/listening_socket.hpp"
#include "base/real_clock.hpp"
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

std::optional<bool> clock_synchronised() {
  timex state{};
  if (::adjtimex(&state) < 0) return std::nullopt;
  return (state.status & STA_UNSYNC) == 0;
}

std::optional<FileSystemFacts> look_at_file_system(fs::path folder) {
  struct statfs found {};
  while (::statfs(folder.c_str(), &found) != 0) {
    if (!folder.has_relative_path()) return std::nullopt;
    folder = folder.parent_path();
  }
  const auto block = static_cast<std::int64_t>(found.f_bsize);
  const auto type = static_cast<std::int64_t>(found.f_type);
  return FileSystemFacts{.path = folder.string(),
                         .in_memory = type == TMPFS_MAGIC || type == RAMFS_MAGIC,
                         .available = static_cast<std::int64_t>(found.f_bavail) * block,
                         .capacity = static_cast<std::int64_t>(found.f_blocks) * block};
}

std::vector<ProcessFacts> processes_called(const std::string& proc, std::string_view name) {
  std::vector<ProcessFacts> processes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(proc, error)) {
    const auto pid = number_in<std::int64_t>(entry.path().filename().string(), 10);
    if (!pid) continue;
    std::string comm = text_of(entry.path() / "comm");
    if (comm == name) processes.push_back({.pid = *pid, .name = std::move(comm)});
  }
  std::ranges::sort(processes, {}, &ProcessFacts::pid);
  return processes;
}

}  // namespace

MachineFacts look_at_machine(const MachineQuestion& question) {
  const std::string& proc = question.proc;
  MachineFacts facts{.kernel = text_of(proc + "/sys/kernel/osrelease"),
                     .cgroups = look_at_cgroups(question.cgroup_mount),
                     .counts_stalls = !text_of(proc + "/pressure/memory").empty(),
                     .granted = capabilities_of(proc + "/1/status", "CapBnd"),
                     .now = RealClock().wall_now(),
                     .clock_synchronised = clock_synchronised(),
                     .root_folder = look_at_file_system(question.root_folder),
                     .kubelets = processes_called(proc, "kubelet")};
  facts.capabilities =
      question.as_berthd ? capabilities_of(proc + "/self/status", "CapEff") : facts.granted;
  if (const auto kib = number_in<std::int64_t>(field_of(proc + "/meminfo", "SwapTotal"), 10))
    facts.swap = *kib * 1024;
  if (question.http_port != 0) facts.http_port_taken = who_listens(proc, question.http_port);
  return facts;
}

}  // namespace berth::agent
