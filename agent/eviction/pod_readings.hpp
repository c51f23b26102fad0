// SPDX-License-Identifier: Apache-2.0

// A pod's reading, put together from what was measured of its parts.
//
// read_pod_memory blocks: for the pool. The rest is pure.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/eviction/memory_cgroups.hpp"
#include "agent/eviction/pod_places.hpp"
#include "agent/eviction/reading_source.hpp"
#include "cri/container_statistics.hpp"
#include "eviction/readings.hpp"

namespace berth::agent {

// Read from the pod's cgroup.
struct PodMemory {
  std::optional<std::int64_t> working_set{};
  std::optional<std::int64_t> processes{};
  std::optional<eviction::StallReading> io_pressure{};
  std::map<std::string, std::int64_t> containers{};  // working sets, by container id

  bool operator==(const PodMemory&) const = default;
};
[[nodiscard]] std::map<std::string, PodMemory> read_pod_memory(const MemoryCgroups& cgroups,
                                                               const std::vector<PodPlaces>& pods,
                                                               PodDetail detail);

// The space that a directory takes, where known.
using UsedByPath = std::function<std::optional<eviction::UsedSpace>(const std::string& path)>;

// `statistics`: those of the pod's containers; ended ones count for nothing, for disk use as well.
// They provide the memory readings that the cgroup did not: if cgroups cannot be seen they are all
// there is, and then the sandbox's part is missing.
[[nodiscard]] eviction::PodReading pod_reading(
    const api::Pod& pod, const PodPlaces& places, const PodMemory& memory,
    const std::vector<cri::ContainerStatistics>& statistics, const UsedByPath& used);

}  // namespace berth::agent
