// SPDX-License-Identifier: Apache-2.0

// What must be durable before what: how a pod ended, and the commits of its memory that are under
// way.
//
//   open ──▶ asked ──▶ stored     how far the end of the pod is known
//
// Nothing is shown as final before the store has it. The worker says what the memory is now, and
// decides who waits for a commit: a start does, however long it takes; a stop does for a second.
// Loop thread only; the store outlives this. One waiter at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/notification.hpp"
#include "lifecycle/worker/memory_keeper.hpp"

namespace berth::lifecycle {

class PodKeeper {
 public:
  // `kept`: as the store had it at start, or null.
  PodKeeper(boost::asio::any_io_executor executor, PodStore& store, PodMemoryPtr kept)
      : memory_(store, std::move(kept)), bell_(std::move(executor)) {}
  PodKeeper(const PodKeeper&) = delete;
  PodKeeper& operator=(const PodKeeper&) = delete;
  ~PodKeeper() = default;

  // -- How the pod ended.
  [[nodiscard]] Verdict verdict() const { return verdict_; }
  // An earlier berthd had to do with the pod.
  [[nodiscard]] bool recalled() const { return origin_ != Origin::kNew; }
  // The pod had ended before this worker began.
  [[nodiscard]] bool ended_before() const { return origin_ == Origin::kEnded; }
  // The store has how it ended.
  [[nodiscard]] bool is_final() const { return final_ == FinalPhase::kStored; }
  void recall(Verdict verdict);
  // The runtime has lost the pod, which fails by that: the store has yet to know.
  void reopen() { final_ = FinalPhase::kOpen; }
  // The pod has ended, completed if nothing else was said of it. True once: the store is to know.
  [[nodiscard]] bool ask_for_final();
  // The store knows.
  void final_stored() { final_ = FinalPhase::kStored; }

  // -- Commits.
  [[nodiscard]] bool must_keep(const PodMemory& memory,
                               Numbers numbers = Numbers::kToldByRuntime) const {
    return memory_.must_keep(memory, numbers);
  }
  // Whether the store knows that the pod exists.
  [[nodiscard]] bool knows_pod() const { return memory_.durable() != nullptr; }
  [[nodiscard]] bool knows_orders(const std::optional<EndInForce>& end,
                                  const std::vector<api::PodCondition>& conditions) const;
  // Whether anything is left to store, beside what somebody waits for.
  [[nodiscard]] bool has_more(const api::PodStatus& status, const ProbeResults& probes) const {
    return memory_.shows_differently(status, probes);
  }
  [[nodiscard]] bool awaits_final() const { return final_ == FinalPhase::kAsked; }
  [[nodiscard]] bool storing() const { return commits_ > 0; }
  // A commit is about to be made, by `commit`.
  void begin_commit() { ++commits_; }
  // Completes when the memory is durable, or failed. `forget`: uids whose rows go with it.
  [[nodiscard]] boost::asio::awaitable<Result<bool>> commit(PodMemory memory,
                                                            std::vector<std::string> forget);
  // Of the last commit; empty: it succeeded.
  [[nodiscard]] const std::string& error() const { return error_; }

  // Completes when a commit has ended, or when whoever waits is to look again.
  [[nodiscard]] boost::asio::awaitable<void> wait() { return bell_.wait(); }
  void wake_waiter() { bell_.notify(); }
  // Completes when no commit is under way, or at `until`.
  [[nodiscard]] boost::asio::awaitable<void> wait_until(Clock& clock, SteadyTime until);

 private:
  enum class Origin : std::uint8_t { kNew, kRecalled, kEnded };
  enum class FinalPhase : std::uint8_t { kOpen, kAsked, kStored };

  MemoryKeeper memory_;
  Notification bell_;
  int commits_ = 0;  // under way
  std::string error_{};
  Origin origin_ = Origin::kNew;
  Verdict verdict_ = Verdict::kNone;
  FinalPhase final_ = FinalPhase::kOpen;
};

}  // namespace berth::lifecycle
