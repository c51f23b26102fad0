// SPDX-License-Identifier: Apache-2.0

// Where pod memories are kept durably.
//
// An interface: the agent implements it on SQLite, the simulation on its own simulated disk. Loop
// thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "lifecycle/pod_memory.hpp"

namespace berth::lifecycle {

// Which crash stored changes survive once their commit completes: one of the machine, for which the
// commit waits for the disk, or only one of berthd, for which the kernel must have the changes.
enum class Outlives : std::uint8_t { kMachine, kBerthd };

// Changes that become durable atomically.
struct StoreBatch {
  std::vector<PodMemoryPtr> keep{};   // replace what is stored for their uids
  std::vector<std::string> forget{};  // uids
  Outlives outlives = Outlives::kMachine;
};

class PodStore {
 public:
  PodStore() = default;
  PodStore(const PodStore&) = delete;
  PodStore& operator=(const PodStore&) = delete;
  virtual ~PodStore() = default;

  // What an earlier berthd stored, as loaded at start. Called once.
  [[nodiscard]] virtual std::vector<PodMemoryPtr> recall() = 0;

  // Completes when the batch is as durable as `outlives` requires, or when the commit failed (a
  // full or broken disk): then the caller tries again, or continues without it. Batches are applied
  // in the order of the calls. A caller that stops waiting does not revoke its batch.
  [[nodiscard]] virtual boost::asio::awaitable<Result<bool>> commit(StoreBatch batch) = 0;
};

}  // namespace berth::lifecycle
