// SPDX-License-Identifier: Apache-2.0

// A pod's use of the resource under pressure, and its request: the values that pods are ranked by.
//
// Pure. Which parts of a pod's disk use count depends on the signal's file system and on where
// images and writable layers are stored. Amounts are in bytes, inodes, processes or parts per
// million of the time.
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

// The parts of disk use that are on a signal's file system. Images belong to no pod: on a file
// system with only images, every pod uses nothing.
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
  // usage > request. Inodes, processes and stalls cannot be requested, so any use exceeds the
  // request.
  bool exceeds_request = false;
  std::int32_t priority = 0;
  // Finds the largest consumer: usage minus request; for inodes minus the request for
  // ephemeral-storage, as in Kubernetes, although the units differ; for processes their number; for
  // stalls the pod's own stall, of the kind that the signal measures on the node.
  api::Quantity consumption{};

  bool operator==(const PodUse&) const = default;
};

// `reading`: null if the pod has none.
[[nodiscard]] PodUse pod_use(const api::Pod& pod, const PodReading* reading, Signal signal,
                             FileSystemLayout layout);

// The exact usage: "104857600", "12.5%" for a stall; empty if it was not measured.
[[nodiscard]] std::string usage_text(Signal signal, const PodUse& use);

[[nodiscard]] std::optional<std::int64_t> working_set(const PodReading& reading);

[[nodiscard]] const PodReading* reading_of(const PodReadings& readings, const api::Pod& pod);

}  // namespace berth::eviction
