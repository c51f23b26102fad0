// SPDX-License-Identifier: Apache-2.0

// Where the eviction manager has its readings from.
//
// An interface, so that the whole agent can be run against a made-up machine; LinuxReadings is the
// real one. Loop thread only. What could not be measured is absent.
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
  // All of it measured now, but what pods have on disk, which takes long: that is as of the last
  // walk. Before anybody is evicted for anything but memory; for a disk PodDetail::kDisks as well.
  kFresh,
};

enum class PodDetail : std::uint8_t {
  kMemory,      // of each pod, and what is known of its disk use
  kPods,        // … its processes, which take several times as long, and how it waits for disks
  kContainers,  // … and of each container: for messages, and for those who ask
  // … and what they have on disk measured anew, as far as two seconds suffice: before one is
  // evicted for a limit or a disk. What takes longer stands as it was measured last, within its
  // allowance, and is missing beyond that.
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
  // How many bytes of the node's memory are in use, at a glance: it waits for nothing, and is
  // comparable with itself alone. Absent: only looks tell.
  [[nodiscard]] virtual std::optional<std::int64_t> memory_in_use() const = 0;
  // By uid; a pod of which nothing could be measured is not there. Memory is always measured now.
  // With kMemory and kPods `pods` are all there are; what was known of others may be forgotten.
  [[nodiscard]] virtual boost::asio::awaitable<eviction::PodReadings> pods(PodList pods,
                                                                           PodDetail detail) = 0;
  // Where images and writable layers live; absent while that is not known.
  [[nodiscard]] virtual std::optional<eviction::FileSystemLayout> layout() const = 0;
};

}  // namespace berth::agent
