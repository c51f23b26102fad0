// SPDX-License-Identifier: Apache-2.0

// The source of the eviction manager's readings.
//
// An interface, so that the whole agent can be run against a simulated machine; LinuxReadings is
// the real one. Loop thread only. What could not be measured is absent.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "api/pod.hpp"
#include "eviction/layout.hpp"
#include "eviction/readings.hpp"

namespace berth::agent {

using PodList = std::vector<std::shared_ptr<const api::Pod>>;

// How old a part of the readings may be; each is fresher than the one before it.
enum class Freshness : std::uint8_t {
  kCheap,        // what changes slowly (file systems, disk use of pods) as of the last seconds
  kFreshMemory,  // memory of the node and of each pod measured now: before one is evicted for it
  // Everything measured now, except for what pods have on disk, which takes long: the last walk
  // counts. Required before any pod is evicted for anything but memory; for a disk,
  // PodDetail::kDisks is required as well.
  kFresh,
};

enum class PodDetail : std::uint8_t {
  kMemory,      // of each pod, and what is known of its disk use
  kPods,        // … its processes, which take several times as long, and how it waits for disks
  kContainers,  // … and of each container: for messages, and for those who ask
  // … and its disk use measured again, as far as two seconds suffice, before a pod is evicted for
  // a limit or a disk. What takes longer keeps its last measurement while that is recent enough,
  // and is missing afterwards.
  kDisks,
};

class ReadingSource {
 public:
  ReadingSource() = default;
  ReadingSource(const ReadingSource&) = delete;
  ReadingSource& operator=(const ReadingSource&) = delete;
  virtual ~ReadingSource() = default;

  [[nodiscard]] virtual boost::asio::awaitable<eviction::NodeReadings> node(
      Freshness freshness) = 0;
  // How many bytes of the node's memory are in use, at a glance: waits for nothing, and is
  // comparable only with other glances. Absent if only looks can measure it.
  [[nodiscard]] virtual std::optional<std::int64_t> memory_in_use() const = 0;
  // By uid, without pods of which nothing could be measured. Memory is always measured now. With
  // kMemory and kPods, `pods` are all that exist; the source may forget what it knows of others.
  [[nodiscard]] virtual boost::asio::awaitable<eviction::PodReadings> pods(PodList pods,
                                                                           PodDetail detail) = 0;
  // Where images and writable layers live; absent while that is not known.
  [[nodiscard]] virtual std::optional<eviction::FileSystemLayout> layout() const = 0;
};

}  // namespace berth::agent
