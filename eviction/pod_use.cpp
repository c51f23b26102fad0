// SPDX-License-Identifier: Apache-2.0

#include "eviction/pod_use.hpp"

#include <algorithm>

#include "api/pod_resources.hpp"
#include "eviction/byte_amount.hpp"
#include "eviction/number_text.hpp"
#include "eviction/observations.hpp"

namespace berth::eviction {
namespace {

bool is_on_node_disk(const api::Volume& volume) {
  const bool plain_empty_dir = volume.emptyDir && volume.emptyDir->medium.empty();
  return volume.hostPath || plain_empty_dir || volume.configMap || volume.gitRepo;
}

void add(DiskUse& sum, const UsedSpace& used) {
  sum.bytes = capped_sum(sum.bytes, used.bytes.value_or(0));
  sum.inodes = capped_sum(sum.inodes, used.inodes.value_or(0));
}

void measure(PodUse& use, const api::Pod& pod, const PodReading& reading, Signal signal,
             FileSystemLayout layout) {
  const auto resource = traits(signal).resource;
  switch (resource) {
    case StarvedResource::kMemory:
      use.usage = bytes(working_set(reading).value_or(0));
      break;
    case StarvedResource::kPids:
      use.usage = api::Quantity::from_int(reading.processes.value_or(0));
      break;
    case StarvedResource::kIo:
      use.usage = api::Quantity::from_int((*reading.io_pressure).*traits(signal).stalls.share);
      break;
    case StarvedResource::kEphemeralStorage:
    case StarvedResource::kInodes: {
      const DiskUse disk = disk_use(pod, reading, disk_parts(signal, layout));
      use.usage = resource == StarvedResource::kInodes ? api::Quantity::from_int(disk.inodes)
                                                       : bytes(disk.bytes);
      break;
    }
  }
  use.exceeds_request = use.usage > use.request;
  use.consumption = use.usage;
  if (resource == StarvedResource::kMemory || resource == StarvedResource::kEphemeralStorage)
    use.consumption -= use.request;
  if (resource == StarvedResource::kInodes)
    use.consumption -= api::ranked_request(pod, to_string(StarvedResource::kEphemeralStorage));
}

}  // namespace

std::optional<std::int64_t> working_set(const PodReading& reading) {
  return reading.memory ? reading.memory->working_set : std::nullopt;
}

DiskParts disk_parts(Signal signal, FileSystemLayout layout) {
  constexpr DiskParts kAll{.rootfs = true, .logs = true, .volumes = true};
  const SignalFileSystem where = traits(signal).file_system;
  switch (layout) {
    case FileSystemLayout::kSingle:
      return kAll;
    case FileSystemLayout::kDedicatedImageFs:
      return where == SignalFileSystem::kNode ? DiskParts{.logs = true, .volumes = true}
                                              : DiskParts{.rootfs = true};
    case FileSystemLayout::kSplitImageFs:
      return where == SignalFileSystem::kImages ? DiskParts{} : kAll;
  }
  return kAll;
}

DiskUse disk_use(const api::Pod& pod, const PodReading& reading, DiskParts parts) {
  DiskUse sum;
  for (const ContainerReading& container : reading.containers) {
    if (parts.rootfs && container.rootfs) add(sum, *container.rootfs);
    if (parts.logs && container.logs) add(sum, *container.logs);
  }
  if (!parts.volumes) return sum;
  for (const api::Volume& volume : pod.spec.volumes) {
    if (!is_on_node_disk(volume)) continue;
    const auto found = std::ranges::find(reading.volumes, volume.name, &VolumeReading::name);
    if (found != reading.volumes.end()) add(sum, found->used);
  }
  return sum;
}

PodUse pod_use(const api::Pod& pod, const PodReading* reading, Signal signal,
               FileSystemLayout layout) {
  const StarvedResource resource = traits(signal).resource;
  // Control groups of version 1 count no stalls.
  const bool is_measured =
      reading != nullptr && (resource != StarvedResource::kIo || reading->io_pressure);
  PodUse use{.has_reading = is_measured,
             .request = api::ranked_request(pod, to_string(resource)),
             .priority = pod.spec.priority.value_or(0)};
  if (is_measured) measure(use, pod, *reading, signal, layout);
  return use;
}

std::string usage_text(Signal signal, const PodUse& use) {
  if (!use.has_reading) return {};
  return traits(signal).resource == StarvedResource::kIo ? to_text(signal, use.usage)
                                                         : use.usage.to_string();
}

const PodReading* reading_of(const PodReadings& readings, const api::Pod& pod) {
  const auto found = readings.find(pod.metadata.uid);
  return found == readings.end() ? nullptr : &found->second;
}

}  // namespace berth::eviction
