// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/pressure/eviction_facts.hpp"

#include <optional>

namespace berth::simulation {

using eviction::FileSystemLayout;
using eviction::PodReading;
using eviction::Signal;
using eviction::StarvedResource;

namespace {

constexpr std::int32_t kSystemPriority = 2'000'000'000;

// Other resources are not requested here.
std::int64_t requested(const api::Pod& pod, StarvedResource resource) {
  std::int64_t sum = 0;
  if (resource != StarvedResource::kMemory && resource != StarvedResource::kEphemeralStorage)
    return sum;
  const char* name = resource == StarvedResource::kMemory ? "memory" : "ephemeral-storage";
  for (const api::Container& container : pod.spec.containers) {
    const auto request = container.resources.requests.find(name);
    if (request != container.resources.requests.end()) sum += request->second.value();
  }
  return sum;
}

std::optional<std::int64_t> storage_limit(const api::Container& container) {
  const auto limit = container.resources.limits.find("ephemeral-storage");
  return limit == container.resources.limits.end() ? std::nullopt
                                                   : std::optional(limit->second.value());
}

bool exceeds_a_volume(const api::Pod& pod, const PodReading& reading) {
  for (const eviction::VolumeReading& volume : reading.volumes)
    for (const api::Volume& spec : pod.spec.volumes)
      if (spec.name == volume.name && spec.emptyDir && spec.emptyDir->sizeLimit &&
          *volume.used.bytes > spec.emptyDir->sizeLimit->value())
        return true;
  return false;
}

// Containers without a limit add to the pod's use, but not to its limit.
bool exceeds_all_containers(const api::Pod& pod, const PodReading& reading) {
  std::optional<std::int64_t> together;
  for (const api::Container& container : pod.spec.containers)
    if (const auto limit = storage_limit(container)) together = together.value_or(0) + *limit;
  return together && reading.ephemeral_storage.value_or(0) > *together;
}

// The use by writable layers, logs and volumes that are on the signal's file system. No run has the
// split layout, which the runtime does not report.
std::int64_t on_disk(const PodReading& reading, Signal signal, FileSystemLayout layout,
                     std::optional<std::int64_t> eviction::UsedSpace::*what) {
  const bool dedicated = layout == FileSystemLayout::kDedicatedImageFs;
  const bool of_node = eviction::traits(signal).file_system == eviction::SignalFileSystem::kNode;
  const bool layers = !dedicated || !of_node;
  const bool others = !dedicated || of_node;
  std::int64_t sum = 0;
  for (const eviction::ContainerReading& container : reading.containers) {
    if (layers && container.rootfs) sum += ((*container.rootfs).*what).value_or(0);
    if (others && container.logs) sum += ((*container.logs).*what).value_or(0);
  }
  for (const eviction::VolumeReading& volume : reading.volumes)
    if (others) sum += (volume.used.*what).value_or(0);
  return sum;
}

std::int64_t use_of(const PodReading& reading, Signal signal, FileSystemLayout layout) {
  switch (eviction::traits(signal).resource) {
    case StarvedResource::kMemory:
      return reading.memory ? reading.memory->working_set.value_or(0) : 0;
    case StarvedResource::kPids:
      return reading.processes.value_or(0);
    case StarvedResource::kEphemeralStorage:
      return on_disk(reading, signal, layout, &eviction::UsedSpace::bytes);
    case StarvedResource::kInodes:
      return on_disk(reading, signal, layout, &eviction::UsedSpace::inodes);
    case StarvedResource::kIo:
      break;
  }
  return 0;
}

}  // namespace

bool is_exempt(const api::Pod& pod, const eviction::EvictionRules& rules) {
  return rules.static_pods_are_critical || pod.spec.priority.value_or(0) >= kSystemPriority;
}

bool exceeds_request(const api::Pod& pod, const PodReading* reading, Signal signal,
                     FileSystemLayout layout) {
  if (reading == nullptr) return false;
  return use_of(*reading, signal, layout) > requested(pod, eviction::traits(signal).resource);
}

bool exceeds_a_limit(const api::Pod& pod, const PodReading& reading, FileSystemLayout layout) {
  if (exceeds_a_volume(pod, reading) || exceeds_all_containers(pod, reading)) return true;
  for (const eviction::ContainerReading& container : reading.containers)
    for (const api::Container& spec : pod.spec.containers) {
      const auto limit = storage_limit(spec);
      if (spec.name != container.name || !limit) continue;
      const std::int64_t layer =
          layout == FileSystemLayout::kSingle ? container.rootfs->bytes.value_or(0) : 0;
      if (layer + container.logs->bytes.value_or(0) > *limit) return true;
    }
  return false;
}

Rank rank_of(const api::Pod& pod, const PodReading* reading, Signal signal,
             FileSystemLayout layout) {
  const auto resource = eviction::traits(signal).resource;
  const std::int64_t priority = pod.spec.priority.value_or(0);
  const std::int64_t measured = reading == nullptr ? 0 : 1;
  // The kubelet compares files with the bytes that a pod requests.
  const auto compared =
      resource == StarvedResource::kInodes ? StarvedResource::kEphemeralStorage : resource;
  const std::int64_t beyond =
      reading == nullptr ? 0 : use_of(*reading, signal, layout) - requested(pod, compared);
  const std::int64_t within =
      measured == 1 && !exceeds_request(pod, reading, signal, layout) ? 1 : 0;
  if (resource == StarvedResource::kPids) return {priority, measured, -beyond, 0};
  return {measured, within, priority, -beyond};
}

}  // namespace berth::simulation
