// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/pressure/eviction_facts.hpp"

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
  if (resource != StarvedResource::kMemory) return sum;
  for (const api::Container& container : pod.spec.containers) {
    const auto request = container.resources.requests.find("memory");
    if (request != container.resources.requests.end()) sum += request->second.value();
  }
  return sum;
}

// The use by writable layers, logs and volumes that are on the signal's file system.
std::int64_t on_disk(const PodReading& reading, Signal signal, FileSystemLayout layout,
                     std::optional<std::int64_t> eviction::UsedSpace::*what) {
  const bool images = eviction::traits(signal).file_system == eviction::SignalFileSystem::kImages;
  const bool split = layout == FileSystemLayout::kSplitImageFs;
  const bool dedicated = layout == FileSystemLayout::kDedicatedImageFs;
  const bool layers = split || dedicated ? images == dedicated : true;
  const bool others = !images || layout == FileSystemLayout::kSingle;
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

Rank rank_of(const api::Pod& pod, const PodReading* reading, Signal signal,
             FileSystemLayout layout) {
  const auto resource = eviction::traits(signal).resource;
  const std::int64_t priority = pod.spec.priority.value_or(0);
  const std::int64_t measured = reading == nullptr ? 0 : 1;
  const std::int64_t beyond =
      reading == nullptr ? 0 : use_of(*reading, signal, layout) - requested(pod, resource);
  const std::int64_t within = measured == 1 && beyond <= 0 ? 1 : 0;
  if (resource == StarvedResource::kPids) return {priority, measured, -beyond, 0};
  return {measured, within, priority, -beyond};
}

}  // namespace berth::simulation
