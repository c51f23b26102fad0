// SPDX-License-Identifier: Apache-2.0

// What the shutdown of the node reports: an interface that it declares.
//
// Called on the loop thread, never across a suspension; implementations must not call back.
#pragma once

#include <string>
#include <vector>

#include "lifecycle/ending.hpp"
#include "lifecycle/shutdown/shutdown_plan.hpp"

namespace berth::agent {

// The pods that a group has left when its period is over, by name.
struct LeftBehind {
  std::vector<std::string> running{};
  std::vector<std::string> unreleased{};  // stopped, but volumes or a cgroup still exist
  [[nodiscard]] bool nobody() const { return running.empty() && unreleased.empty(); }
};

class ShutdownReporter {
 public:
  ShutdownReporter() = default;
  ShutdownReporter(const ShutdownReporter&) = delete;
  ShutdownReporter& operator=(const ShutdownReporter&) = delete;
  virtual ~ShutdownReporter() = default;

  // The machine is about to shut down, or the shutdown was cancelled.
  virtual void announced(bool shutting_down) = 0;
  // In a group's turn, `stop` was ordered for one of its pods, which handles it later.
  virtual void ordered(const lifecycle::PlannedStop& stop, const lifecycle::ShutdownGroup& group,
                       const lifecycle::Ending& ending) = 0;
  // The group's period is over, and some of its pods are left.
  virtual void left_behind(const lifecycle::ShutdownGroup& group, const LeftBehind& left) = 0;
  // The pod was ordered to stop and is not stopped in time.
  virtual void exceeded_grace_period(const api::Pod& pod) = 0;
  // Every group had its turn.
  virtual void all_stopped() = 0;
  // A pod that was stopped or refused is about to make room for its next incarnation.
  virtual void comes_back(const api::Pod& pod) = 0;
  // What keeps the shutdown from working as configured; called once until that changes.
  virtual void complains(const std::string& complaint) = 0;
};

}  // namespace berth::agent
