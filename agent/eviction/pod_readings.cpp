// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/pod_readings.hpp"

#include <algorithm>

#include "eviction/number_text.hpp"

namespace berth::agent {
namespace {

using eviction::ContainerReading;
using eviction::PodReading;
using eviction::UsedSpace;

void add(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& amount) {
  if (amount) sum = eviction::capped_sum(sum.value_or(0), *amount);
}

ContainerReading& container(PodReading& reading, const std::string& name) {
  const auto found = std::ranges::find(reading.containers, name, &ContainerReading::name);
  if (found != reading.containers.end()) return *found;
  reading.containers.push_back({.name = name});
  return reading.containers.back();
}

bool shows_running(const PodPlaces& places, const std::string& name) {
  return std::ranges::any_of(places.running,
                             [&name](const auto& running) { return running.second == name; });
}

// The runtime reports exited instances of a container too, in any order.
bool counts(const PodPlaces& places, const cri::ContainerStatistics& one) {
  if (places.running.contains(one.id.str())) return true;
  const bool hook_may_run =
      places.with_post_start.contains(one.name) && !shows_running(places, one.name);
  return hook_may_run && !places.ended.contains(one.id.str());
}

void add_statistics(PodReading& reading, const PodPlaces& places,
                    const std::vector<cri::ContainerStatistics>& statistics) {
  for (const cri::ContainerStatistics& one : statistics) {
    if (!counts(places, one)) continue;
    const auto running = places.running.find(one.id.str());
    ContainerReading& into =
        container(reading, running == places.running.end() ? one.name : running->second);
    if (one.working_set) into.working_set = one.working_set;
    if (one.writable_bytes || one.writable_inodes)
      into.rootfs = UsedSpace{.bytes = one.writable_bytes, .inodes = one.writable_inodes};
  }
}

void add_logs(PodReading& reading, const PodPlaces& places, const UsedByPath& used) {
  for (const NamedPlace& log : places.logs) {
    const bool counted = shows_running(places, log.name) ||
                         std::ranges::find(reading.containers, log.name, &ContainerReading::name) !=
                             reading.containers.end();
    if (!counted) continue;
    if (const auto space = used(log.path)) container(reading, log.name).logs = *space;
  }
}

void add_memory(PodReading& reading, const PodPlaces& places, const PodMemory& memory) {
  for (const auto& [id, working_set] : memory.containers) {
    const auto name = places.running.find(id);
    if (name != places.running.end()) container(reading, name->second).working_set = working_set;
  }
  std::optional<std::int64_t> whole = memory.working_set;
  if (!whole)
    for (const ContainerReading& one : reading.containers) add(whole, one.working_set);
  if (whole) reading.memory = eviction::UsedMemory{.working_set = whole};
  reading.processes = memory.processes;
  reading.io_pressure = memory.io_pressure;
}

// The known part of it: a lower bound where a part was not measured.
std::optional<std::int64_t> ephemeral_storage(const api::Pod& pod, const PodPlaces& places,
                                              const PodReading& reading, const UsedByPath& used) {
  std::optional<std::int64_t> sum;
  for (const ContainerReading& one : reading.containers) {
    if (one.rootfs) add(sum, one.rootfs->bytes);
    if (one.logs) add(sum, one.logs->bytes);
  }
  for (const eviction::VolumeReading& volume : reading.volumes) {
    const auto spec = std::ranges::find(pod.spec.volumes, volume.name, &api::Volume::name);
    if (spec != pod.spec.volumes.end() && is_local_ephemeral(*spec)) add(sum, volume.used.bytes);
  }
  if (const auto hosts = used(places.etc_hosts)) add(sum, hosts->bytes);
  return sum;
}

}  // namespace

std::map<std::string, PodMemory> read_pod_memory(const MemoryCgroups& cgroups,
                                                 const std::vector<PodPlaces>& pods,
                                                 PodDetail detail) {
  std::map<std::string, PodMemory> out;
  for (const PodPlaces& pod : pods) {
    if (pod.cgroup.empty()) continue;
    PodMemory memory{.working_set = cgroups.working_set(pod.cgroup)};
    if (detail != PodDetail::kMemory) {
      memory.processes = cgroups.processes(pod.cgroup);
      memory.io_pressure = cgroups.stall(pod.cgroup, "io", std::nullopt);
    }
    if (detail >= PodDetail::kContainers)
      memory.containers = cgroups.working_sets_below(pod.cgroup);
    if (memory != PodMemory{}) out.emplace(pod.uid, std::move(memory));
  }
  return out;
}

PodReading pod_reading(const api::Pod& pod, const PodPlaces& places, const PodMemory& memory,
                       const std::vector<cri::ContainerStatistics>& statistics,
                       const UsedByPath& used) {
  PodReading reading;
  add_statistics(reading, places, statistics);
  add_memory(reading, places, memory);
  add_logs(reading, places, used);
  for (const NamedPlace& volume : places.volumes)
    if (const auto space = used(volume.path))
      reading.volumes.push_back({.name = volume.name, .used = *space});
  reading.ephemeral_storage = ephemeral_storage(pod, places, reading, used);
  return reading;
}

}  // namespace berth::agent
