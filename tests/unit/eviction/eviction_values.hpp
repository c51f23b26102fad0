// SPDX-License-Identifier: Apache-2.0

// Pods, readings and thresholds for the tests of eviction.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "api/pod.hpp"
#include "eviction/cycle.hpp"

namespace berth::eviction {

inline constexpr std::int64_t kMi = std::int64_t{1} << 20;
inline constexpr std::int64_t kGi = std::int64_t{1} << 30;

// berth's own rules: static pods may be evicted like others.
inline constexpr EvictionRules kRules{.static_pods_are_critical = false};

inline api::Quantity quantity(const char* text) {
  return *api::Quantity::parse(text);
}

// "memory.available", "100Mi"; zero grace is hard.
inline Threshold threshold(Signal signal, const char* amount, std::chrono::seconds grace = {}) {
  return {.signal = signal,
          .value = quantity(amount),
          .grace_period = grace,
          .origin = grace == std::chrono::seconds::zero() ? ThresholdOrigin::kEvictionHard
                                                          : ThresholdOrigin::kEvictionSoft};
}

inline Threshold with_reclaim(Threshold threshold, const char* amount) {
  threshold.min_reclaim = quantity(amount);
  return threshold;
}

struct PodValues {
  const char* name = "";
  std::int32_t priority = 0;
  const char* memory_request = nullptr;
  const char* storage_request = nullptr;
};

inline api::Pod make_pod(const PodValues& values) {
  api::Pod pod;
  pod.metadata.name = values.name;
  pod.metadata.namespace_ = "default";
  pod.metadata.uid = std::string("uid-") + values.name;
  pod.spec.priority = values.priority;
  api::Container container{.name = "c"};
  if (values.memory_request) {
    container.resources.requests["memory"] = quantity(values.memory_request);
  }
  if (values.storage_request) {
    container.resources.requests["ephemeral-storage"] = quantity(values.storage_request);
  }
  pod.spec.containers = {std::move(container)};
  return pod;
}

inline std::vector<const api::Pod*> pointers(const std::vector<api::Pod>& pods) {
  std::vector<const api::Pod*> out;
  out.reserve(pods.size());
  for (const api::Pod& pod : pods) out.push_back(&pod);
  return out;
}

inline PodReading using_memory(std::int64_t bytes) {
  return {.memory = UsedMemory{.working_set = bytes},
          .containers = {{.name = "c", .working_set = bytes}}};
}

inline PodReading using_disk(std::int64_t rootfs, std::int64_t logs, std::int64_t inodes = 0) {
  return {.containers = {{.name = "c",
                          .rootfs = UsedSpace{.bytes = rootfs, .inodes = inodes},
                          .logs = UsedSpace{.bytes = logs}}}};
}

inline WallTime wall(std::int64_t seconds) {
  return WallTime(std::chrono::seconds(seconds));
}
inline SteadyTime steady(std::int64_t seconds) {
  return SteadyTime(std::chrono::seconds(seconds));
}

// A reading of 4Gi in total, measured at that second.
inline MemoryReading memory_left(std::int64_t available, std::int64_t at) {
  return {.available = available, .working_set = 4 * kGi - available, .time = wall(at)};
}

inline FileSystemReading disk_left(std::int64_t available, std::int64_t at) {
  return {.available = available,
          .capacity = 100 * kGi,
          .inodes_free = 1'000'000,
          .inodes = 2'000'000,
          .time = wall(at)};
}

}  // namespace berth::eviction
