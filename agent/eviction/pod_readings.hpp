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

// From the pod's cgroup.
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

// What a directory takes, where that is known.
using UsedByPath = std::function<std::optional<eviction::UsedSpace>(const std::string& path)>;

// `statistics`: those of the pod's containers. What the cgroup did not tell of memory is taken from
// them: with cgroups out of sight they are all there is, and then without the sandbox's part.
[[nodiscard]] eviction::PodReading pod_reading(
    const api::Pod& pod, const PodPlaces& places, const PodMemory& memory,
    const std::vector<cri::ContainerStatistics>& statistics, const UsedByPath& used);

}  // namespace berth::agent
