// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/memory_keeper.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/assertion.hpp"

namespace berth::lifecycle {

bool decides_alike(const PodMemory& a, const PodMemory& b) {
  const bool same_pod = a.pod == b.pod || *a.pod == *b.pod;
  const bool same_shown = a.verdict == Verdict::kNone || a.status == b.status;
  return same_pod && same_shown && a.uid == b.uid && a.incarnation == b.incarnation &&
         a.verdict == b.verdict && a.status.startTime == b.status.startTime && a.end == b.end &&
         a.stops == b.stops && a.start_again == b.start_again &&
         a.pending_starts == b.pending_starts && a.restarts == b.restarts && a.pulls == b.pulls;
}

Outlives must_outlive(const PodMemory& memory) {
  const bool on_its_way = memory.verdict == Verdict::kNone && memory.end.has_value();
  return on_its_way && keeps_pod(memory.end->ending.cause) ? Outlives::kBerthd : Outlives::kMachine;
}

// A removed sandbox may stay in the store until the next commit.
bool MemoryKeeper::lacks(const ShownMemory& now) const {
  return !asked_ || asked_->status != now.status || asked_->probes != now.probes ||
         !std::ranges::includes(asked_->sandboxes, now.sandboxes);
}

boost::asio::awaitable<Result<bool>> MemoryKeeper::keep(PodMemory memory,
                                                        std::vector<std::string> forget) {
  assert_that(memory.pod != nullptr, "a memory has its pod", memory.uid);
  auto next = std::make_shared<const PodMemory>(std::move(memory));
  asked_ = next;
  durable_ = false;
  StoreBatch batch{.keep = {next}, .forget = std::move(forget)};
  if (batch.forget.empty()) batch.outlives = must_outlive(*next);
  auto kept = co_await store_.commit(std::move(batch));
  if (kept) {
    kept_ = next;
    if (asked_ == next) durable_ = true;
  } else if (asked_ == next) {
    asked_.reset();
  }
  co_return kept;
}

}  // namespace berth::lifecycle
