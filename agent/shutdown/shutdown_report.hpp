// SPDX-License-Identifier: Apache-2.0

// What the shutdown of the node tells whoever wants to know: an interface that it declares.
//
// Called on the loop thread, never across a suspension; implementations must not call back.
#pragma once

#include <string>
#include <vector>

#include "lifecycle/ending.hpp"
#include "lifecycle/shutdown/shutdown_plan.hpp"

namespace berth::agent {

// What a group has left when its period is over: pods, by name.
struct LeftBehind {
  std::vector<std::string> running{};
  std::vector<std::string> unreleased{};  // have stopped, and volumes or a cgroup are still there
  [[nodiscard]] bool nobody() const { return running.empty() && unreleased.empty(); }
};

class ShutdownTeller {
 public:
  ShutdownTeller() = default;
  ShutdownTeller(const ShutdownTeller&) = delete;
  ShutdownTeller& operator=(const ShutdownTeller&) = delete;
  virtual ~ShutdownTeller() = default;

  // The machine is about to go off, or goes on after all.
  virtual void announced(bool shutting_down) = 0;
  // A group's turn: `stop` was ordered of one of its pods, which takes it in later.
  virtual void ordered(const lifecycle::PlannedStop& stop, const lifecycle::ShutdownGroup& group,
                       const lifecycle::Ending& ending) = 0;
  // Its period is over, and not everybody is.
  virtual void left_behind(const lifecycle::ShutdownGroup& group, const LeftBehind& left) = 0;
  // Every group had its turn.
  virtual void all_stopped() = 0;
  // A pod that was stopped or refused is about to make room for its next incarnation.
  virtual void comes_back(const api::Pod& pod) = 0;
  // What keeps it from being what the configuration asks for; once until that changes.
  virtual void complains(const std::string& complaint) = 0;
};

}  // namespace berth::agent
