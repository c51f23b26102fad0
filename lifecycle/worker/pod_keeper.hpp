// SPDX-License-Identifier: Apache-2.0

// What must be durable before which action: how a pod ended, and the commits of its memory that are
// under way.
//
//   open ──▶ asked ──▶ stored     how far the end of the pod is known
//
// Nothing is shown as final before the store has it. The worker provides the current memory, and
// decides who waits for a commit: a start does, however long it takes; a stop does for a second.
// Loop thread only; the store outlives this object. One waiter at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/notification.hpp"
#include "lifecycle/worker/memory_keeper.hpp"

namespace berth::lifecycle {

class PodKeeper {
 public:
  // `kept`: the memory that the store had at start, or null.
  PodKeeper(boost::asio::any_io_executor executor, PodStore& store, PodMemoryPtr kept)
      : memory_(store, std::move(kept)), bell_(std::move(executor)) {}
  PodKeeper(const PodKeeper&) = delete;
  PodKeeper& operator=(const PodKeeper&) = delete;
  ~PodKeeper() = default;

  // -- How the pod ended.
  [[nodiscard]] Verdict verdict() const { return verdict_; }
  // Whether an earlier berthd handled the pod.
  [[nodiscard]] bool recalled() const { return origin_ != Origin::kNew; }
  // Whether the pod had ended before this worker began.
  [[nodiscard]] bool ended_before() const { return origin_ == Origin::kEnded; }
  // Whether the store has recorded how it ended.
  [[nodiscard]] bool is_final() const { return final_ == FinalPhase::kStored; }
  // Whether the way the pod ended is decided: later findings do not change it, even if the store
  // does not have it yet.
  [[nodiscard]] bool is_decided() const { return ended_before() || final_ != FinalPhase::kOpen; }
  void recall(Verdict verdict);
  // The runtime has lost the pod, which makes it Failed: the store does not have that yet.
  void reopen() { final_ = FinalPhase::kOpen; }
  // Marks the pod as ended: completed, unless it has another verdict. True at the first call, after
  // which the end is to be stored.
  [[nodiscard]] bool ask_for_final();
  // The store has the end.
  void final_stored();

  // -- Commits.
  [[nodiscard]] bool must_keep(const PodMemory& memory,
                               Numbers numbers = Numbers::kReportedByRuntime) const {
    return memory_.must_keep(memory, numbers);
  }
  // Whether the store has the pod.
  [[nodiscard]] bool knows_pod() const { return memory_.durable() != nullptr; }
  [[nodiscard]] bool knows_orders(const std::optional<EndInForce>& end,
                                  const std::vector<api::PodCondition>& conditions) const;
  // Whether anything else is left to store, apart from what somebody waits for.
  [[nodiscard]] bool has_more(const ShownMemory& now) const { return memory_.lacks(now); }
  [[nodiscard]] bool awaits_final() const { return final_ == FinalPhase::kAsked; }
  [[nodiscard]] bool storing() const { return commits_ > 0; }
  // A call of `commit` is about to follow.
  void begin_commit() { ++commits_; }
  // Completes when the memory is durable, or the commit failed. `forget`: uids whose rows are
  // removed in the same commit.
  [[nodiscard]] boost::asio::awaitable<Result<bool>> commit(PodMemory memory,
                                                            std::vector<std::string> forget);
  // The error of the last commit; empty if it succeeded.
  [[nodiscard]] const std::string& error() const { return error_; }

  // Completes when a commit has ended, or when wake_waiter is called.
  [[nodiscard]] boost::asio::awaitable<void> wait() { return bell_.wait(); }
  void wake_waiter() { bell_.notify(); }
  // Completes when no commit is under way, or at `until`.
  [[nodiscard]] boost::asio::awaitable<void> wait_until(Clock& clock, SteadyTime until);

 private:
  enum class Origin : std::uint8_t { kNew, kRecalled, kEnded };
  enum class FinalPhase : std::uint8_t { kOpen, kAsked, kStored };

  [[nodiscard]] std::string_view uid() const;

  MemoryKeeper memory_;
  Notification bell_;
  int commits_ = 0;  // under way
  std::string error_{};
  Origin origin_ = Origin::kNew;
  Verdict verdict_ = Verdict::kNone;
  FinalPhase final_ = FinalPhase::kOpen;
};

}  // namespace berth::lifecycle
