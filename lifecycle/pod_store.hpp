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

// The crash that stored changes outlive once their commit completes: of the machine, for which the
// commit waits for the disk, or of berthd alone, for which the kernel has to have them.
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

  // Completes when the batch is durable, as far as it asks for it, or failed (a full or broken
  // disk): then the caller tries again, or goes on without where it must. Batches are applied in
  // the order of the calls. A caller that gives up waiting does not take the batch back.
  [[nodiscard]] virtual boost::asio::awaitable<Result<bool>> commit(StoreBatch batch) = 0;
};

}  // namespace berth::lifecycle
