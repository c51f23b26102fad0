// SPDX-License-Identifier: Apache-2.0

#include "eviction/without_pods.hpp"

#include <algorithm>

#include "eviction/number_text.hpp"
#include "eviction/pod_use.hpp"

namespace berth::eviction {
namespace {

// Adds to the available amount, up to the capacity.
void give_back(std::optional<std::int64_t>& available, std::int64_t amount,
               const std::optional<std::int64_t>& capacity) {
  if (!available) return;
  *available = capped_sum(*available, amount);
  if (capacity) available = std::min(*available, *capacity);
}

// Moves an amount from the working set to the available amount; the sum stays the same.
void give_back_memory(std::optional<MemoryReading>& memory, std::int64_t amount) {
  if (!memory || !memory->available || !memory->working_set) return;
  amount = std::min(amount, *memory->working_set);
  *memory->working_set -= amount;
  // Any excess over the limit is freed first.
  *memory->available = memory->limit
                           ? std::max<std::int64_t>(*memory->limit - *memory->working_set, 0)
                           : capped_sum(*memory->available, amount);
}

void give_back_amount(std::optional<AmountReading>& reading, std::int64_t amount) {
  if (!reading) return;
  reading->available = std::min(capped_sum(reading->available, amount), reading->capacity);
}

void give_back_disk(std::optional<FileSystemReading>& reading, const DiskUse& use) {
  if (!reading) return;
  give_back(reading->available, use.bytes, reading->capacity);
  give_back(reading->inodes_free, use.inodes, reading->inodes);
}

void remove_pod(NodeReadings& node, const api::Pod& pod, const PodReading& reading,
                FileSystemLayout layout) {
  const std::int64_t memory = working_set(reading).value_or(0);
  give_back_memory(node.memory, memory);
  give_back_memory(node.allocatable_memory, memory);
  give_back_amount(node.own.memory_with_cache, memory);
  give_back_amount(node.own.allocatable_memory_with_cache, memory);
  const auto disk = [&](Signal signal) {
    return disk_use(pod, reading, disk_parts(signal, layout));
  };
  give_back_disk(node.node_fs, disk(Signal::kNodeFsAvailable));
  give_back_disk(node.image_fs, disk(Signal::kImageFsAvailable));
  give_back_disk(node.container_fs, disk(Signal::kContainerFsAvailable));
  if (node.pids && node.pids->running) {
    *node.pids->running =
        std::max<std::int64_t>(*node.pids->running - reading.processes.value_or(0), 0);
  }
}

}  // namespace

Readings without_pods(Readings readings, const std::vector<const api::Pod*>& gone,
                      FileSystemLayout layout) {
  for (const api::Pod* pod : gone) {
    const auto found = readings.pods.find(pod->metadata.uid);
    if (found == readings.pods.end()) continue;
    remove_pod(readings.node, *pod, found->second, layout);
    readings.pods.erase(found);
  }
  return readings;
}

}  // namespace berth::eviction
