// SPDX-License-Identifier: Apache-2.0

// Keeps one pod's memory in the store, and knows which part of it is durable.
//
// The worker passes the current memory; `must_keep` is true if it differs, in anything that affects
// decisions, from what is stored or being stored. A failed commit is forgotten: the next one
// carries everything. Loop thread only.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "lifecycle/pod_memory.hpp"
#include "lifecycle/pod_store.hpp"

namespace berth::lifecycle {

// Whether berthd would act the same if it started from either of them. What is only shown (the
// status of a pod that has not ended) does not count, nor do attempt numbers: containers created
// since carry theirs in the runtime.
[[nodiscard]] bool decides_alike(const PodMemory& a, const PodMemory& b);

// Which crash this memory has to survive. While a pod ends by the node's order (eviction,
// preemption, shutdown, its deadline), nothing final is published yet, and a crash of the machine
// ends its containers as well: only a crash of berthd matters. A start, a requested deletion and a
// final state have to survive a crash of the machine. Pure.
[[nodiscard]] Outlives must_outlive(const PodMemory& memory);

// Who knows the attempt numbers of a pod's containers: the runtime has their records, except those
// that are removed with an old sandbox.
enum class Numbers : std::uint8_t { kReportedByRuntime, kTheStores };

// What is stored concurrently: nobody waits for it.
struct ShownMemory {
  const api::PodStatus& status;
  const ProbeResults& probes;
  const std::set<std::string>& sandboxes;  // ids
};

class MemoryKeeper {
 public:
  // `kept`: the memory that the store had at start, or null.
  MemoryKeeper(PodStore& store, PodMemoryPtr kept)
      : store_(store), asked_(kept), kept_(std::move(kept)) {}

  [[nodiscard]] bool must_keep(const PodMemory& memory,
                               Numbers numbers = Numbers::kReportedByRuntime) const {
    if (!asked_ || !durable_ || !decides_alike(*asked_, memory)) return true;
    return numbers == Numbers::kTheStores && asked_->next_attempts != memory.next_attempts;
  }
  // Whether any of it is neither stored nor being stored.
  [[nodiscard]] bool lacks(const ShownMemory& now) const;

  // The newest durable memory; null if there is none.
  [[nodiscard]] const PodMemoryPtr& durable() const { return kept_; }

  // Completes when the memory is durable, or the commit failed. `forget`: uids whose rows are
  // removed in the same commit.
  [[nodiscard]] boost::asio::awaitable<Result<bool>> keep(PodMemory memory,
                                                          std::vector<std::string> forget);

 private:
  PodStore& store_;
  PodMemoryPtr asked_;  // the newest passed to the store; null if none, or it failed
  PodMemoryPtr kept_;   // the newest that the store has committed
  bool durable_ = true;
};

}  // namespace berth::lifecycle
