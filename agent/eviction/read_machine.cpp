// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/read_machine.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "eviction/number_text.hpp"
#include "eviction/proc_files.hpp"
#include "eviction/statfs_reading.hpp"
#include "node/file_io.hpp"

namespace berth::agent {
namespace {

std::string text_of(const std::string& path) {
  return node::read_file(path).value_or("");
}

std::optional<std::int64_t> number_in(const std::string& path) {
  return eviction::parse_number(text_of(path));
}

void read_pods_cgroup(const MemoryCgroups& cgroups, const std::string& path, WallTime now,
                      MachineReadings& machine) {
  eviction::NodeReadings& out = machine.node;
  const eviction::CgroupMemory memory = cgroups.memory(path);
  machine.pods_usage = memory.usage;
  if (memory.usage) out.allocatable_memory = memory_reading(memory, memory.limit, now);
  out.own.allocatable_memory_with_cache = memory_with_cache(memory, memory.limit, now);
  out.own.allocatable_memory_pressure = cgroups.stall(path, "memory", now);
  out.own.allocatable_io_pressure = cgroups.stall(path, "io", now);
}

}  // namespace

MachineReadings read_machine(const MemoryCgroups& cgroups, const MachinePlaces& places,
                             WallTime now) {
  MachineReadings machine;
  eviction::NodeReadings& out = machine.node;
  const eviction::MemInfo info = eviction::parse_meminfo(text_of(places.proc + "/meminfo"));
  const eviction::CgroupMemory root = cgroups.memory("/");
  machine.root_usage = root.usage;
  if (root.usage) out.memory = memory_reading(root, info.total, now);
  out.own.memory_with_cache = node_memory_with_cache(info, now);
  out.own.swap = swap_reading(info, now);
  out.own.memory_pressure =
      eviction::parse_pressure(text_of(places.proc + "/pressure/memory"), now);
  out.own.io_pressure = eviction::parse_pressure(text_of(places.proc + "/pressure/io"), now);
  if (!places.pods_cgroup.empty()) read_pods_cgroup(cgroups, places.pods_cgroup, now, machine);
  const std::string kernel = places.proc + "/sys/kernel/";
  out.pids =
      eviction::pid_reading(eviction::parse_loadavg_tasks(text_of(places.proc + "/loadavg")),
                            number_in(kernel + "pid_max"), number_in(kernel + "threads-max"), now);
  return machine;
}

MemoryGlance::MemoryGlance(const std::string& proc)
    : meminfo_(::open((proc + "/meminfo").c_str(), O_RDONLY | O_CLOEXEC)) {}

std::optional<std::int64_t> MemoryGlance::in_use() const {
  std::array<char, 4096> text{};  // more than the kernel reports
  const ssize_t count = ::pread(meminfo_.get(), text.data(), text.size(), 0);
  if (count < 0) return std::nullopt;
  return eviction::memory_in_use(
      eviction::parse_meminfo({text.data(), static_cast<std::size_t>(count)}));
}

std::optional<MeasuredFileSystem> measure_file_system(const std::string& path, WallTime now) {
  struct statvfs disk {};
  struct stat place {};
  if (::statvfs(path.c_str(), &disk) != 0 || ::stat(path.c_str(), &place) != 0) return std::nullopt;
  return MeasuredFileSystem{
      .reading = eviction::file_system_reading({.f_frsize = disk.f_frsize,
                                                .f_blocks = disk.f_blocks,
                                                .f_bavail = disk.f_bavail,
                                                .f_files = disk.f_files,
                                                .f_ffree = disk.f_ffree},
                                               now),
      .device = fmt::format("{}:{}", major(place.st_dev), minor(place.st_dev))};
}

}  // namespace berth::agent
