// SPDX-License-Identifier: Apache-2.0

// Keeps one pod's memory in the store, and knows what of it is durable.
//
// The worker hands in the memory as it is; `must_keep` says whether it differs, in what decides,
// from what is stored or on its way there. A commit that failed is forgotten: the next one carries
// everything. Loop thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "lifecycle/pod_memory.hpp"
#include "lifecycle/pod_store.hpp"

namespace berth::lifecycle {

// Whether an agent that starts from either of them would do the same. What is merely shown (the
// status of a pod that is not at its end) does not count, and neither do the numbers of attempts:
// what was created since is in the runtime, and tells its own.
[[nodiscard]] bool decides_alike(const PodMemory& a, const PodMemory& b);

// Which crash this memory has to outlive. While a pod ends by the node's order (eviction,
// preemption, shutdown, its deadline) nothing final is published yet, and a crash of the machine
// ends its containers as well: only berthd's crash counts. A start, a deletion that somebody asked
// for and a final state have to outlive the machine. Pure.
[[nodiscard]] Outlives must_outlive(const PodMemory& memory);

// Who knows which numbers a pod's containers have had: the runtime has their records, but for those
// that go with an old sandbox.
enum class Numbers : std::uint8_t { kToldByRuntime, kTheStores };

class MemoryKeeper {
 public:
  // `kept`: as the store had it at start, or null.
  MemoryKeeper(PodStore& store, PodMemoryPtr kept)
      : store_(store), asked_(kept), kept_(std::move(kept)) {}

  [[nodiscard]] bool must_keep(const PodMemory& memory,
                               Numbers numbers = Numbers::kToldByRuntime) const {
    if (!asked_ || !durable_ || !decides_alike(*asked_, memory)) return true;
    return numbers == Numbers::kTheStores && asked_->next_attempts != memory.next_attempts;
  }
  // Whether what is shown, or what probes have published, differs from what is stored or on its way
  // there.
  [[nodiscard]] bool shows_differently(const api::PodStatus& status,
                                       const ProbeResults& probes) const {
    return !asked_ || asked_->status != status || asked_->probes != probes;
  }

  // The newest that is durable; null: none is.
  [[nodiscard]] const PodMemoryPtr& durable() const { return kept_; }

  // Completes when it is durable, or failed. `forget`: uids whose rows go with it, as a whole.
  [[nodiscard]] boost::asio::awaitable<Result<bool>> keep(PodMemory memory,
                                                          std::vector<std::string> forget);

 private:
  PodStore& store_;
  PodMemoryPtr asked_;  // the newest that was handed to the store; null: nothing, or it failed
  PodMemoryPtr kept_;   // the newest that the store has taken
  bool durable_ = true;
};

}  // namespace berth::lifecycle
