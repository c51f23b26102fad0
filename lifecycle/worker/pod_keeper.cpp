// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_keeper.hpp"

#include <utility>

#include "base/assertion.hpp"

namespace berth::lifecycle {

// For assertions; empty if the store has no memory of the pod.
std::string_view PodKeeper::uid() const {
  const PodMemoryPtr& kept = memory_.durable();
  return kept ? std::string_view(kept->uid) : std::string_view();
}

void PodKeeper::recall(Verdict verdict) {
  assert_that(origin_ == Origin::kNew, "a worker recalls its pod once", uid());
  verdict_ = verdict;
  const bool ended = verdict != Verdict::kNone;
  origin_ = ended ? Origin::kEnded : Origin::kRecalled;
  final_ = ended ? FinalPhase::kStored : FinalPhase::kOpen;
}

bool PodKeeper::ask_for_final() {
  if (verdict_ == Verdict::kNone) verdict_ = Verdict::kCompleted;
  if (final_ != FinalPhase::kOpen) return false;
  final_ = FinalPhase::kAsked;
  return true;
}

void PodKeeper::final_stored() {
  assert_that(final_ == FinalPhase::kAsked, "an end is stored because it was asked for", uid());
  final_ = FinalPhase::kStored;
}

bool PodKeeper::knows_orders(const std::optional<EndInForce>& end,
                             const std::vector<api::PodCondition>& conditions) const {
  const PodMemoryPtr& kept = memory_.durable();
  return kept && kept->end == end && kept->pod->status.conditions == conditions;
}

boost::asio::awaitable<Result<bool>> PodKeeper::commit(PodMemory memory,
                                                       std::vector<std::string> forget) {
  const std::string uid = memory.uid;
  auto kept = co_await memory_.keep(std::move(memory), std::move(forget));
  assert_that(commits_ > 0, "a commit that ends has begun", uid);
  --commits_;
  error_ = kept ? std::string() : kept.error().message;
  bell_.notify();
  co_return kept;
}

boost::asio::awaitable<void> PodKeeper::wait_until(Clock& clock, SteadyTime until) {
  while (storing()) {
    const bool ended = co_await bell_.wait_until(clock, until);
    if (!ended) break;
  }
}

}  // namespace berth::lifecycle
