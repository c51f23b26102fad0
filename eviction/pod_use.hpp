// What a pod uses of the resource that runs short, and what it asked for: the values that pods are
// ranked by.
//
// Pure. Which parts of a pod's disk use count depends on the signal's file system and on where
// images and writable layers live. Amounts in bytes, inodes or processes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "api/quantity.hpp"
#include "eviction/layout.hpp"
#include "eviction/readings.hpp"
#include "eviction/signal.hpp"

namespace berth::eviction {

// The parts of disk use that are on a signal's file system. Images are nobody's: where only they
// are, every pod uses nothing.
struct DiskParts {
  bool rootfs = false;  // writable layers
  bool logs = false;
  bool volumes = false;  // hostPath, emptyDir of the default medium, configMap, gitRepo

  bool operator==(const DiskParts&) const = default;
};

[[nodiscard]] DiskParts disk_parts(Signal signal, FileSystemLayout layout);

struct DiskUse {
  std::int64_t bytes = 0;
  std::int64_t inodes = 0;

  bool operator==(const DiskUse&) const = default;
};

[[nodiscard]] DiskUse disk_use(const api::Pod& pod, const PodReading& reading, DiskParts parts);

struct PodUse {
  bool has_reading = false;
  api::Quantity usage{};
  api::Quantity request{};
  // usage > request. Of inodes and processes nothing can be requested, so that any use is.
  bool exceeds_request = false;
  std::int32_t priority = 0;
  // What the largest consumer is found by: usage less request; of inodes less the request for
  // ephemeral-storage, as in Kubernetes, though the units differ; the number of processes.
  api::Quantity consumption{};

  bool operator==(const PodUse&) const = default;
};

// `reading`: none if there is none of the pod.
[[nodiscard]] PodUse pod_use(const api::Pod& pod, const PodReading* reading, Signal signal,
                             FileSystemLayout layout);

[[nodiscard]] std::optional<std::int64_t> working_set(const PodReading& reading);

[[nodiscard]] const PodReading* reading_of(const PodReadings& readings, const api::Pod& pod);

}  // namespace berth::eviction
