// SPDX-License-Identifier: Apache-2.0

// Where pod memories are kept durably.
//
// An interface: the agent implements it on SQLite, the simulation on a disk of its own.
// Loop thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "lifecycle/pod_memory.hpp"

namespace berth::lifecycle {

// What stored changes outlive from when the commit completes. Outliving the machine means waiting
// for the disk; berthd, for the kernel only.
enum class Outlives : std::uint8_t { kMachine, kBerthd };

// Changes that become durable together, or not at all.
struct StoreBatch {
  std::vector<PodMemoryPtr> keep{};   // in place of what is stored for their uids
  std::vector<std::string> forget{};  // uids
  Outlives outlives = Outlives::kMachine;
};

class PodStore {
 public:
  PodStore() = default;
  PodStore(const PodStore&) = delete;
  PodStore& operator=(const PodStore&) = delete;
  virtual ~PodStore() = default;

  // What an earlier berthd left, as loaded at start. Asked once.
  [[nodiscard]] virtual std::vector<PodMemoryPtr> recall() = 0;

  // Completes when the batch is durable, or failed (a full or broken disk): then the caller tries
  // again, or goes on without where it must. Batches are applied in the order of the calls. A
  // caller that gives up waiting does not take the batch back.
  [[nodiscard]] virtual boost::asio::awaitable<Result<bool>> commit(StoreBatch batch) = 0;
};

}  // namespace berth::lifecycle
