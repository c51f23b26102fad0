// SPDX-License-Identifier: Apache-2.0

// How far the worker has come with its pod, and by which order the pod ends.
//
//   syncing ──▶ ending ──▶ ended ──▶ removing ──▶ finished
//                    └──────────────────▲
//   syncing   carries out the plan
//   ending    stops everything, in order; nothing starts any more
//   ended     finished by itself; what is left is shown, nothing runs
//   removing  containers, sandboxes, files, cgroup are removed
//   finished  nothing is left
//
// Steady time. A plain value.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/assertion.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/ending.hpp"

namespace berth::lifecycle {

enum class WorkerState : std::uint8_t { kSyncing, kEnding, kEnded, kRemoving, kFinished };

[[nodiscard]] std::string_view to_string(WorkerState state);

class PodCourse {
 public:
  [[nodiscard]] WorkerState state() const { return state_; }
  // `uid`: names the pod if the assertion breaks.
  void enter(WorkerState state, std::string_view uid) {
    assert_that(state > state_, "a worker's state only moves on", uid);
    state_ = state;
  }

  // The order in force, without one that waits in the mailbox. Unset if the pod should run, or
  // finishes by itself.
  [[nodiscard]] const std::optional<EndInForce>& end() const { return end_; }
  void order(std::optional<EndInForce> end) { end_ = std::move(end); }
  [[nodiscard]] bool to_be_removed() const { return removes(end_); }
  // Whether nothing of the pod starts any more.
  [[nodiscard]] bool ends() const { return state_ != WorkerState::kSyncing || end_.has_value(); }
  // Whether nothing of it runs; what is left is shown, or being removed.
  [[nodiscard]] bool over() const {
    return state_ == WorkerState::kEnded || state_ == WorkerState::kRemoving;
  }

  // The start of the grace period: the time of the order, or of the last one that shortened it.
  [[nodiscard]] SteadyTime period_from() const { return period_from_; }
  void begin_period(SteadyTime now) { period_from_ = now; }

 private:
  WorkerState state_ = WorkerState::kSyncing;
  std::optional<EndInForce> end_{};
  SteadyTime period_from_{};
};

}  // namespace berth::lifecycle
